import type { Unit } from '../../../contracts/course-pack.ts'
import { expectedAnswer } from '../../../courses/asked-question.ts'
import { isBelief } from '../../../courses/refutation.ts'
import type { FallbackMaterial } from '../../../domain/course/policy/fallback-action.ts'
import type { PolicyConstraints } from '../../../domain/course/policy/tutor-policy.ts'
import type { AskedQuestion } from '../../../domain/course/turn/asked-question.ts'
import type { Language } from '../../../domain/language/languages.ts'
import { drawDrills } from './course-drills.ts'
import { statementsOf } from './reply-judging.ts'
import { type TurnWords, turnWords } from './turn-words.ts'

/** A question whose answer code can judge, in words. */
export interface JudgeableQuestion {
  text: string
  asks: AskedQuestion
}

/** Questions on a unit: which of two statements is true, and the easier ones of its bank; in the order of a seed. */
export function openingQuestions(
  unit: Unit,
  seed: number,
  words: TurnWords = turnWords('en'),
): JudgeableQuestion[] {
  const { unitId, title, keyIdeas } = unit
  const beliefs = unit.misconceptions.filter(({ description }) => isBelief(description))
  const statements = beliefs.map(({ tag, description }, place): JudgeableQuestion => {
    const idea = keyIdeas[(seed + place) % keyIdeas.length] ?? title
    const isFirstTrue = (seed + place) % 2 === 0
    const asks = { kind: 'statements' as const, unitId, tag, idea, isFirstTrue }
    const [a, b] = statementsOf(asks, description)
    const text = words.whichIsTrue(title, a?.text ?? '', b?.text ?? '')
    return { text, asks }
  })
  const written = unit.questions
    .filter(({ format, answer }) => format === 'short_answer' && answer.type !== 'text')
    .filter(({ difficulty }) => difficulty !== 'hard')
    .map(
      ({ id, text }): JudgeableQuestion => ({
        text: withWords(words.letUsSee, text, ''),
        asks: { kind: 'question', unitId, source: id },
      }),
    )
  const mixed = Array.from({ length: Math.max(statements.length, written.length) }, (_, place) =>
    [statements[place], written[place]].filter((question) => question !== undefined),
  ).flat()
  const start = mixed.length === 0 ? 0 : seed % mixed.length
  return [...mixed.slice(start), ...mixed.slice(0, start)]
}

/** Words before a text and words after it, which would break the fence of a program if they stood on its line. */
function withWords(before: string, text: string, after: string): string {
  const lead = text.trimStart().startsWith(FENCE) ? '\n\n' : ' '
  const tail = text.trimEnd().endsWith(FENCE) ? '\n\n' : ' '
  return [before, before && lead, text, after && tail, after].join('')
}

const FENCE = '```'

/** The question as it is put to a student: a task ends as a question, so that it is plain who speaks next. */
export const putAsQuestion = (
  { text }: JudgeableQuestion,
  words: TurnWords = turnWords('en'),
): string => (text.includes('?') ? text : withWords('', text, words.whatDoYouGet))

/** What the course holds ready when a mind's answer cannot be used. */
export function fallbackMaterial(unit: Unit, seed: number, language: Language): FallbackMaterial {
  const questions = openingQuestions(unit, seed, turnWords(language))
  return {
    title: unit.title,
    anchorText: unit.anchor,
    socraticQuestions: questions.map(({ text }) => text),
    asks: questions.map(({ asks }) => asks),
    drills: drawDrills(unit, seed, 1).map(({ prompt, questionLatex, question }) => ({
      prompt,
      questionLatex,
      expectedAnswer: expectedAnswer(question),
    })),
  }
}

/** The key ideas and the worked example of a unit, as far as the words of a card reach. */
export function conceptWithin(
  unit: Unit,
  { maxConceptWords, maxWorkedExamples }: PolicyConstraints,
  maxKeyIdeas: number,
): { keyIdeas: string[]; workedExample: Unit['workedExample'] | null } {
  const count = (text: string) => text.match(/\S+/g)?.length ?? 0
  let left = maxConceptWords
  const keyIdeas: string[] = []
  for (const idea of unit.keyIdeas.slice(0, maxKeyIdeas)) {
    if (count(idea) > left) break
    left -= count(idea)
    keyIdeas.push(idea)
  }
  const { problem, steps, answer } = unit.workedExample
  const fits = maxWorkedExamples > 0 && count([problem, ...steps, answer].join(' ')) <= left
  return { keyIdeas, workedExample: fits ? unit.workedExample : null }
}
