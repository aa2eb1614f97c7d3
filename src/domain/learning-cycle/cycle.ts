import { isPassed, requireQuality } from '../mastery/quality.ts'

export interface CycleSettings {
  /** Questions of one quiz. */
  quizQuestions: number
  /** The share of them that has to be passed, 0..1. */
  masteryThreshold: number
  maxCycles: number
}

/** One quiz question of the cycle; the quality is null while it is open. */
export interface QuizMark {
  questionId: string
  quality: number | null
}

/** The learning cycle on one concept (seed 003): explain, quiz, feedback, until it is known. */
export interface Cycle {
  /** From 1. */
  cycleNumber: number
  marks: QuizMark[]
  /** Questions of the last cycle that were not passed, to be asked again. */
  missed: string[]
  /** Set after remediation: the questions are easier and two of three pass. */
  eased: boolean
}

/** `remediate`: the cycles are spent, the path planner has to help. */
export type CycleOutcome = 'continue' | 'reviewing' | 'next-cycle' | 'remediate'

const EASED_THRESHOLD = 2 / 3
const QUESTIONS_PER_SITTING = 10

/** The first cycle on a concept, also after a lapse. */
export function startCycles(): Cycle {
  return { cycleNumber: 1, marks: [], missed: [], eased: false }
}

/** The cycles after remediation: from 1 again, with easier questions of which two of three pass. */
export function restartEased(cycle: Cycle): Cycle {
  return { cycleNumber: 1, marks: [], missed: missedIn(cycle), eased: true }
}

/** The next cycle, which teaches to the errors and asks the missed questions again. */
export function nextCycle(cycle: Cycle): Cycle {
  return { ...cycle, cycleNumber: cycle.cycleNumber + 1, marks: [], missed: missedIn(cycle) }
}

/** Opens a question of the cycle's quiz; one that was already asked in it changes nothing. */
export function askQuestion(cycle: Cycle, questionId: string): Cycle {
  if (cycle.marks.some((mark) => mark.questionId === questionId)) return cycle
  return { ...cycle, marks: [...cycle.marks, { questionId, quality: null }] }
}

/** A question of the quiz is asked a second time, under another id. */
export function askAgain(cycle: Cycle, from: string, to: string): Cycle {
  const marks = cycle.marks.map((mark) =>
    mark.questionId === from ? { ...mark, questionId: to } : mark,
  )
  return { ...cycle, marks }
}

/**
 * Grades a question of the quiz, or grades it again when the first grade was contested.
 * @throws RangeError when the quality is not a whole number from 0 to 5
 * @throws Error when the question is not one of the cycle's
 */
export function gradeQuestion(cycle: Cycle, questionId: string, quality: number): Cycle {
  requireQuality(quality)
  if (!cycle.marks.some((mark) => mark.questionId === questionId)) {
    throw new Error(`Question ${questionId} was not asked in this cycle.`)
  }
  const marks = cycle.marks.map((mark) =>
    mark.questionId === questionId ? { questionId, quality } : mark,
  )
  return { ...cycle, marks }
}

/** The qualities of the answered questions, in the order they were asked. */
export function cycleQualities(cycle: Cycle): number[] {
  return cycle.marks.flatMap(({ quality }) => (quality === null ? [] : [quality]))
}

/** The share of answered questions with a quality of at least 3, 0..1; null before any answer. */
export function cycleScore(cycle: Cycle): number | null {
  const qualities = cycleQualities(cycle)
  if (qualities.length === 0) return null
  return qualities.filter(isPassed).length / qualities.length
}

/** The share that passes: the arc's threshold, after remediation no more than two of three. */
function passingShare(cycle: Cycle, settings: CycleSettings): number {
  const { masteryThreshold } = settings
  return cycle.eased ? Math.min(masteryThreshold, EASED_THRESHOLD) : masteryThreshold
}

/** What the quiz led to; `continue` until all its questions are answered. */
export function cycleOutcome(cycle: Cycle, settings: CycleSettings): CycleOutcome {
  const score = cycleScore(cycle)
  const answered = cycleQualities(cycle).length
  if (score === null || answered < Math.max(settings.quizQuestions, cycle.marks.length)) {
    return 'continue'
  }
  if (score >= passingShare(cycle, settings)) return 'reviewing'
  return cycle.cycleNumber < settings.maxCycles ? 'next-cycle' : 'remediate'
}

/** Whether a sitting has asked so many quiz questions that a pause is to be offered. */
export function isSittingFull(questionsAsked: number): boolean {
  return questionsAsked >= QUESTIONS_PER_SITTING
}

function missedIn(cycle: Cycle): string[] {
  return cycle.marks
    .filter(({ quality }) => quality !== null && !isPassed(quality))
    .map(({ questionId }) => questionId)
}
