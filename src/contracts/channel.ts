/** What Meno sends by itself, and over which channels. */
import { z } from 'zod'

export const ChannelName = z.enum(['telegram', 'email', 'push', 'webhook'])
export type ChannelName = z.infer<typeof ChannelName>

/** A review that a nudge is for. */
export interface NoticeItem {
  arcId: string
  topic: string
  nodeId: string
  label: string
}

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

/**
 * What is sent, as every channel gets it: a channel decides how it looks, never what it says. `path` is where its link
 * leads in the page, from the root: it opens the review itself.
 */
export interface Notice {
  id: string
  kind: 'reviews' | 'digest' | 'stale' | 'locked-exam'
  /** The date in the learner's calendar, YYYY-MM-DD. */
  date: string
  language: 'en' | 'de'
  title: string
  text: string
  path: string
  /** What its one button says. */
  action: string
  items: NoticeItem[]
  /** How long it takes, from the learner's own times; null where nobody knows. */
  minutes: number | null
  digest?: DigestContent
}
