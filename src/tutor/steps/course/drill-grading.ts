import type { Course, Unit } from '../../../contracts/course-pack.ts'
import type { AnswerKey, Judgement } from '../../../domain/answers/answer-key.ts'
import { foreseenMistake, writtenAlike } from '../../../domain/answers/foreseen-mistake.ts'
import { judgeAnswer } from '../../../domain/answers/judge.ts'
import { courseTags } from '../../../domain/course/course.ts'
import type { CodeGrade, DrillGrade } from '../../../domain/course/drills/drill-grade.ts'
import { keepKnownTag } from '../../../domain/course/drills/drill-grade.ts'
import { type CourseWords, courseWords } from '../../../domain/course/words.ts'
import type { Language } from '../../../domain/language/languages.ts'
import { readNumeral } from '../../../domain/notation/numbers.ts'
import { readCommand } from '../../../domain/talk/commands.ts'
import type { CourseDrill } from './course-drills.ts'

/** Grades the answer to a drill of the course; the mistakes its author foresaw give the tag and the remedy. */
export function gradeCourseDrill(
  course: Course,
  unit: Unit,
  drill: CourseDrill,
  answer: string,
  language: Language,
): CodeGrade {
  const words = courseWords(language)
  const { question } = drill
  const key = question.answer as AnswerKey
  const judged = judge(answer, key, question.text)
  if (question.accepted.some((accepted) => writtenAlike(accepted, answer))) {
    return decided(rightGrade(words, question.solution))
  }
  if (judged === 'unread') return UNDECIDED
  if (judged === 'correct') return decided(rightGrade(words, question.solution))
  if (judged === 'abstained') return decided(wrongGrade(words.allRight, question.solution))
  const telling = foreseenMistake(question.mistakes, answer, key)
  const misconception = unit.misconceptions.find(({ tag }) => tag === telling?.tag)
  const lead = judged === 'close' ? words.closeNotYet : words.notRight
  const why = misconception ? `${lead} ${misconception.remedy}` : lead
  const grade = { ...wrongGrade(why, question.solution), commonMistakeTag: telling?.tag ?? null }
  return decided(keepKnownTag(grade, courseTags(course)))
}

/**
 * Grades the answer to a drill that a model made up, by the answer it gave for it: numbers for good, and that two
 * expressions are not equal; whether an equal one has the form that was asked for is for the model to say.
 */
export function gradeMadeUpDrill(
  key: AnswerKey,
  questionText: string,
  answer: string,
  language: Language,
): CodeGrade {
  const words = courseWords(language)
  const judged = judge(answer, key, questionText)
  if (judged === 'abstained') return decided(wrongGrade(words.allRight, null))
  if (judged === 'wrong' && key.type !== 'text') {
    return { decided: true, grade: wrongGrade(words.notRight, null), isExplained: false }
  }
  if (judged !== 'correct') return UNDECIDED
  return key.type === 'expression'
    ? { decided: false, verdict: 'equal' }
    : decided(rightGrade(words, null))
}

/** The key that an answer in words stands for: a number, an expression, or the words themselves. */
export function keyOfAnswer(expected: string): AnswerKey {
  const bare = expected.replace(/^\s*\$+|\$+\s*$/g, '').trim()
  const value = /^[a-z]\s*=\s*(.+)$/i.exec(bare)?.[1] ?? bare
  if (readNumeral(value) !== null) return { type: 'number', value }
  const asExpression: AnswerKey = { type: 'expression', value }
  const holds = judgeAnswer(value, asExpression, { text: '' }).verdict === 'correct'
  return holds && !/\p{L}{3,}\s/u.test(value) ? asExpression : { type: 'text', accepted: [bare] }
}

const UNDECIDED: CodeGrade = { decided: false, verdict: null }

function decided(grade: DrillGrade): CodeGrade {
  return { decided: true, grade, isExplained: true }
}

function rightGrade({ right }: CourseWords, solution: string | null): DrillGrade {
  const feedbackText = solution === null ? right : `${right} ${solution}`
  return { isCorrect: true, feedbackText, commonMistakeTag: null }
}

function wrongGrade(why: string, solution: string | null): DrillGrade {
  const feedbackText = solution === null ? why : `${why} ${solution}`
  return { isCorrect: false, feedbackText, commonMistakeTag: null }
}

type Judged = Exclude<Judgement['verdict'], 'unjudged'> | 'abstained' | 'unread'

function judge(answer: string, key: AnswerKey, questionText: string): Judged {
  const command = readCommand(answer)
  if (command === 'dont_know' || command === 'show' || command === 'skip' || command === 'stuck') {
    return 'abstained'
  }
  const { verdict } = judgeAnswer(answer, key, { text: questionText })
  return verdict === 'unjudged' ? 'unread' : verdict
}
