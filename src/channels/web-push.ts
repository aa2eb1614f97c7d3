import { createHash } from 'node:crypto'
import webPush, { type PushSubscription, type Urgency } from 'web-push'
import type { Notice } from '../contracts/channel.ts'
import type { DbOrTrx } from '../store/database.ts'
import { installationKey } from '../store/installation-keys.ts'
import { type Channel, ChannelFailure } from './channel.ts'
import { mailbox } from './email/address.ts'
import { oneLine, severalLines, shortened } from './plain.ts'

/** The pair that push services know this installation by (RFC 8292), in base64url. A new pair ends every subscription. */
export interface PushKeys extends Record<string, unknown> {
  publicKey: string
  privateKey: string
}

/** What a service worker gets: what to show, where a click leads from the root, and what it replaces on the screen. */
export interface PushPayload {
  title: string
  body: string
  url: string
  tag: string
  id: string
}

const TIMEOUT_MS = 20_000
const HOUR = 3_600
const LONGEST_TITLE = 120
const LONGEST_BODY = 400

/** How long a push service keeps it for a browser that is not there, in seconds, and what that browser may save power on. */
const DELIVERY: Record<Notice['kind'], { ttl: number; urgency: Urgency }> = {
  reviews: { ttl: 24 * HOUR, urgency: 'normal' },
  digest: { ttl: 72 * HOUR, urgency: 'low' },
  stale: { ttl: 72 * HOUR, urgency: 'low' },
  'locked-exam': { ttl: 72 * HOUR, urgency: 'normal' },
}

/** What goes wrong before a request is sent: names, connections, certificates. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS)/

/** The keys for web push of this installation, made at the first call. */
export const pushKeys = (db: DbOrTrx): Promise<PushKeys> =>
  installationKey<PushKeys>(db, 'web-push', () => ({ ...webPush.generateVAPIDKeys() }))

/**
 * Whom a push service may turn to: the sender of mails, else the page where it is one that can be reached.
 * @throws Error where the sender is no address
 */
export function pushContact(mailFrom: string | null, pageUrl: string): string {
  if (mailFrom !== null) return `mailto:${mailbox(mailFrom).address}`
  return pageUrl.startsWith('https:') ? pageUrl : 'mailto:operator@meno.invalid'
}

/**
 * Notices to browsers, also closed ones; the address is `{subscription}` as a browser gives it. A `Topic` of the key has
 * the service replace a repeat, but only while it still keeps the first (RFC 8030, 5.4): one that was shown already is
 * shown again. And a service worker must show whatever comes, so that it cannot drop a repeat either. So the channel
 * does not tell repeats.
 */
export function createPushChannel(keys: PushKeys, contact: string): Channel {
  return {
    name: 'push',
    tellsRepeats: false,
    async send({ subscription }, notice, { key, signal }) {
      const { headers, body, endpoint } = requestFor(subscription as PushSubscription, notice, key)
      const response = await fetch(endpoint, {
        method: 'POST',
        redirect: 'error',
        headers,
        body: new Uint8Array(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      }).catch((error) => {
        const { code = '' } = (error.cause ?? {}) as { code?: string }
        const kind = NOT_CONNECTED.test(code) ? 'unavailable' : 'uncertain'
        throw new ChannelFailure(kind, `push: ${code || error.message}`, null, { cause: error })
      })
      await response.body?.cancel()
      if (!response.ok) throw refusalOf(response)
      // Where the service would tell of it (RFC 8030, 5).
      const location = response.headers.get('location')
      return location === null ? null : { location }
    },
  }

  /** @throws {ChannelFailure} `gone` where nothing can be encrypted for the subscription */
  function requestFor(subscription: PushSubscription, notice: Notice, key: string) {
    const { ttl, urgency } = DELIVERY[notice.kind]
    try {
      const details = webPush.generateRequestDetails(
        subscription,
        Buffer.from(JSON.stringify(payloadOf(notice))),
        {
          TTL: ttl,
          urgency,
          topic: createHash('sha256').update(key).digest('base64url').slice(0, 32),
          vapidDetails: { subject: contact, ...keys },
        },
      )
      const headers = Object.entries(details.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ])
      return { ...details, headers: headers.filter(([name]) => name !== 'Content-Length') }
    } catch (error) {
      throw new ChannelFailure('gone', 'push: the subscription is not valid', null, {
        cause: error,
      })
    }
  }
}

function payloadOf({ id, kind, title, text, path }: Notice): PushPayload {
  return {
    title: shortened(oneLine(title), LONGEST_TITLE),
    body: shortened(severalLines(text), LONGEST_BODY),
    url: path,
    // What is due now takes the place of what was due; warnings stand beside each other.
    tag: kind === 'reviews' || kind === 'digest' ? kind : id,
    id,
  }
}

function refusalOf({ status, headers }: Response): ChannelFailure {
  const message = `push: the service answered ${status}`
  if (status === 404 || status === 410) return new ChannelFailure('gone', message)
  if (status === 429 || status >= 500) {
    return new ChannelFailure('unavailable', message, retryAfterMs(headers.get('retry-after')))
  }
  return new ChannelFailure('refused', message)
}

/** Seconds or a date (RFC 9110, 10.2.3) as ms from now; null where there is neither. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
