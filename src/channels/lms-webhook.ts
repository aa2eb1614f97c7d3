import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where reports of completed sessions go, and what they are signed with. */
export interface LmsSettings {
  url: string
  secret: string | null
}

/** How far the clocks of two servers may differ, in seconds. */
const TOLERANCE_SECONDS = 300
const TIMEOUT_MS = 20_000

/** The settings `LMS_WEBHOOK_URL` and `LMS_WEBHOOK_SECRET`, or null where there is no LMS. */
export function lmsSettings(env: NodeJS.ProcessEnv = process.env): LmsSettings | null {
  const url = env.LMS_WEBHOOK_URL
  return url ? { url, secret: env.LMS_WEBHOOK_SECRET || null } : null
}

/** `t=<unix>,v1=<hex hmac-sha256 of t.body>` */
export function signature(secret: string, body: string, seconds: number): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

/** Whether a header signs this body with this secret, and not too long ago. */
export function isSignedWith(
  secret: string,
  body: string,
  header: string | undefined,
  nowMs: number,
): boolean {
  const [, t, v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (t === undefined || v1 === undefined) return false
  if (Math.abs(nowMs / 1000 - Number(t)) > TOLERANCE_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest()
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'))
}

/**
 * Posts a report; the same delivery always has the same id, so that a receiver can tell a repeat.
 * @throws Error naming the status, for every answer that is not 2xx
 */
export async function postToLms(
  { url, secret }: LmsSettings,
  delivery: { id: string; body: string },
  signal?: AbortSignal,
): Promise<void> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    headers: {
      'content-type': 'application/json',
      'X-Meno-Delivery-Id': delivery.id,
      ...(secret
        ? { 'X-Meno-Signature': signature(secret, delivery.body, Math.floor(Date.now() / 1000)) }
        : {}),
    },
    body: delivery.body,
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the LMS answered ${response.status}`)
}
