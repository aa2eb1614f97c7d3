import type { Course } from '../../../contracts/course-pack.ts'
import { refutation } from '../../../courses/refutation.ts'
import type { AnswerKey } from '../../../domain/answers/answer-key.ts'
import { judgeAnswer } from '../../../domain/answers/judge.ts'
import type { AskedQuestion } from '../../../domain/course/turn/asked-question.ts'
import { courseWords } from '../../../domain/course/words.ts'
import type { Language } from '../../../domain/language/languages.ts'
import { looksLikeQuestion, readCommand } from '../../../domain/talk/commands.ts'
import { drillFrom } from './course-drills.ts'
import { gradeCourseDrill } from './drill-grading.ts'

/** What code makes of a reply, and what is said to it. */
export interface JudgedReply {
  isRight: boolean
  text: string
}

/** The verdict on a reply to a question with a key; null where it is no answer to it. */
export function judgeReply(
  course: Course,
  asked: AskedQuestion,
  said: string,
  language: Language,
): JudgedReply | null {
  if (asked.kind !== 'statements' && asked.kind !== 'question') return null
  const unit = course.units.find(({ unitId }) => unitId === asked.unitId)
  if (!unit || said.trim() === '') return null
  if (asked.kind === 'question') {
    const drill = drillFrom(unit, asked.source)
    if (!drill || (looksLikeQuestion(said) && !/\d/.test(said))) return null
    const command = readCommand(said)
    if (command !== null && command !== 'dont_know' && command !== 'show') return null
    const code = gradeCourseDrill(course, unit, drill, said, language)
    return code.decided ? { isRight: code.grade.isCorrect, text: code.grade.feedbackText } : null
  }
  const misconception = unit.misconceptions.find(({ tag }) => tag === asked.tag)
  const verdict = misconception && choiceOf(said, statementsOf(asked, misconception.description))
  if (!misconception || verdict === null || verdict === undefined) return null
  const isRight = (verdict === 'a') === asked.isFirstTrue
  const words = courseWords(language)
  return isRight
    ? { isRight, text: `${words.right} ${misconception.remedy}` }
    : { isRight, text: `${words.notQuite} ${refutation(misconception, language)}` }
}

/** The two statements in the order in which they were shown. */
export function statementsOf(
  { idea, isFirstTrue }: Extract<AskedQuestion, { kind: 'statements' }>,
  belief: string,
): { id: string; text: string }[] {
  const [first, second] = isFirstTrue ? [idea, belief] : [belief, idea]
  return [
    { id: 'a', text: first },
    { id: 'b', text: second },
  ]
}

/** The unit that a reply picks; null where it picks none. */
export function unitMeant(course: Course, asked: AskedQuestion, said: string): string | null {
  if (asked.kind !== 'units') return null
  const options = asked.unitIds.flatMap((unitId, place) => {
    const text = course.units.find((unit) => unit.unitId === unitId)?.title
    return text ? [{ id: String.fromCharCode(97 + place), text, unitId }] : []
  })
  const chosen = choiceOf(said, options)
  return options.find(({ id }) => id === chosen)?.unitId ?? null
}

const PLACE: [RegExp, string][] = [
  [/^(?:the )?(?:first|former|1st)(?: one)?[.!]*$/i, 'a'],
  [/^(?:the )?(?:second|latter|other|2nd)(?: one)?[.!]*$/i, 'b'],
]

/** The option that is meant, by its text, its letter, its number or its place; null for none. */
function choiceOf(said: string, options: { id: string; text: string }[]): string | null {
  const placed = PLACE.find(([pattern]) => pattern.test(said.trim()))?.[1]
  if (placed) return placed
  const key: AnswerKey = { type: 'choice', correct: '' }
  const { value } = judgeAnswer(said, key, { text: '', options })
  return options.find(({ id }) => id === value)?.id ?? null
}
