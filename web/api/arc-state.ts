import {
  type ArcEvent,
  type Draft,
  type Nudge,
  type ToldNode,
  withDelta,
} from '../../src/client/arc-event.ts'
import type { ArcMessage, ArcView, MindMapView } from '../../src/contracts/arc.ts'
import { isTerminal } from '../../src/domain/arc/phase.ts'
import { progressOf } from '../../src/domain/mastery/band.ts'
import { frontier, nextNode } from '../../src/domain/mind-map/frontier.ts'
import type { MindMap } from '../../src/domain/mind-map/mind-map.ts'
import { earliestReview } from '../../src/domain/spaced-repetition/due-reviews.ts'

/** What the page knows of an arc; what is undefined has not been read yet. */
export interface ArcState {
  arc: ArcView | undefined
  messages: ArcMessage[] | undefined
  mindMap: MindMapView | undefined
  draft: Draft | null
  nudge: Nudge | null
}

export type Part = 'arc' | 'messages' | 'mindMap'

/**
 * Applies events in order. `refetch` names what has to be read again because the events do not carry it: after a reset
 * everything; the arc where a turn ended without a question, as it may be paused, blocked or over now.
 */
export function applyEvents(
  state: ArcState,
  events: readonly ArcEvent[],
): { state: ArcState; refetch: Set<Part> } {
  const refetch = new Set<Part>()
  const applied = events.reduce((before, event) => applyEvent(before, event, refetch), state)
  const asked = events.findLastIndex(({ type, data }) => type === 'question' && data !== null)
  if (events.some((event, at) => at > asked && endsTurn(event))) refetch.add('arc')
  return { state: applied, refetch }
}

/** Whether a turn that asks nothing may have ended with the event. */
const endsTurn = ({ type, data }: ArcEvent): boolean =>
  type === 'phase' || type === 'review' || (type === 'message' && data.role !== 'learner')

function applyEvent(state: ArcState, event: ArcEvent, refetch: Set<Part>): ArcState {
  switch (event.type) {
    case 'message':
      return withMessage(state, event.data)
    case 'delta':
      return { ...state, draft: withDelta(state.draft, event.data) }
    case 'phase':
      if (isTerminal(event.data.phase)) refetch.add('mindMap')
      return withArc(state, event.data)
    case 'question':
      return withQuestion(state, event.data)
    case 'node':
      if (!state.mindMap) refetch.add('arc')
      return withNode(state, event.data)
    case 'nudge':
      return { ...state, nudge: event.data }
    case 'reset':
      refetch.add('arc').add('messages').add('mindMap')
      return { ...state, draft: null }
    default:
      return state
  }
}

/** While a message of the learner is being answered nothing is asked. */
function withMessage(state: ArcState, message: ArcMessage): ArcState {
  const messages = state.messages && mergeMessages(state.messages, [message])
  if (message.role !== 'learner') return { ...state, messages, draft: null }
  return { ...withArc(state, { pendingQuestion: null }), messages }
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
 * The last page of a transcript as it was read, with what was known around it: older pages before it, and what an event
 * brought meanwhile behind it. Where nothing joins the two, what is older is dropped, to be read again.
 */
export function withLastPage(
  page: readonly ArcMessage[],
  known: readonly ArcMessage[],
): ArcMessage[] {
  const inPage = new Set(page.map(({ id }) => id))
  const first = known.findIndex(({ id }) => inPage.has(id))
  const last = known.findLastIndex(({ id }) => inPage.has(id))
  const newest = page.at(-1)
  const newer = known.slice(last + 1)
  if (first >= 0) return [...known.slice(0, first), ...page, ...newer]
  return [...page, ...newer.filter(({ createdAt }) => createdAt > (newest?.createdAt ?? ''))]
}

function withArc(state: ArcState, change: Partial<ArcView>): ArcState {
  return state.arc ? { ...state, arc: { ...state.arc, ...change } } : state
}

/** Who asks is neither paused, resting nor blocked, and has the concept of the question in hand. */
function withQuestion(state: ArcState, question: ArcView['pendingQuestion']): ArcState {
  if (question === null) return withArc(state, { pendingQuestion: null })
  const node = state.mindMap?.nodes.find(({ id }) => id === question.nodeId)
  return withArc(state, {
    pendingQuestion: question,
    paused: false,
    resting: false,
    blocked: null,
    ...(node ? { currentNode: { id: node.id, label: node.label } } : {}),
  })
}

/** A concept changed, and with it what can be learned now, how much is mastered, and the next review. */
function withNode(state: ArcState, told: ToldNode): ArcState {
  const { arc, mindMap } = state
  if (!mindMap || !arc) return state
  const nodes = mindMap.nodes.map((known) => (known.id === told.id ? { ...known, ...told } : known))
  const map = domainMap({ ...mindMap, nodes })
  const open = frontier(map, arc.settings.unlockAt).map(({ id }) => id)
  const nextNodeId = nextNode(map, arc.settings.unlockAt)?.id ?? null
  const progress = progressOf(nodes)
  const { mastered, total } = progress
  const pct = Math.round((mastered / total) * 100) / 100
  const reviewAt = isTerminal(arc.phase) ? null : earliestReview(map)
  return withArc(
    { ...state, mindMap: { ...mindMap, nodes, frontier: open, nextNodeId } },
    {
      mastery: { mastered, total, pct },
      progress,
      nextReviewAt: reviewAt === null ? null : new Date(reviewAt).toISOString(),
    },
  )
}

const domainMap = ({ mindMap, nodes, edges }: MindMapView): MindMap => ({
  ...{ id: mindMap.id, status: mindMap.status, rootNodeId: mindMap.rootNodeId, edges },
  nodes: nodes.map((node) => ({
    ...node,
    nextReviewAt: node.nextReviewAt === null ? null : Date.parse(node.nextReviewAt),
    ...{ lastReviewedAt: null, masteredAt: null },
  })),
})
