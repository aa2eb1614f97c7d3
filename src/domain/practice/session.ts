/** What a student's message turned out to be (seed 002 §2.1); the first seven are the routes of a reply. */
export type Category =
  | 'correct'
  | 'close'
  | 'wrong_operation'
  | 'conceptual_question'
  | 'stuck'
  | 'off_topic'
  | 'scaffold_progress'
  | 'teach_back_explanation'
  | 'skip'
  | 'unjudged'

export type Action = 'ADVANCE' | 'CONTINUE' | 'INTERVENE'
export type MasterySignal = 'mastered' | 'learned' | 'struggling' | 'stuck'
export type SessionStatus = 'active' | 'paused' | 'completed'
export type ProblemStatus = 'pending' | 'in_progress' | 'completed' | 'skipped'

/** A session without a turn for so long is paused (seed 002 §1.2). */
export const PAUSE_AFTER_MS = 30 * 60_000
/** After so long on one problem skipping it is offered, once (seed 002 §3.5, rule 4). */
export const OFFER_SKIP_AFTER_MS = 10 * 60_000
/** An implicit session ends by itself so long after its last turn. */
export const IMPLICIT_END_AFTER_MS = 24 * 60 * 60_000
/** Wrong answers from which a student counts as struggling, and hints say more. */
export const STRUGGLING_AT = 3
/** Beyond this depth scaffolding that brings no progress calls the teacher. */
export const MAX_DEPTH = 3
const MEMORY = 15
const KEPT_FROM_PREVIOUS = 3

/** One problem of a session and how far the student has come with it. Times are UTC ms. */
export interface ProblemState {
  id: string
  status: ProblemStatus
  /** Main answers given. */
  attempts: number
  /** Main answers that were not correct. */
  wrong: number
  firstCategory: Category | null
  finalCategory: Category | null
  /** `asked`: a smaller question with an expected answer of its own is open; else the main question was put again. */
  scaffolding: {
    active: boolean
    depth: number
    deepest: number
    withoutProgress: number
    asked: boolean
  }
  /** How many times the student has said to be stuck. */
  stucks: number
  teachBack: { active: boolean; misses: number }
  /** Whether the student explained the solution; null while nobody has asked. */
  explained: boolean | null
  signal: MasterySignal | null
  /** Whether it was ever a struggle, however it ended. */
  struggled: boolean
  skipDue: boolean
  skipOffered: boolean
  /** Hints given so far. */
  hints: number
  /** Smaller questions of its own asked so far; absent in older states, as the next two. */
  smallers?: number
  /** Tags of the mistakes that were set right. */
  remedied?: string[]
  /** Whether the solution was shown while it was open. */
  shown?: boolean
  /** Messages on it that nobody could read in time. */
  unread?: number
  startedAt: number | null
  completedAt: number | null
  /** Milliseconds spent on it; time paused is not counted. */
  activeMs: number
}

/** A message that nobody could judge in time; its verdict is applied when it is there. */
export interface Unjudged {
  messageId: string
  turn: number
  at: number
  problemIndex: number
}

/** A practice session as plain JSON; with the texts in the store it is enough to go on from where it stopped. */
export interface PracticeState {
  v: 1
  status: SessionStatus
  /** Made by a caller that sends its problem along: grows with each new one, never completes by itself. */
  implicit: boolean
  problems: ProblemState[]
  /** The problem in hand; as many as there are problems when none is open. */
  index: number
  turns: number
  /** The turns the tutor remembers, oldest first. */
  memory: { turn: number; previous: boolean }[]
  /** After an advance at once: the problem whose explanation the next message may still be. */
  invited: number | null
  unjudged: Unjudged[]
  createdAt: number
  lastTurnAt: number
  completedAt: number | null
  /** Up to when time has been counted. */
  tickedAt: number
  activeMs: number
}

/** How a message is to be read. */
export type Mode = 'answer' | 'scaffold' | 'teach-back' | 'idle'

/** A session before its first turn. */
export function newSession(problemIds: readonly string[], implicit: boolean, at: number) {
  const state: PracticeState = {
    v: 1,
    status: 'active',
    implicit,
    problems: problemIds.map(newProblem),
    index: 0,
    turns: 0,
    memory: [],
    invited: null,
    unjudged: [],
    createdAt: at,
    lastTurnAt: at,
    completedAt: null,
    tickedAt: at,
    activeMs: 0,
  }
  openProblem(state, at)
  return state
}

export function newProblem(id: string): ProblemState {
  return {
    id,
    status: 'pending',
    attempts: 0,
    wrong: 0,
    firstCategory: null,
    finalCategory: null,
    scaffolding: { active: false, depth: 0, deepest: 0, withoutProgress: 0, asked: false },
    stucks: 0,
    teachBack: { active: false, misses: 0 },
    explained: null,
    signal: null,
    struggled: false,
    skipDue: false,
    skipOffered: false,
    hints: 0,
    smallers: 0,
    remedied: [],
    shown: false,
    startedAt: null,
    completedAt: null,
    activeMs: 0,
  }
}

/** The problem in hand, or null when none is open. */
export function currentProblem(state: PracticeState): ProblemState | null {
  return state.problems[state.index] ?? null
}

/** How the next message is to be read. */
export function modeOf(state: PracticeState): Mode {
  const problem = currentProblem(state)
  if (problem === null || state.status === 'completed') return 'idle'
  if (problem.teachBack.active) return 'teach-back'
  return problem.scaffolding.active ? 'scaffold' : 'answer'
}

/** Begins the problem in hand, if there is one: of the turns before it three stay in memory. Changes `state`. */
export function openProblem(state: PracticeState, at: number): void {
  const problem = currentProblem(state)
  if (problem === null) return
  problem.status = 'in_progress'
  problem.startedAt = at
  state.memory = state.memory
    .slice(-KEPT_FROM_PREVIOUS)
    .map(({ turn }) => ({ turn, previous: true }))
}

/** Adds the turn that has just been taken to what the tutor remembers. Changes `state`. */
export function remember(state: PracticeState, turn: number): void {
  state.memory = [...state.memory, { turn, previous: false }].slice(-MEMORY)
}
