import { type ForeseenMistake, remedyOf } from '../answers/foreseen-mistake.ts'
import { askAgain } from '../learning-cycle/cycle.ts'
import { type Verdict, verdictQuality } from '../mastery/quality.ts'
import type { Arc, Part } from './arc.ts'
import type { Question } from './question.ts'

/** An answer as it was graded: its quality and who judged it. */
export interface Answer {
  messageId: string
  text: string
  quality: number
  judgedBy: 'code' | 'model'
}

/** Stores the response of the open question, and what was before it, so that the grade can be contested. */
export function respond(arc: Arc, answer: Answer, responseType: 'teach' | 'review'): void {
  const { question: open, lesson } = arc.state
  const { question } = arc
  if (!open?.nodeId || !question) return
  const id = arc.newId()
  const { nodeId, attempt, purpose } = open
  const { messageId, quality, judgedBy } = answer
  arc.record({
    type: 'respond',
    id,
    nodeId,
    questionId: open.id,
    messageId,
    quality,
    responseType,
    attempt,
    notes: judgedBy === 'code' ? 'judged by rule' : 'judged by the model',
  })
  // What was given up or shown has nothing in it that could be read otherwise.
  if (judgedBy === 'code' && quality === 0) return
  arc.state.lastGrade = {
    responseId: id,
    questionId: open.id,
    messageId,
    kind: open.kind,
    purpose,
    judgedBy,
    quality,
    node: arc.node(nodeId),
    history: arc.history(nodeId),
    lesson: lesson ? structuredClone(lesson) : null,
    question,
    answer: answer.text,
  }
}

/** The quality of an answer that code judged, given what came before it. */
export function codeQuality(arc: Arc, verdict: Verdict): number {
  const { attempt = 1, hintsGiven = 0 } = arc.state.question ?? {}
  return verdictQuality(verdict, { attempt, hinted: hintsGiven > 0 })
}

/** Whether the open question may be tried once more: probes, easier questions and short choices have one try. */
export function maySecond(arc: Arc): boolean {
  const { question: open } = arc.state
  const { question } = arc
  if (!open || !question || open.attempt === 2) return false
  if (open.kind === 'diagnostic' || open.kind === 'choice' || open.purpose === 'easier')
    return false
  return !question.options || question.options.length >= LEAST_OPTIONS
}

/** A choice between fewer is not tried twice. */
const LEAST_OPTIONS = 4

/**
 * A first wrong answer is taken up: what is wrong with a mistake that was foreseen, else a hint that has not been given;
 * and the question is asked a second time. `tried` is the option that is closed then.
 */
export function takeUpMistake(
  arc: Arc,
  answer: { messageId: string; text: string },
  mistake: ForeseenMistake | null,
  isClose: boolean,
  tried: string | null,
): void {
  arc.sayVerdict(null, ...mistakeWords(arc, mistake, isClose))
  secondTry(arc, answer, tried)
}

/** Asks the open question once more. */
export function secondTry(
  arc: Arc,
  { messageId, text }: { messageId: string; text: string },
  tried: string | null,
): void {
  const { lesson, question } = arc.state
  const from = question?.id
  const id = arc.putSecond({ messageId, answer: text }, tried)
  if (question?.kind === 'quiz' && lesson && from) {
    lesson.cycle = askAgain(lesson.cycle, from, id)
  }
}

function mistakeWords(arc: Arc, mistake: ForeseenMistake | null, isClose: boolean): Part[] {
  const remedy = mistake && remedyOf(mistake)
  if (remedy) return [{ phrase: 'foreseen', params: remedy }, 'try-again']
  if (isClose) return ['close']
  const hint = arc.giveHint()
  return hint === null ? ['wrong-once'] : ['wrong-once', { text: hint }]
}

/** What the learner hears of a verdict: with the solution, and with the answer where it was missed. */
export function verdictWords(
  arc: Arc,
  verdict: Verdict,
  mistake: ForeseenMistake | null = null,
): Part[] {
  const { question } = arc
  const open = arc.state.question
  if (!question || !open) return []
  const solution: Part[] = question.solution ? [{ text: question.solution }] : []
  const missed = missedWords(arc)
  const remedy = mistake && remedyOf(mistake)
  switch (verdict) {
    case 'correct': {
      const helped = open.attempt > 1 || open.hintsGiven > 0
      return [helped ? 'right-after-help' : 'right', ...solution]
    }
    case 'close':
      return ['still-close', ...missed]
    case 'wrong':
      // What a second wrong answer gives away is worth a word too.
      return [
        'wrong',
        ...(remedy ? [{ phrase: 'remedy' as const, params: remedy }] : []),
        ...missed,
      ]
    default:
      return ['abstained', ...missed]
  }
}

/** What is told of a question that was missed: the answer, unless what was said of it says so, and the solution. */
export function missedWords({ question }: Pick<Arc, 'question'>, said = ''): Part[] {
  if (!question) return []
  const solution: Part[] = question.solution ? [{ text: question.solution }] : []
  if (says(said, question.expected)) return solution
  return [{ phrase: 'answer', params: { expected: shownAnswer(question) } }, ...solution]
}

/** Words as short as "no" stand in texts that mean something else. */
const LEAST_TELLING = 4

function says(text: string, answer: string): boolean {
  const plain = (value: string) =>
    ` ${(value.toLowerCase().match(/[\p{L}\p{M}\d]+|[^\s\p{L}\p{M}\d$]/gu) ?? []).join(' ')} `
  const wanted = plain(answer.replace(/[.!\s]+$/, ''))
  const isTelling = /\d/.test(wanted) || wanted.trim().length >= LEAST_TELLING
  return isTelling && plain(text).includes(wanted)
}

/** The right answer as it is shown: what is mathematics is set as mathematics. */
function shownAnswer({ expected, key }: Question): string {
  const isMath = key && ['number', 'expression', 'equation', 'set', 'inequality'].includes(key.type)
  if (!isMath || /[$`]/.test(expected)) return expected
  return key.type === 'number' && /^[-−]?[\d.,]+( \D.*)?$/.test(expected)
    ? expected
    : inMath(expected)
}

/** Plain writing, as keys have it, between the marks of a formula. */
function inMath(plain: string): string {
  const text = plain
    .replaceAll('<=', '\\le ')
    .replaceAll('>=', '\\ge ')
    .replaceAll('*', '\\cdot ')
    .replace(/\s+(or|and)\s+/g, '\\text{ $1 }')
  return `$${text}$`
}
