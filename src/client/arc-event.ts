import type {
  ArcMessage,
  ArcPhase,
  MindMapView,
  PendingQuestion,
  SubPhase,
} from '../contracts/arc.ts'

/** A node of the map as an event tells it: without its texts. */
export type ToldNode = Omit<MindMapView['nodes'][number], 'description' | 'inferred'>

export interface Nudge {
  id: string
  text: string
  expiresAt: string
}

/** What the stream of an arc tells; `delta` alone is not stored, so a broken connection can lose it. */
export type ArcEvent =
  | { type: 'message'; data: ArcMessage }
  | { type: 'delta'; data: Delta }
  | { type: 'phase'; data: { phase: ArcPhase; subPhase: SubPhase | null } }
  | { type: 'question'; data: PendingQuestion | null }
  | { type: 'node'; data: ToldNode }
  | { type: 'review'; data: { nodeIds: string[] } }
  | { type: 'nudge'; data: Nudge }
  /** More has changed than events tell. */
  | { type: 'reset'; data: object }

/** Text that is being written and may still change. */
export interface Draft {
  turnId: string
  attempt: number
  text: string
}

/** A piece of a draft; a higher attempt replaces what a lower one wrote. */
export interface Delta extends Draft {
  offset: number
}

/**
 * The draft with a piece put where it belongs. A piece that begins at 0 begins a text; a piece whose beginning was never
 * seen is left out, as the stored message will bring the whole.
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
