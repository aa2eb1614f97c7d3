import fc from 'fast-check'
import { next } from '../../../src/domain/practice/next.ts'
import { newSession, type PracticeState } from '../../../src/domain/practice/session.ts'
import type { Classification, PracticeEvent, Turn } from '../../../src/domain/practice/turn.ts'

export const START = Date.UTC(2026, 0, 5, 9)

const category = fc.constantFrom<Classification['category']>(
  'correct',
  'close',
  'wrong_operation',
  'conceptual_question',
  'stuck',
  'off_topic',
  'scaffold_progress',
  'teach_back_explanation',
  'skip',
  'unjudged',
)

export const classification = fc
  .tuple(category, fc.boolean(), fc.boolean())
  .map(([kind, isMainAttempt, answersBoth]) => ({ category: kind, isMainAttempt, answersBoth }))

type Move =
  | { do: 'say'; afterMs: number; said: Classification }
  | { do: 'wait'; afterMs: number }
  | { do: 'late'; said: Classification }
  | { do: 'append'; afterMs: number; id: number }

const pause = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 120_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * 3_600_000 }) },
)

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('say'), afterMs: pause, said: classification }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait'), afterMs: pause }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('late'), said: classification }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('append'),
      afterMs: pause,
      id: fc.integer({ min: 1, max: 6 }),
    }),
  },
) as fc.Arbitrary<Move>

/** A conversation of any length, in an explicit or implicit session of one to five problems. */
export const conversation = fc.record({
  problems: fc.integer({ min: 1, max: 5 }),
  implicit: fc.boolean(),
  moves: fc.array(move, { maxLength: 40 }),
})

export interface Played {
  state: PracticeState
  /** The turns as they stand in the end: a late verdict replaces its turn. */
  turns: Turn[]
  /** Every state on the way, the first one included. */
  states: PracticeState[]
  at: number
}

/** Plays a conversation from its beginning; after the end of the session nothing more is said. */
export function play({
  problems,
  implicit,
  moves,
}: {
  problems: number
  implicit: boolean
  moves: Move[]
}): Played {
  const ids = Array.from({ length: problems }, (_, index) => `p${index + 1}`)
  const played: Played = {
    state: newSession(ids, implicit, START),
    turns: [],
    states: [],
    at: START,
  }
  played.states.push(played.state)
  for (const [index, step] of moves.entries()) {
    if (played.state.status === 'completed') break
    const event = eventOf(step, played, index)
    if (event) apply(played, event)
  }
  return played
}

export function apply(played: Played, event: PracticeEvent): Turn | null {
  const { state, turn } = next(played.state, event)
  played.state = state
  played.states.push(state)
  if (turn?.late) played.turns[turn.number - 1] = turn
  else if (turn) played.turns.push(turn)
  return turn
}

function eventOf(step: Move, played: Played, index: number): PracticeEvent | null {
  if ('afterMs' in step) played.at += step.afterMs
  const { at, state } = played
  switch (step.do) {
    case 'say':
      return { type: 'message', at, messageId: `m${index}`, classification: step.said }
    case 'wait':
      return { type: 'clock', at }
    case 'late': {
      const waiting = state.unjudged[0]
      if (!waiting) return null
      return { type: 'late', messageId: waiting.messageId, classification: step.said }
    }
    case 'append':
      return state.implicit ? { type: 'append', at, problemId: `p${step.id}` } : null
  }
}
