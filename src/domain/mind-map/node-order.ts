import { compareLabels } from './label.ts'
import type { MindMapNode } from './mind-map.ts'

type Placed = Pick<MindMapNode, 'depth' | 'effortMinutes' | 'label' | 'sequence'>

/** The order in which concepts are listed: by depth, then effort, then label. */
export function byDepthEffortLabel(a: Placed, b: Placed): number {
  return a.depth - b.depth || a.effortMinutes - b.effortMinutes || compareLabels(a.label, b.label)
}

/** The stored learning order; nodes without a place come last and keep their order in a stable sort. */
export function bySequence(a: Placed, b: Placed): number {
  if (a.sequence === null || b.sequence === null) {
    return Number(a.sequence === null) - Number(b.sequence === null)
  }
  return a.sequence - b.sequence
}
