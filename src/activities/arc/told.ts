import { shownOf } from '../../domain/answers/program.ts'
import type { Effect } from '../../domain/arc/effects.ts'
import type { LoadedArc } from '../../domain/arc/state.ts'
import { messageView } from '../../store/arc/messages.ts'
import { blockedView, type EffectOf, type MessageToStore } from '../../store/arc/statements.ts'
import { nodeView } from '../../store/maps/view.ts'
import type { NewEvent } from '../../store/spine/events.ts'
import { phrase } from '../../tutor/phrases.ts'

/** The messages that a decision adds to the transcript, in order. */
export function messagesIn(effects: readonly Effect[], at: number): MessageToStore[] {
  return effects.flatMap((effect) => messageOf(effect, at) ?? [])
}

function messageOf(effect: Effect, at: number): MessageToStore | null {
  if (effect.type === 'ask') return askedMessage(effect, at)
  if (effect.type !== 'say') return null
  const text = effect.say
    .map((part) => ('phrase' in part ? phrase(part) : part.text))
    .filter((part) => part !== '')
    .join('\n\n')
  if (text === '') return null
  return {
    id: effect.id,
    role: effect.from,
    text,
    card: effect.card && { ...effect.card },
    node_id: effect.nodeId,
    question_id: null,
    replaces: effect.replaces,
    phase: effect.phase,
    created_at: new Date(at),
    turn: effect.turn,
    step_key: effect.stepKey,
  }
}

function askedMessage(effect: EffectOf<'ask'>, at: number): MessageToStore {
  const { text, format, options, key } = effect.question
  return {
    id: effect.messageId,
    role: 'tutor',
    text,
    card: { type: 'QUESTION', format, ...(options ? { options } : {}), ...shownOf(key) },
    node_id: effect.nodeId,
    question_id: effect.id,
    replaces: null,
    phase: effect.phase,
    created_at: new Date(at),
    turn: effect.turn,
    step_key: null,
  }
}

/** What whoever watches the arc hears of a decision, in order. */
export function eventsIn(arc: LoadedArc, effects: readonly Effect[], at: number): NewEvent[] {
  const events = effects.flatMap((effect) => {
    const message = messageOf(effect, at)
    const event = eventOf(arc, effect)
    return [
      ...(message ? [{ type: 'message', data: messageView(message) }] : []),
      ...(event ? [event] : []),
    ]
  })
  const closed = effects.some(({ type }) => type === 'close')
  const asked = effects.some(({ type }) => type === 'ask')
  return closed && !asked ? [...events, { type: 'question', data: null }] : events
}

function eventOf({ state }: LoadedArc, effect: Effect): NewEvent | null {
  switch (effect.type) {
    case 'ask': {
      const { text, format, options, key } = effect.question
      const { id, kind, nodeId } = effect
      const shown = {
        ...(options ? { options } : {}),
        ...shownOf(key),
        ...(nodeId ? { nodeId } : {}),
      }
      return { type: 'question', data: { id, kind, text, format, ...shown } }
    }
    case 'phase':
      return { type: 'phase', data: { phase: effect.phase, subPhase: effect.subPhase } }
    case 'blocked': {
      const { phase, subPhase, blocked } = state
      return {
        type: 'phase',
        data: { phase, subPhase, blocked: blocked ? blockedView(blocked) : null },
      }
    }
    case 'node':
      return { type: 'node', data: nodeView(effect.node) }
    case 'plan':
    case 'extend':
      return { type: 'reset', data: {} }
    case 'review-open':
      return { type: 'review', data: { nodeIds: effect.nodeIds } }
    default:
      return null
  }
}
