import {
  currentProblem,
  MAX_DEPTH,
  OFFER_SKIP_AFTER_MS,
  openProblem,
  type PracticeState,
  type ProblemState,
  STRUGGLING_AT,
} from './session.ts'
import type { Classification, Turn } from './turn.ts'

/** Skipping is possible everywhere; a solved problem whose explanation is skipped is learned. */
export function skip(state: PracticeState, problem: ProblemState, turn: Turn, at: number): void {
  if (problem.teachBack.active) {
    endTeachBack(state, problem, turn, at, false)
    return
  }
  problem.status = 'skipped'
  problem.finalCategory = 'skip'
  advance(state, problem, turn, at)
}

/** While the explanation is wanted: it ends with one, or with the second message that is none. */
export function teachBack(
  state: PracticeState,
  problem: ProblemState,
  turn: Turn,
  at: number,
): void {
  const explains = turn.category === 'teach_back_explanation'
  if (!explains) problem.teachBack.misses += 1
  if (explains || problem.teachBack.misses > 1) {
    endTeachBack(state, problem, turn, at, explains)
  } else {
    turn.teachBack = 'open'
  }
}

function endTeachBack(
  state: PracticeState,
  problem: ProblemState,
  turn: Turn,
  at: number,
  explained: boolean,
): void {
  problem.explained = explained
  turn.teachBack = 'ended'
  learn(problem)
  advance(state, problem, turn, at)
}

function learn(problem: ProblemState): void {
  problem.teachBack.active = false
  problem.explained ??= false
  problem.signal = 'learned'
  problem.status = 'completed'
}

/** An attempt at the problem, or a step of scaffolding; questions and remarks change nothing. */
export function work(
  state: PracticeState,
  problem: ProblemState,
  turn: Turn,
  said: Classification,
  at: number,
): void {
  const talks = turn.category === 'conceptual_question' || turn.category === 'off_topic'
  if (turn.isMainAttempt) attempt(state, problem, turn, at)
  else if (!talks) scaffold(problem, turn, said.answersBoth === true)
}

function attempt(state: PracticeState, problem: ProblemState, turn: Turn, at: number): void {
  const { scaffolding } = problem
  problem.attempts += 1
  problem.firstCategory ??= turn.category
  problem.finalCategory = turn.category
  if (turn.category === 'correct') {
    const unaided = scaffolding.deepest === 0
    scaffolding.active = false
    scaffolding.asked = false
    if (problem.shown) {
      problem.status = 'skipped'
      advance(state, problem, turn, at)
    } else if (problem.attempts === 1 && unaided) {
      problem.signal = 'mastered'
      problem.status = 'completed'
      const index = state.index
      advance(state, problem, turn, at)
      if (state.status === 'completed') return
      state.invited = index
      turn.teachBack = 'invited'
    } else {
      problem.teachBack = { active: true, misses: 0 }
      turn.teachBack = 'opened'
    }
    return
  }
  problem.wrong += 1
  turn.hint = problem.hints++
  if (problem.wrong >= STRUGGLING_AT) warn(problem, turn, 'struggling')
}

function scaffold(problem: ProblemState, turn: Turn, answersBoth: boolean): void {
  const { scaffolding } = problem
  const isProgress = turn.category === 'scaffold_progress'
  scaffolding.active = true
  scaffolding.depth += 1
  scaffolding.deepest = Math.max(scaffolding.deepest, scaffolding.depth)
  scaffolding.withoutProgress = isProgress ? 0 : scaffolding.withoutProgress + 1
  scaffolding.asked = false
  turn.putsMainAgain = answersBoth
  turn.hint = problem.hints++
  if (turn.category === 'stuck') problem.stucks += 1
  const isTooDeep = scaffolding.depth > MAX_DEPTH && scaffolding.withoutProgress > 1
  const isStuck = turn.category === 'stuck' && problem.stucks > 2
  if (isTooDeep || isStuck) {
    turn.action = 'INTERVENE'
    warn(problem, turn, 'stuck')
  }
}

/** The teacher is told the first time; being stuck outweighs struggling. */
function warn(problem: ProblemState, turn: Turn, signal: 'struggling' | 'stuck'): void {
  problem.struggled = true
  if (problem.signal === 'stuck' || problem.signal === signal) return
  problem.signal = signal
  turn.alerts.push(signal)
}

function advance(state: PracticeState, problem: ProblemState, turn: Turn, at: number): void {
  problem.completedAt = at
  problem.scaffolding.active = false
  turn.action = 'ADVANCE'
  state.index += 1
  if (state.index < state.problems.length) {
    openProblem(state, at)
    turn.opened = state.index
  } else if (!state.implicit) {
    complete(state, at)
  }
}

/** What the turn says about the problem it belonged to, and whether skipping is offered. */
export function tell(problem: ProblemState, turn: Turn): void {
  const isOpen = turn.action !== 'ADVANCE' && turn.talk !== 'leave'
  const isLong = problem.activeMs >= OFFER_SKIP_AFTER_MS && !problem.skipOffered
  if (isOpen && (turn.action === 'INTERVENE' || isLong)) {
    turn.skipOffered = true
    problem.skipOffered = true
    problem.skipDue = true
  }
  turn.signal = problem.signal
  turn.attempts = problem.attempts
  turn.depth = problem.scaffolding.depth
}

/** A problem that is left behind: learned if it was solved, else skipped. Changes `problem`. */
export function leave(problem: ProblemState, at: number): void {
  if (problem.teachBack.active) learn(problem)
  else problem.status = 'skipped'
  problem.completedAt = at
  problem.scaffolding.active = false
}

/** Ends the session; a problem that was solved and not explained yet is learned. Changes `state`. */
export function complete(state: PracticeState, at: number): void {
  const open = currentProblem(state)
  if (open?.teachBack.active) {
    learn(open)
    open.completedAt = at
  }
  state.status = 'completed'
  state.completedAt = at
  state.invited = null
  state.unjudged = []
}
