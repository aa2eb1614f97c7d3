import type { Question } from './question.ts'
import type { ArcState, LastCheck, Lesson, OpenQuestion } from './state.ts'

/** A question as an export tells it: without its key, and without the help to it. */
export type KeylessQuestion = Pick<
  Question,
  'concept' | 'text' | 'format' | 'options' | 'difficulty' | 'source'
>

/** Looks a question up where its key is known; null where it is not. */
export type FindQuestion = (question: KeylessQuestion) => Question | null

/** An arc that goes on in another installation. */
export interface CarriedArc {
  state: ArcState
  /** The open question in full; null: none is open. */
  question: Question | null
  /** The input whose turn cannot be finished here: it asks about a question that was withdrawn. */
  dropped: string | null
}

/**
 * Where an arc stands once it has come from elsewhere. Questions whose key is known here go on as they are; one that is
 * not known is withdrawn, and another one takes its place when the arc goes on.
 * @param stored the state, with questions as they came
 * @param open the open question as it was shown
 */
export function carriedOver(
  stored: ArcState,
  open: KeylessQuestion | null,
  find: FindQuestion,
): CarriedArc {
  const { question: asked, lesson, lastGrade, lastCheck } = stored
  const state: ArcState = {
    ...stored,
    lesson: lesson && lessonHere(lesson, find),
    lastGrade: lastGrade && gradeHere(lastGrade, find),
    lastCheck: lastCheck ? checkHere(lastCheck, find) : null,
  }
  if (!asked) return { state, question: null, dropped: null }
  const question = open && (asked.kind === 'choice' ? withoutKey(open) : find(open))
  if (question) return { state, question, dropped: null }
  const dropped = state.openTurn?.inputId ?? null
  return { state: withdrawn(state, asked), question: null, dropped }
}

/** The offer to stop has no key. */
const withoutKey = (question: KeylessQuestion): Question => ({
  ...question,
  ...{ key: null, expected: '', criteria: '', hints: [], solution: null, mistakes: [] },
})

/** A lesson whose questions to come are known here; else they are drawn anew. */
function lessonHere(lesson: Lesson, find: FindQuestion): Lesson {
  const { explained, easier, quiz } = lesson
  const questions = quiz?.questions.map((question, index) =>
    index < quiz.asked ? (find(question) ?? withoutKey(question)) : find(question),
  )
  const isKnown = questions?.every((question) => question !== null)
  return {
    ...lesson,
    explained: explained && find(explained),
    easier: easier && find(easier),
    quiz: quiz && questions && isKnown ? { ...quiz, questions } : null,
  }
}

/** A grade can be contested where its question is known. */
function gradeHere(grade: NonNullable<ArcState['lastGrade']>, find: FindQuestion) {
  const question = find(grade.question)
  const lesson = grade.lesson && lessonHere(grade.lesson, find)
  return question && { ...grade, question, lesson }
}

/** A closed check question can be contested where it is known. */
function checkHere(check: LastCheck, find: FindQuestion): LastCheck | null {
  const question = find(check.question)
  return question && { ...check, question }
}

/** The open question goes; a quiz or a review asks another one, a lesson begins again. */
function withdrawn(state: ArcState, { id, kind, purpose }: OpenQuestion): ArcState {
  const { lesson } = state
  const rest = { ...state, question: null, openTurn: null, asking: [] }
  if (!lesson) return rest
  const marks = lesson.cycle.marks.filter(({ questionId }) => questionId !== id)
  const again = { ...lesson, cycle: { ...lesson.cycle, marks } }
  if (kind === 'quiz') return { ...rest, lesson: { ...again, quiz: null } }
  if (kind !== 'teach') return { ...rest, lesson: again }
  const stage = purpose === 'easier' ? 'quiz' : 'explain'
  return { ...rest, lesson: { ...again, explained: null, stage } }
}

/**
 * A question of a course with the options as they were shown: in their order, under their letters, without one that was
 * tried. Null where it reads differently now.
 */
export function asShown(question: Question, shown: KeylessQuestion): Question | null {
  if (question.text !== shown.text || question.format !== shown.format) return null
  const { key, options, mistakes } = question
  if (!shown.options || !options) return shown.options || options ? null : question
  if (key?.type !== 'choice') return null
  const letters = new Map(
    options.flatMap(({ id, text }) => {
      const seen = shown.options?.find((option) => option.text === text)
      return seen ? [[id, seen.id]] : []
    }),
  )
  const correct = letters.get(key.correct)
  if (correct === undefined || letters.size !== shown.options.length) return null
  return {
    ...question,
    options: shown.options,
    key: { ...key, correct },
    mistakes: mistakes.flatMap((mistake) => {
      const answer = letters.get(mistake.answer)
      return answer === undefined ? [] : [{ ...mistake, answer }]
    }),
  }
}
