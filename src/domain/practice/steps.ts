import type { WantedStep } from '../spine/decision.ts'
import type { AskedMessage, Delivery, OpenTurn, Practice } from './state.ts'

/** A step that a session wants, with what it is about. */
export type SessionStep =
  | { kind: 'verdict'; step: WantedStep; message: AskedMessage }
  | { kind: 'reply'; step: WantedStep; open: OpenTurn }
  /** Code looks up what the material says to a question. */
  | { kind: 'passage'; step: WantedStep; open: OpenTurn }
  | { kind: 'deliver'; step: WantedStep; delivery: Delivery }

const VERDICT = { queue: 'meno-llm', startToCloseMs: 60_000, attempts: 3 } as const
const REPLY = { queue: 'meno-llm', startToCloseMs: 6_000, attempts: 2 } as const
/** Tried again by the session itself, ever more rarely: an errand may take a day. */
const ERRAND = { queue: 'meno', startToCloseMs: 30_000, attempts: 1 } as const

/** What a session waits for: verdicts, the reply of the open turn, its report's delivery. */
export function stepsOf({ sessionId, state }: Practice): SessionStep[] {
  const { turn: open, asked, delivery } = state
  const key = (...parts: (string | number)[]) => ['practice', sessionId, ...parts].join('/')
  const steps: SessionStep[] = asked
    .filter(({ verdict }) => verdict === null)
    .map((message) => ({
      kind: 'verdict',
      step: { ...VERDICT, key: key(message.turn, 'verdict'), label: 'verdict' },
      message,
    }))
  if (open?.waitsFor === 'reply') {
    const label = `reply: ${open.taken.at(-1)?.turn.category}`
    steps.push({
      kind: 'reply',
      step: { ...REPLY, key: key(open.message.turn, 'reply'), label },
      open,
    })
  }
  if (open?.waitsFor === 'passage') {
    const step = { ...ERRAND, key: key(open.message.turn, 'passage'), label: 'passage' }
    steps.push({ kind: 'passage', step, open })
  }
  if (delivery?.status === 'pending' && delivery.nextAt === null) {
    steps.push({
      kind: 'deliver',
      step: {
        ...ERRAND,
        key: key('delivery', delivery.id, delivery.tries + 1),
        label: 'report to the LMS',
      },
      delivery,
    })
  }
  return steps
}
