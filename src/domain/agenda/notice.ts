/** The ways to reach a learner who has no page open. */
export const CHANNELS = ['telegram', 'email', 'push', 'webhook'] as const
export type ChannelName = (typeof CHANNELS)[number]

/** What a nudge is about. */
export type NudgeKind = 'reviews' | 'digest' | 'stale' | 'locked-exam'

/** The parts of a weekly digest; texts in the learner's language, Markdown only in `body`. */
export interface DigestContent {
  headline: string
  trends: string[]
  achievements: string[]
  struggles: string[]
  nextWeek: string[]
  /** A model's own words, where one is connected. */
  body?: string
}
