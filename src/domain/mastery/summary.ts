import type { MasteryStatus, MindMap } from '../mind-map/mind-map.ts'

export interface MasterySummary {
  total: number
  byStatus: Record<MasteryStatus, number>
  /** Mastered of all nodes, 0..1, two decimals. */
  masteryPct: number
  /** Mean score, 0..1; 0 for a map without nodes. */
  avgScore: number
}

/** How far a map is. */
export function masterySummary({ nodes }: Pick<MindMap, 'nodes'>): MasterySummary {
  const byStatus = { unseen: 0, diagnosed: 0, learning: 0, reviewing: 0, mastered: 0 }
  for (const { masteryStatus } of nodes) byStatus[masteryStatus] += 1
  const total = nodes.length
  const score = nodes.reduce((sum, { masteryScore }) => sum + masteryScore, 0)
  return {
    total,
    byStatus,
    masteryPct: total === 0 ? 0 : Math.round((byStatus.mastered / total) * 100) / 100,
    avgScore: total === 0 ? 0 : score / total,
  }
}
