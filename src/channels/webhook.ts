import { z } from 'zod'
import { type Channel, ChannelFailure, type Sending } from './channel.ts'
import { signature } from './lms-webhook.ts'

const TIMEOUT_MS = 15_000

/** Where a learner's own program listens, and what requests to it are signed with. */
const WebhookAddress = z.object({ url: z.url({ protocol: /^https?$/ }), secret: z.string() })

/**
 * A learner's own webhook: the notice as JSON, signed as reports to an LMS are. `X-Meno-Delivery-Id` is the same at every
 * try, so a receiver tells repeats by it; a notice that is over is not taken back there.
 */
export function createWebhookChannel(): Channel {
  return {
    name: 'webhook',
    tellsRepeats: true,
    async send(address, notice, sending) {
      const parsed = WebhookAddress.safeParse(address)
      if (!parsed.success) throw new ChannelFailure('gone', 'the webhook has no usable address')
      const { url, secret } = parsed.data
      const body = JSON.stringify({ ...notice, url: `${sending.pageUrl}${notice.path}` })
      await post(url, secret, body, sending)
      return null
    },
  }
}

/** @throws {ChannelFailure} for every answer that is not 2xx, and for none */
async function post(url: string, secret: string, body: string, { key, signal }: Sending) {
  const seconds = Math.floor(Date.now() / 1000)
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    headers: {
      'content-type': 'application/json',
      'X-Meno-Delivery-Id': key,
      'X-Meno-Signature': signature(secret, body, seconds),
    },
    body,
  }).catch((cause) => {
    throw new ChannelFailure('uncertain', `the webhook did not answer: ${cause.message}`, null, {
      cause,
    })
  })
  await response.body?.cancel()
  const { status } = response
  if (response.ok) return
  if (status === 410) throw new ChannelFailure('gone', 'the webhook answered 410')
  const mayPass = status >= 500 || status === 429 || status === 408
  const retryAfter = Number(response.headers.get('retry-after'))
  throw new ChannelFailure(
    mayPass ? 'unavailable' : 'refused',
    `the webhook answered ${status}`,
    mayPass && retryAfter > 0 ? retryAfter * 1000 : null,
  )
}
