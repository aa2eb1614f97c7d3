import { shownOf } from '../../domain/answers/program.ts'
import type { Effect } from '../../domain/arc/effects.ts'
import { type LoadedArc, phraseLanguage } from '../../domain/arc/state.ts'
import { pendingQuestionView } from '../../store/arc/arcs.ts'
import { messageView } from '../../store/arc/messages.ts'
import { blockedView, type EffectOf, type MessageToStore } from '../../store/arc/statements.ts'
import { nodeView } from '../../store/maps/view.ts'
import type { NewEvent } from '../../store/spine/events.ts'
import { phrase } from '../../tutor/phrases.ts'

/** The messages that a decision adds to the transcript, in order. */
export function messagesIn(
  arc: LoadedArc,
  effects: readonly Effect[],
  at: number,
): MessageToStore[] {
  return effects.flatMap((effect) => messageOf(arc, effect, at) ?? [])
}

function messageOf(arc: LoadedArc, effect: Effect, at: number): MessageToStore | null {
  if (effect.type === 'ask') return askedMessage(effect, at)
  if (effect.type !== 'say') return null
  const text = effect.say
    .map((part) => ('phrase' in part ? phrase(part, phraseLanguage(arc)) : part.text))
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

/** A question as it is asked, for its learner: without key, hints and solution. */
const questionView = ({
  question,
  nodeId,
  hintsGiven,
  ...asked
}: Pick<EffectOf<'ask'>, 'id' | 'kind' | 'nodeId' | 'question' | 'attempt' | 'hintsGiven'>) =>
  pendingQuestionView({
    ...asked,
    ...question,
    answer_key: question.key,
    node_id: nodeId,
    hints_given: hintsGiven,
  })

function askedMessage(effect: EffectOf<'ask'>, at: number): MessageToStore {
  const { format, options, key } = effect.question
  const { attempt } = effect
  return {
    id: effect.messageId,
    role: 'tutor',
    text: effect.question.text,
    card: { type: 'QUESTION', format, attempt, ...(options ? { options } : {}), ...shownOf(key) },
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
    const message = messageOf(arc, effect, at)
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

function eventOf(arc: LoadedArc, effect: Effect): NewEvent | null {
  const { state } = arc
  switch (effect.type) {
    case 'ask': {
      return { type: 'question', data: { ...questionView(effect) } }
    }
    case 'hint': {
      const { question: open } = arc.state
      if (!open || !arc.question || open.id !== effect.questionId) return null
      return { type: 'question', data: { ...questionView({ ...open, question: arc.question }) } }
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
