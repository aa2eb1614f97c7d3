import { type Verdict, verdictQuality } from '../mastery/quality.ts'
import type { Arc, Part } from './arc.ts'

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
  const { nodeId } = open
  const { messageId, quality, judgedBy } = answer
  arc.record({
    type: 'respond',
    id,
    nodeId,
    questionId: open.id,
    messageId,
    quality,
    responseType,
    attempt: open.tries + 1,
    notes: judgedBy === 'code' ? 'judged by rule' : 'judged by the model',
  })
  arc.state.lastGrade = {
    responseId: id,
    questionId: open.id,
    messageId,
    kind: open.kind,
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
  const { tries = 0, hintsGiven = 0 } = arc.state.question ?? {}
  return verdictQuality(verdict, { attempt: tries + 1, hinted: hintsGiven > 0 })
}

/** What the learner hears of a verdict: with the solution, and with the answer where it was missed. */
export function verdictWords(arc: Arc, verdict: Verdict): Part[] {
  const { question } = arc
  const open = arc.state.question
  if (!question || !open) return []
  const solution: Part[] = question.solution ? [{ text: question.solution }] : []
  const missed: Part[] = [
    { phrase: 'answer', params: { expected: question.expected } },
    ...solution,
  ]
  switch (verdict) {
    case 'correct': {
      const helped = open.tries > 0 || open.hintsGiven > 0
      return [helped ? 'right-after-help' : 'right', ...solution]
    }
    case 'close':
      return ['still-close', ...missed]
    case 'wrong':
      return ['wrong', ...missed]
    default:
      return ['abstained', ...missed]
  }
}
