import { continueAsNew, defineQuery, defineSignal, setHandler } from '@temporalio/workflow'
import { FLOW_STATE_QUERY, type FlowState, SIGNAL } from '../contracts/temporal.ts'
import { Entity, type EntityInput, uncancelled } from './spine/entity.ts'
import { Signals } from './spine/signals.ts'

const userMessage = defineSignal<[]>(SIGNAL.userMessage)
const flowState = defineQuery<FlowState | null>(FLOW_STATE_QUERY)

/** What an operator may ask of an arc in the Temporal UI. */
const CONTROLS = [
  {
    signal: defineSignal<[payload?: unknown]>(SIGNAL.abandon),
    type: 'abandon',
    urgent: true,
    description: 'Close the arc for good: {reason}',
  },
  {
    signal: defineSignal<[payload?: unknown]>(SIGNAL.replan),
    type: 'replan',
    description: 'Look at the plan again: {reason?, goal?}',
  },
  {
    signal: defineSignal<[payload?: unknown]>(SIGNAL.reviewNow),
    type: 'review-now',
    description: 'Open the reviews that are due',
  },
  {
    signal: defineSignal<[payload?: unknown]>(SIGNAL.pause),
    type: 'pause',
    description: 'Keep the place and stay quiet',
  },
  {
    signal: defineSignal<[payload?: unknown]>(SIGNAL.resume),
    type: 'resume',
    description: 'Go on after a pause',
  },
]

/**
 * PENDING → DIAGNOSING → PLANNING → TEACHING → QUIZZING → REVIEWING → COMPLETED: one learner, one topic, for months (seed
 * 000 D3). The rules are in `src/domain/arc`, the place is in the store; here are time, signals, and what is slow.
 */
export async function learningArc(input: EntityInput): Promise<FlowState | null> {
  const cancelled = { type: 'abandon', payload: { reason: 'cancelled by an operator' } }
  const arc = new Entity('arc', input, new Signals([userMessage], CONTROLS, cancelled))
  setHandler(flowState, () => arc.query as FlowState | null)
  return uncancelled(async () => {
    await arc.advance()
    for (;;) {
      switch (arc.phase) {
        case 'PENDING':
        case 'DIAGNOSING':
        case 'PLANNING':
        case 'TEACHING':
        case 'QUIZZING':
          await arc.wait('until it is tried again')
          break
        case 'REVIEWING': // asleep, for days or months
          await arc.wait('until the next review')
          break
        default: // COMPLETED, ABANDONED
          if (arc.isOver) {
            arc.end()
            return arc.query as FlowState | null
          }
          await arc.wait('until all is told')
      }
      if (arc.isOver) continue
      if (arc.isQuiet) await continueAsNew<typeof learningArc>({ id: input.id, shown: arc.shown })
      await arc.advance()
    }
  })
}
