import { tick, wakeUp } from './clock.ts'
import { complete, leave, skip, teachBack, tell, work } from './problem-work.ts'
import {
  type Category,
  currentProblem,
  IMPLICIT_END_AFTER_MS,
  type Mode,
  modeOf,
  newProblem,
  OFFER_SKIP_AFTER_MS,
  openProblem,
  type PracticeState,
  remember,
} from './session.ts'
import type { Classification, PracticeEvent, Step, Turn } from './turn.ts'

/**
 * The session after an event (rules of seed 002 §3.5): a pure function, `state` is left as it is. A completed session
 * changes no more. Every message leads on: skipping always advances, and no state is without a way out.
 */
export function next(before: PracticeState, event: PracticeEvent): Step {
  if (before.status === 'completed') return { state: before, turn: null }
  const state = copy(before)
  switch (event.type) {
    case 'message':
      return onMessage(before, state, event)
    case 'late':
      return onLate(before, state, event)
    case 'append':
      appendProblem(state, event.problemId, event.at)
      return { state, turn: null }
    case 'clock':
      onClock(state, event.at)
      return { state, turn: null }
    case 'complete':
      tick(state, event.at)
      complete(state, event.at)
      return { state, turn: null }
  }
}

const copy = (state: PracticeState): PracticeState => JSON.parse(JSON.stringify(state))

function onMessage(
  before: PracticeState,
  state: PracticeState,
  { at, messageId, classification }: Extract<PracticeEvent, { type: 'message' }>,
): Step {
  tick(state, at)
  wakeUp(state, at)
  state.turns += 1
  const turn = takeTurn(state, { number: state.turns, messageId, at, late: false }, classification)
  if (turn.category === 'unjudged' && turn.problemIndex !== null) {
    const { problemIndex } = turn
    state.unjudged.push({ messageId, turn: turn.number, at, problemIndex })
  }
  if (turn.talk === 'leave' && state.status === 'active') state.status = 'paused'
  turn.transitions = transitionsOf(before, state)
  return { state, turn }
}

/** A verdict that still finds its problem open, and unanswered, is applied as if it had come in time. */
function onLate(
  before: PracticeState,
  state: PracticeState,
  { messageId, classification }: Extract<PracticeEvent, { type: 'late' }>,
): Step {
  const waiting = state.unjudged.find((unjudged) => unjudged.messageId === messageId)
  state.unjudged = state.unjudged.filter((unjudged) => unjudged !== waiting)
  const mode = modeOf(state)
  const isOver = waiting?.problemIndex !== state.index || mode === 'teach-back' || mode === 'idle'
  if (!waiting || isOver || classification.category === 'unjudged') return { state, turn: null }
  const { at, turn: number } = waiting
  const turn = takeTurn(state, { number, messageId, at, late: true }, classification)
  turn.transitions = transitionsOf(before, state)
  return { state, turn }
}

type Taking = Pick<Turn, 'number' | 'messageId' | 'late'> & { at: number }

function takeTurn(state: PracticeState, taking: Taking, said: Classification): Turn {
  const { at, ...identity } = taking
  const mode = modeOf(state)
  const invited = state.invited
  const turn: Turn = {
    ...identity,
    ...admissible(said, mode, invited !== null),
    mode,
    action: 'CONTINUE',
    problemIndex: mode === 'idle' ? null : state.index,
    signal: null,
    attempts: 0,
    depth: 0,
    teachBack: null,
    putsMainAgain: false,
    hint: null,
    skipOffered: false,
    alerts: [],
    opened: null,
    completed: false,
    transitions: {},
    talk: null,
  }
  if (turn.category === 'off_topic') turn.talk = said.talk ?? null
  state.invited = null
  if (!turn.late) remember(state, turn.number)
  const problem = currentProblem(state)
  if (turn.category === 'teach_back_explanation' && mode !== 'teach-back') {
    explain(state, turn, invited)
  } else if (problem) {
    if (turn.category === 'unjudged') problem.unread = (problem.unread ?? 0) + 1
    else if (turn.category === 'skip') skip(state, problem, turn, at)
    else if (turn.talk === 'leave') turn.teachBack = mode === 'teach-back' ? 'open' : null
    else if (mode === 'teach-back') teachBack(state, problem, turn, at)
    else work(state, problem, turn, said, at)
  }
  if (problem) tell(problem, turn)
  turn.completed = state.status === 'completed'
  return turn
}

/** The explanation that was invited with an advance: it belongs to the problem before. */
function explain(state: PracticeState, turn: Turn, invited: number | null): void {
  const previous = invited === null ? undefined : state.problems[invited]
  if (!previous || invited === null) return
  previous.explained = true
  turn.problemIndex = invited
  turn.teachBack = 'ended'
}

/** The category as the mode allows it (the routes of seed 002). */
function admissible(
  { category, isMainAttempt }: Classification,
  mode: Mode,
  invited: boolean,
): Pick<Turn, 'category' | 'isMainAttempt'> {
  const plain = (kept: Category) => ({ category: kept, isMainAttempt: false })
  if (category === 'skip' && mode !== 'idle') return plain('skip')
  if (mode === 'idle') {
    const explains = category === 'teach_back_explanation' && invited
    return plain(explains ? category : 'off_topic')
  }
  if (category === 'conceptual_question' || category === 'off_topic') return plain(category)
  if (mode === 'teach-back') {
    if (category === 'teach_back_explanation') return plain(category)
    return plain(category === 'stuck' ? 'conceptual_question' : 'off_topic')
  }
  if (category === 'stuck' || category === 'unjudged') return plain(category)
  if (category === 'teach_back_explanation') {
    return plain(invited ? category : 'conceptual_question')
  }
  if (category === 'scaffold_progress') {
    return plain(mode === 'scaffold' ? category : 'conceptual_question')
  }
  if (mode === 'scaffold' && !isMainAttempt) {
    return plain(category === 'correct' ? 'scaffold_progress' : category)
  }
  return { category, isMainAttempt: true }
}

/** The caller has gone on to another problem: one still open is left behind. */
function appendProblem(state: PracticeState, problemId: string, at: number): void {
  if (state.problems.some((problem) => problem.id === problemId)) return
  tick(state, at)
  wakeUp(state, at)
  const open = currentProblem(state)
  if (open) {
    leave(open, at)
    state.index += 1
  }
  state.problems.push(newProblem(problemId))
  state.invited = null
  openProblem(state, at)
}

function onClock(state: PracticeState, at: number): void {
  tick(state, at)
  const problem = currentProblem(state)
  if (problem && problem.activeMs >= OFFER_SKIP_AFTER_MS) problem.skipDue = true
  if (state.implicit && at >= state.lastTurnAt + IMPLICIT_END_AFTER_MS) complete(state, at)
}

function transitionsOf(before: PracticeState, after: PracticeState): Turn['transitions'] {
  const seen = (state: PracticeState) => {
    const problem = state.problems[before.index]
    return {
      status: state.status,
      current_problem_index: state.index,
      scaffolding: problem?.scaffolding.active ?? false,
      scaffolding_depth: problem?.scaffolding.depth ?? 0,
      teach_back: problem?.teachBack.active ?? false,
      attempt_count: problem?.attempts ?? 0,
      mastery_signal: problem?.signal ?? null,
    }
  }
  const [from, to] = [seen(before), seen(after)]
  const keys = Object.keys(from) as (keyof typeof from)[]
  return Object.fromEntries(
    keys.filter((key) => from[key] !== to[key]).map((key) => [key, [from[key], to[key]]]),
  )
}
