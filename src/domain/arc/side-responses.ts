import { applySideResponse } from '../mastery/status.ts'
import type { StoredInput } from '../spine/decision.ts'
import type { Arc } from './arc.ts'
import { noteMistake } from './recurring-mistakes.ts'

/** An answer that was given elsewhere, about a unit of the course that the arc teaches. */
export interface SideResponse {
  unitId: string
  question: string
  answer: string
  /** 0 to 5. */
  quality: number
  /** What it was. */
  notes: string
  /** The misconception of the course that it gave away, with what is believed by whoever has it. */
  mistake?: { tag: string; belief: string } | null
}

/** Counts an answer to a drill or an exam for its concept, without a turn: status, dates and place stay. */
export function takeSideResponse(arc: Arc, { id, payload }: StoredInput): void {
  const response = payload as unknown as SideResponse
  const found = arc.map.nodes.find(({ unitId }) => unitId === response.unitId)
  if (found) {
    const { node, history } = applySideResponse(found, arc.history(found.id), response.quality)
    arc.setNode(node, history)
    if (response.mistake) noteMistake(arc, response.mistake, found.label)
    arc.record({ type: 'side-response', inputId: id, nodeId: found.id, response })
  }
  arc.record({ type: 'answered', inputId: id })
}
