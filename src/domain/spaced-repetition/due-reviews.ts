import { compareLabels } from '../mind-map/label.ts'
import { isSkipped, type MindMap, type MindMapNode } from '../mind-map/mind-map.ts'

export const REVIEWS_PER_SESSION = 20

/**
 * The reviews of one session (seed 000 D2, cost control): reviewing and mastered nodes of an
 * active map that are due, lowest ease first, then longest overdue.
 */
export function dueReviews(
  map: Pick<MindMap, 'status' | 'nodes'>,
  now: number,
  cap = REVIEWS_PER_SESSION,
): MindMapNode[] {
  if (map.status !== 'active') return []
  return map.nodes
    .flatMap((node) => (isDue(node, now) ? [{ node, dueAt: node.nextReviewAt ?? now }] : []))
    .sort(
      (a, b) =>
        a.node.easeFactor - b.node.easeFactor ||
        a.dueAt - b.dueAt ||
        compareLabels(a.node.label, b.node.label),
    )
    .slice(0, cap)
    .map(({ node }) => node)
}

function isDue(node: MindMapNode, now: number): boolean {
  if (isSkipped(node)) return false
  const { masteryStatus, nextReviewAt } = node
  if (masteryStatus !== 'reviewing' && masteryStatus !== 'mastered') return false
  return nextReviewAt !== null && nextReviewAt <= now
}

/** The earliest review date of the map in UTC ms, or null. */
export function earliestReview(map: MindMap): number | null {
  let earliest: number | null = null
  for (const node of map.nodes) {
    if (isSkipped(node)) continue
    const { nextReviewAt } = node
    if (nextReviewAt !== null && (earliest === null || nextReviewAt < earliest)) {
      earliest = nextReviewAt
    }
  }
  return earliest
}
