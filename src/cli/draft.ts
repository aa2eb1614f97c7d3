/** A piece of a text that the tutor is writing; a higher attempt replaces what a lower one wrote. */
export interface Delta {
  turnId: string
  attempt: number
  offset: number
  text: string
}

export interface Draft {
  turnId: string
  attempt: number
  text: string
}

/** The draft with the piece in its place; a piece whose beginning was never seen is left out. */
export function withDelta(draft: Draft | null, delta: Delta): Draft | null {
  const { turnId, attempt, offset, text } = delta
  const isSame = draft?.turnId === turnId && draft.attempt === attempt
  if (isSame && offset <= draft.text.length) {
    return { turnId, attempt, text: draft.text.slice(0, offset) + text }
  }
  const isStale = draft?.turnId === turnId && draft.attempt > attempt
  return offset === 0 && !isStale ? { turnId, attempt, text } : draft
}
