export type TimeOfDay = 'morning' | 'afternoon' | 'evening'

/**
 * The metrics of a map (seed 000 D6), as its snapshots hold them. Windows are real days, whatever the length of a
 * learning day, and end with the moment the snapshot is for. Rounding is half up on the exact decimal value.
 */
export interface MapMetrics {
  total_nodes: number
  mastered_nodes: number
  /** Mastered of all, two decimals. */
  mastery_pct: number
  /** Two decimals; null without nodes. */
  avg_ease_factor: number | null
  /** Reviews of quality 3 or more among the reviews of the window; null without reviews. */
  retention_rate_7d: number | null
  retention_rate_30d: number | null
  /** Nodes that became mastered in the last 28 days, divided by four. */
  velocity_nodes_per_week: number
  /** ⌈remaining / velocity × 7⌉, where what is optional or skipped does not remain; null at velocity 0 or with nothing left. */
  estimated_completion_days: number | null
  /** By sequence, then label. */
  struggling_nodes: string[]
  /** The child of the root whose subtree has the highest mean score, the first label of equal ones; null without one. */
  strongest_subtree: string | null
  total_quiz_responses: number
  /** One decimal; null without responses. */
  avg_quality_score: number | null
  /** Dates of the learner's calendar with a response in the last seven days. */
  sessions_this_period: number
  /** On how many of those dates there was a response in that part of the day, by the learner's clock. */
  time_of_day_distribution: Record<TimeOfDay, number>
}
