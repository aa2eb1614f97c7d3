/** What Meno sends by itself, and over which channels. */
import { z } from 'zod'
import { CHANNELS, type DigestContent, type NudgeKind } from '../domain/agenda/notice.ts'
import { line } from './text.ts'

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

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** An address that Meno calls by itself: encrypted on its way, unless it never leaves this machine. */
const calledUrl = z
  .url()
  .max(2_000)
  .refine((text) => {
    // Asked also of what was found to be no URL before.
    if (!URL.canParse(text)) return false
    const { protocol, hostname } = new URL(text)
    return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
  }, 'an https address, or one of this machine')

/** Bytes in base64url, which browsers write without padding. */
const bytes = (count: number, what: string) =>
  line(200).refine(
    (text) =>
      /^[\w-]+={0,2}$/.test(text) && Math.floor(text.replace(/=+$/, '').length * 0.75) === count,
    `${what}: ${count} bytes in base64url`,
  )

/** What each channel needs to be asked for. */
export const TelegramLink = z.strictObject({}).optional()
export const EmailLink = z.strictObject({ address: z.email().max(320) })
export const PushLink = z.strictObject({
  /** As the browser gives it (W3C Push API). */
  subscription: z.object({
    endpoint: calledUrl,
    expirationTime: z.number().nullish(),
    keys: z.object({
      p256dh: bytes(65, 'a public key on P-256'),
      auth: bytes(16, 'the secret of the subscription'),
    }),
  }),
})
export const WebhookLink = z.strictObject({ url: calledUrl, secret: line(200) })

/** A channel that was asked for. `code` and `url` only of Telegram: what is sent to the bot, and where it is. */
export const AskedChannel = z.object({
  channel: ChannelName,
  status: z.enum(['pending', 'linked']),
  code: z.string().optional(),
  url: z.string().optional(),
})

/** A channel of a learner. */
export const ChannelView = z.object({
  channel: ChannelName,
  status: z.enum(['pending', 'linked']),
  /** What tells two of a channel apart; empty where there can be but one. */
  place: z.string(),
  /** What a person knows it by: an address, a chat's name, a host. */
  label: z.string().nullable(),
  linkedAt: z.string().nullable(),
  /** Why it was taken out of use. */
  failure: z.string().nullable(),
})

export type AskedChannel = z.infer<typeof AskedChannel>
export type ChannelView = z.infer<typeof ChannelView>
