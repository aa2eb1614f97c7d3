import { randomUUID } from 'node:crypto'
import type { ArcCommit, Effect } from '../domain/arc/commit.ts'
import type { MindMapNode } from '../domain/mind-map/mind-map.ts'
import type { NewEvent } from './events.ts'
import { messageView, type ViewedMessage } from './messages.ts'

type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>

/** A question as a model step wrote it, ready to be stored under the id of its asking. */
export interface QuestionToStore {
  concept: string
  text: string
  format: 'multiple_choice' | 'short_answer'
  options: { id: string; text: string }[] | null
  key: unknown | null
  expected: string
  criteria: string
  difficulty: string
  hints: string[]
  solution: string | null
  mistakes: { answer: string; tag: string }[]
  source: string | null
}

/** The texts that a commit's effects point to, found before the transaction begins. */
export interface CommitTexts {
  say: Map<Effect, string>
  question: Map<Effect, QuestionToStore>
  descriptions: Map<string, string>
  facts: string[]
  diagnosis: { level: string; gaps: string[]; recommendations: string[] } | null
}

/** A message that a commit stores. */
export type ToldMessage = ViewedMessage & { step_key: string | null }

/** What the learner is told in a commit, in order: messages of the transcript, and events for whoever is watching. */
export function toldIn(
  { effects, at }: ArcCommit,
  texts: CommitTexts,
): { messages: ToldMessage[]; events: NewEvent[] } {
  const messages: ToldMessage[] = []
  const events: NewEvent[] = []
  for (const effect of effects) {
    if (effect.type === 'say' || effect.type === 'ask') {
      const message = messageOf(effect, texts, new Date(at))
      if (message.text) {
        messages.push(message)
        events.push({ type: 'message', data: messageView(message) })
      }
    }
    const event = eventOf(effect, texts)
    if (event) events.push(event)
  }
  const closed = effects.some(({ type }) => type === 'close')
  const asked = effects.some(({ type }) => type === 'ask')
  if (closed && !asked) events.push({ type: 'question', data: null })
  return { messages, events }
}

/** The text of a question that a commit puts to the learner. */
export function questionOf(texts: CommitTexts, ask: EffectOf<'ask'>): QuestionToStore {
  const question = texts.question.get(ask)
  if (!question) throw new Error('a question to ask has no text')
  return question
}

function messageOf(
  effect: EffectOf<'say'> | EffectOf<'ask'>,
  texts: CommitTexts,
  at: Date,
): ToldMessage {
  const common = {
    id: randomUUID(),
    node_id: effect.nodeId,
    phase: effect.phase,
    created_at: at,
  }
  if (effect.type === 'say') {
    return {
      ...common,
      role: effect.from,
      text: texts.say.get(effect) ?? '',
      card: effect.card && { ...effect.card },
      question_id: null,
      step_key: stepOf(effect),
      replaces: effect.replaces,
    }
  }
  const { text, format, options } = questionOf(texts, effect)
  return {
    ...common,
    role: 'tutor',
    text,
    card: { type: 'QUESTION', format, ...(options ? { options } : {}) },
    question_id: effect.id,
    step_key: null,
    replaces: null,
  }
}

/** The model step that wrote the message, if one did. */
function stepOf({ say }: EffectOf<'say'>): string | null {
  for (const part of say) if ('step' in part) return part.step
  return null
}

function eventOf(effect: Effect, texts: CommitTexts): NewEvent | null {
  switch (effect.type) {
    case 'ask': {
      const { text, format, options } = questionOf(texts, effect)
      const { id, kind, nodeId } = effect
      const shown = { ...(options ? { options } : {}), ...(nodeId ? { nodeId } : {}) }
      return { type: 'question', data: { id, kind, text, format, ...shown } }
    }
    case 'phase':
      return { type: 'phase', data: { phase: effect.phase, subPhase: effect.subPhase } }
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

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

/** A node of the map as events and HTTP show it, without its description. */
export const nodeView = (node: MindMapNode) => ({
  id: node.id,
  label: node.label,
  depth: node.depth,
  sequence: node.sequence,
  masteryStatus: node.masteryStatus,
  masteryScore: node.masteryScore,
  easeFactor: node.easeFactor,
  repetitions: node.repetitions,
  intervalDays: node.intervalDays,
  nextReviewAt: iso(node.nextReviewAt),
  effortMinutes: node.effortMinutes,
  unitId: node.unitId,
  metadata: node.metadata,
})
