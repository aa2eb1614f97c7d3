import type {
  ArcMessage,
  ArcPhase,
  ArcView,
  MindMapView,
  SubPhase,
} from '../../src/contracts/arc.ts'
import type { ServerEvent } from './event-stream.ts'

/** Text that is being written and may still change. */
export interface Draft {
  turnId: string
  attempt: number
  text: string
}

export interface Nudge {
  id: string
  text: string
  expiresAt: string
}

/** What the page knows of an arc; what is undefined has not been read yet. */
export interface ArcState {
  arc: ArcView | undefined
  messages: ArcMessage[] | undefined
  mindMap: MindMapView | undefined
  draft: Draft | null
  nudge: Nudge | null
}

export type Part = 'arc' | 'messages' | 'mindMap'

interface Delta extends Draft {
  offset: number
}

/** Applies events in order. `refetch` names what the events have made out of date. */
export function applyEvents(
  state: ArcState,
  events: readonly ServerEvent[],
): { state: ArcState; refetch: Set<Part> } {
  const refetch = new Set<Part>()
  const applied = events.reduce((before, event) => applyEvent(before, event, refetch), state)
  return { state: applied, refetch }
}

function applyEvent(state: ArcState, event: ServerEvent, refetch: Set<Part>): ArcState {
  switch (event.type) {
    case 'message':
      refetch.add('arc')
      return withMessage(state, event.data as ArcMessage)
    case 'delta':
      return { ...state, draft: withDelta(state.draft, event.data as Delta) }
    case 'phase':
      refetch.add('arc').add('mindMap')
      return withArc(state, event.data as { phase: ArcPhase; subPhase: SubPhase | null })
    case 'question':
      refetch.add('arc')
      return withArc(state, { pendingQuestion: event.data as ArcView['pendingQuestion'] })
    case 'node':
      refetch.add('arc').add('mindMap')
      return withNode(state, event.data as Partial<MindMapView['nodes'][number]>)
    case 'review':
      refetch.add('arc').add('mindMap')
      return state
    case 'nudge':
      return { ...state, nudge: event.data as Nudge }
    case 'reset':
      refetch.add('arc').add('messages').add('mindMap')
      return { ...state, draft: null }
    default:
      return state
  }
}

function withMessage(state: ArcState, message: ArcMessage): ArcState {
  const messages = state.messages && mergeMessages(state.messages, [message])
  return { ...state, messages, draft: message.role === 'learner' ? state.draft : null }
}

/** Known messages in their order, changed where `incoming` has them again; the new ones after them. */
export function mergeMessages(
  known: readonly ArcMessage[],
  incoming: readonly ArcMessage[],
): ArcMessage[] {
  const byId = new Map(known.map((message) => [message.id, message]))
  for (const message of incoming) byId.set(message.id, message)
  return [...byId.values()]
}

/**
 * The draft with a piece put where it belongs. A piece that begins at 0 begins a text; a higher attempt replaces a lower
 * one; a piece whose beginning was never seen is left out, as the stored message will bring the whole.
 */
export function withDelta(draft: Draft | null, delta: Delta): Draft | null {
  const { turnId, attempt, offset, text } = delta
  const isSame = draft?.turnId === turnId && draft.attempt === attempt
  if (isSame && offset <= draft.text.length) {
    return { turnId, attempt, text: draft.text.slice(0, offset) + text }
  }
  const isStale = draft?.turnId === turnId && draft.attempt > attempt
  return offset === 0 && !isStale ? { turnId, attempt, text } : draft
}

function withArc(state: ArcState, change: Partial<ArcView>): ArcState {
  return state.arc ? { ...state, arc: { ...state.arc, ...change } } : state
}

function withNode(state: ArcState, node: Partial<MindMapView['nodes'][number]>): ArcState {
  const { mindMap } = state
  if (!mindMap) return state
  const nodes = mindMap.nodes.map((known) => (known.id === node.id ? { ...known, ...node } : known))
  return { ...state, mindMap: { ...mindMap, nodes } }
}
