import { NO_KNOWN_MISTAKE } from './misconception.ts'
import { solvedOf } from './outcome.ts'
import type { MasterySignal, ProblemStatus } from './session.ts'

/** A problem of a session as it is stored, with what its turns say about it. */
export interface ReportedProblem {
  id: string
  text: string
  tags: string[]
  status: ProblemStatus
  signal: MasterySignal | null
  struggled: boolean
  attempts: number
  scaffoldingDepth: number
  explained: boolean | null
  activeMs: number
  /** What its wrong answers looked like, oldest first. */
  misconceptions: string[]
  /** What the tutor said on it, oldest first. */
  replies: string[]
}

export interface ReportedSession {
  sessionId: string
  studentId: string
  questionSet: string | null
  activeMs: number
  problems: ReportedProblem[]
}

/** The six numbers a caller gets when a session completes (seed 002 §3.4); times in seconds. */
export interface SessionReport {
  problems_completed: number
  mastery_count: number
  learned_count: number
  total_time_seconds: number
  avg_time_per_problem: number
  struggle_problems: string[]
}

const seconds = (ms: number) => Math.round(ms / 1000)

export function sessionReport({ problems, activeMs }: ReportedSession): SessionReport {
  const { solved: completed } = solvedOf(problems)
  const signalled = (signal: MasterySignal) =>
    problems.filter((problem) => problem.signal === signal).length
  const total = seconds(activeMs)
  return {
    problems_completed: completed,
    mastery_count: signalled('mastered'),
    learned_count: signalled('learned'),
    total_time_seconds: total,
    avg_time_per_problem: completed === 0 ? 0 : Math.round(total / completed),
    struggle_problems: problems.filter(({ struggled }) => struggled).map(({ id }) => id),
  }
}

/** The teacher's report, and what the LMS is sent (seed 002 §3.6). */
export interface TeacherReport {
  session_id: string
  student_id: string
  question_set: string | null
  summary: {
    problems_completed: number
    problems_total: number
    total_time: string
    mastery_rate: string
    scaffolding_rate: string
    /** Of the problems that needed scaffolding, those that were learned; null where none did. */
    scaffolding_effectiveness: string | null
  }
  problem_breakdown: {
    problem_id: string
    text: string
    status: ProblemStatus
    mastery_signal: MasterySignal | null
    attempts: number
    time_spent: string
    scaffolding_used: boolean
    scaffolding_depth?: number
    key_misconception?: string
    explanation_missing?: boolean
    hint_sequence: string[]
  }[]
  insights: { strengths: string[]; weaknesses: string[]; recommended_next_steps: string[] }
}

/** Everything is counted from what is stored; no model has a hand in it. */
export function teacherReport(session: ReportedSession): TeacherReport {
  const { problems } = session
  const of = (filter: (problem: ReportedProblem) => boolean) => problems.filter(filter)
  const scaffolded = of(({ scaffoldingDepth }) => scaffoldingDepth > 0)
  const { solved, total } = solvedOf(problems)
  const learned = scaffolded.filter(({ signal }) => signal === 'learned')
  return {
    session_id: session.sessionId,
    student_id: session.studentId,
    question_set: session.questionSet,
    summary: {
      problems_completed: solved,
      problems_total: total,
      total_time: duration(session.activeMs),
      mastery_rate: share(of(({ signal }) => signal === 'mastered').length, problems.length),
      scaffolding_rate: share(scaffolded.length, problems.length),
      scaffolding_effectiveness:
        scaffolded.length === 0 ? null : share(learned.length, scaffolded.length),
    },
    problem_breakdown: problems.map(breakdown),
    insights: insights(problems),
  }
}

function breakdown(problem: ReportedProblem): TeacherReport['problem_breakdown'][number] {
  const misconception = mostFrequent(problem.misconceptions)
  const depth = problem.scaffoldingDepth
  return {
    problem_id: problem.id,
    text: problem.text,
    status: problem.status,
    mastery_signal: problem.signal,
    attempts: problem.attempts,
    time_spent: duration(problem.activeMs),
    scaffolding_used: depth > 0,
    ...(depth > 0 ? { scaffolding_depth: depth } : {}),
    ...(misconception === null ? {} : { key_misconception: misconception }),
    ...(problem.explained === false ? { explanation_missing: true } : {}),
    hint_sequence: problem.replies,
  }
}

function insights(problems: ReportedProblem[]): TeacherReport['insights'] {
  const about = (problem: ReportedProblem) =>
    problem.tags.length > 0 ? problem.tags : [`“${problem.text}”`]
  const weak = problems.filter(({ struggled, status }) => struggled || status === 'skipped')
  const weakTopics = new Set(weak.flatMap(about))
  const strong = problems.filter(({ signal }) => signal === 'mastered').flatMap(about)
  const strongTopics = new Set(strong.filter((topic) => !weakTopics.has(topic)))
  const misconceptions = [...countOf(problems.flatMap((problem) => problem.misconceptions))]
  const explained = problems.filter((problem) => problem.explained === true).length
  return {
    strengths: [
      ...[...strongTopics].map((topic) => `Right at the first try: ${topic}`),
      ...(explained > 0 ? [`Explained ${explained} of ${problems.length} solutions`] : []),
    ],
    weaknesses: [
      ...[...weakTopics].map((topic) => `Struggled with: ${topic}`),
      ...misconceptions.map(([tag, count]) => mistakeInWords(tag, count)),
    ],
    recommended_next_steps: [
      ...[...weakTopics].map((topic) => `Practise again: ${topic}`),
      ...problems
        .filter((problem) => problem.explained === false)
        .map((problem) => `Ask for an explanation of “${problem.text}”`),
    ],
  }
}

/** A kind of wrong answer, as a line to be read: tags are written with underscores where they come from a course. */
function mistakeInWords(tag: string, count: number): string {
  if (tag === NO_KNOWN_MISTAKE) {
    return count === 1
      ? 'One wrong answer that shows no pattern'
      : `${count} wrong answers that show no pattern`
  }
  const times = count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
  return `Wrong ${times} in this way: ${tag.replaceAll('_', ' ')}`
}

/** How often each item occurs, the most frequent first. */
export function countOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

const mostFrequent = (items: readonly string[]): string | null =>
  [...countOf(items).keys()][0] ?? null

const share = (part: number, whole: number) =>
  whole === 0 ? '0%' : `${Math.round((100 * part) / whole)}%`

/** "20m 15s" */
function duration(ms: number): string {
  const total = seconds(ms)
  return `${Math.floor(total / 60)}m ${total % 60}s`
}
