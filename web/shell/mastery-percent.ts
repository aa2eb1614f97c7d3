import type { ArcView } from '../../src/contracts/arc.ts'

/** Mastered concepts of all, 0 to 100, whole. */
export const masteryPercent = ({ mastered, total }: ArcView['mastery']): number =>
  total === 0 ? 0 : Math.round((mastered / total) * 100)
