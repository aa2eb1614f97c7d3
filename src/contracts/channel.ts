/** What Meno sends by itself, and over which channels. */
import { z } from 'zod'
import { CHANNELS, type DigestContent, type NudgeKind } from '../domain/agenda/notice.ts'

export const ChannelName = z.enum(CHANNELS)
export type ChannelName = z.infer<typeof ChannelName>

/** A review that a nudge is for. */
export interface NoticeItem {
  arcId: string
  topic: string
  nodeId: string
  label: string
}

/**
 * What is sent, as every channel gets it: a channel decides how it looks, never what it says. `path` is where its link
 * leads in the page, from the root: it opens the review itself.
 */
export interface Notice {
  id: string
  kind: NudgeKind
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
