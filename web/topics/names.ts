import type { ArcView } from '../../src/contracts/arc.ts'

/** What the learner calls a topic. */
export const nameOf = ({ title, topic }: Pick<ArcView, 'title' | 'topic'>): string => title ?? topic

export const isEnded = ({ phase }: Pick<ArcView, 'phase'>): boolean =>
  phase === 'COMPLETED' || phase === 'ABANDONED'

const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/** The open topic that a new one would repeat: the same words and the same goal. */
export function alreadyLearned(
  arcs: readonly ArcView[],
  { topic, goal }: { topic: string; goal?: string | undefined },
): ArcView | undefined {
  const wanted = folded(topic)
  return arcs
    .filter((arc) => !isEnded(arc))
    .find(
      (arc) =>
        [arc.topic, arc.title ?? ''].map(folded).includes(wanted) &&
        (goal === undefined || folded(goal) === folded(arc.goal ?? '')),
    )
}

/** In the order a learner wants them: with a review due first, then as they were last studied; what has ended last. */
export function inOrder(arcs: readonly ArcView[], now: number): ArcView[] {
  const rank = (arc: ArcView) => {
    if (isEnded(arc)) return 2
    return arc.nextReviewAt !== null && Date.parse(arc.nextReviewAt) <= now && !arc.paused ? 0 : 1
  }
  const studied = (arc: ArcView) => Date.parse(arc.lastSessionAt ?? arc.startedAt)
  return [...arcs].sort((a, b) => rank(a) - rank(b) || studied(b) - studied(a))
}
