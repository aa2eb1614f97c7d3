import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sending } from '../../src/channels/channel.ts'
import {
  createPushChannel,
  type PushKeys,
  pushContact,
  pushKeys,
} from '../../src/channels/web-push.ts'
import type { Notice } from '../../src/contracts/channel.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import {
  type Browser,
  createBrowser,
  type PushService,
  readVapid,
  startPushService,
} from './push-service.ts'
import { HOSTILE_NAMES, sampleNotices } from './sample-notices.ts'

const [reviews, digest, stale] = sampleNotices('de') as [Notice, Notice, Notice, Notice]
const CONTACT = 'mailto:meno@mail.example'

let fresh: FreshDatabase
let keys: PushKeys
let service: PushService
let browser: Browser

beforeAll(async () => {
  fresh = await freshDatabase()
  keys = await pushKeys(fresh.db)
})
afterAll(() => fresh.drop())
beforeEach(async () => {
  service = await startPushService()
  browser = createBrowser(`${service.url}/push/of-lea`)
  return () => service.stop()
})

const sending = (more: Partial<Sending> = {}): Sending => ({
  key: randomUUID(),
  learnerId: randomUUID(),
  pageUrl: 'https://meno.example',
  signal: AbortSignal.timeout(20_000),
  ...more,
})

const send = (notice: Notice, more: Partial<Sending> = {}, address: object = browser) =>
  createPushChannel(keys, CONTACT).send({ ...address }, notice, sending(more))

test('a browser, and nobody else, reads the notice', async () => {
  await send(reviews)
  const [{ headers, body, path } = { headers: {}, body: Buffer.of(), path: '' }] = service.pushes
  expect(path).toBe('/push/of-lea')
  expect(headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: '86400',
    urgency: 'normal',
  })
  expect(browser.read(body)).toEqual({
    title: reviews.title,
    body: reviews.text,
    url: reviews.path,
    tag: 'reviews',
    id: reviews.id,
  })
  expect(body.toString('latin1')).not.toContain('Wiederholungen')
  expect(() => createBrowser(service.url).read(body)).toThrow()
})

test('the service knows who sends, and whom to turn to', async () => {
  await send(reviews)
  const vapid = readVapid(service.pushes[0]?.headers.authorization ?? '')
  expect(vapid).toMatchObject({ key: keys.publicKey, signed: true, header: { alg: 'ES256' } })
  expect(vapid.claims).toMatchObject({ aud: service.url, sub: CONTACT })
  const hours = (vapid.claims.exp - Date.now() / 1000) / 3600
  expect(hours).toBeGreaterThan(0)
  expect(hours).toBeLessThanOrEqual(24)
})

test('the keys are made once and kept', async () => {
  expect(await pushKeys(fresh.db)).toEqual(keys)
})

test('tries of one notice have one topic, other notices have others', async () => {
  const key = randomUUID()
  await send(reviews, { key })
  await send(reviews, { key })
  await send(reviews)
  const topics = service.pushes.map(({ headers }) => headers.topic)
  expect(topics[0]).toMatch(/^[\w-]{32}$/)
  expect(topics[1]).toBe(topics[0])
  expect(topics[2]).not.toBe(topics[0])
})

test('a digest takes the place of the one before, warnings stand beside each other', async () => {
  for (const notice of [digest, stale]) await send(notice)
  const tags = service.pushes.map(({ body }) => (browser.read(body) as { tag: string }).tag)
  expect(tags).toEqual(['digest', stale.id])
})

test.each(HOSTILE_NAMES)('the name %j fits, and steers nothing', async (name) => {
  const long = name.repeat(50)
  await send({ ...reviews, title: long, text: long })
  const [{ body } = { body: Buffer.of() }] = service.pushes
  expect(body.length).toBeLessThanOrEqual(4096)
  const { title, body: text } = browser.read(body) as { title: string; body: string }
  expect(title).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
  expect(Buffer.from(title).toString()).toBe(title)
})

test.each([
  [404, {}, 'gone', null],
  [410, {}, 'gone', null],
  [429, { 'retry-after': '120' }, 'unavailable', 120_000],
  [500, {}, 'unavailable', null],
  [503, { 'retry-after': 'soon' }, 'unavailable', null],
  [400, {}, 'refused', null],
  [403, {}, 'refused', null],
  [413, {}, 'refused', null],
  [307, { location: 'http://127.0.0.1:1/elsewhere' }, 'uncertain', null],
  ['cut', {}, 'uncertain', null],
] as const)('the answer %s %j is %s', async (status, headers, kind, retryAfterMs) => {
  service.answer(status, headers)
  await expect(send(reviews)).rejects.toMatchObject({ kind, retryAfterMs })
})

test('a date to come again at is a time from now', async () => {
  service.answer(503, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() })
  const failure = await send(reviews).then(
    () => null,
    ({ retryAfterMs }) => retryAfterMs,
  )
  expect(failure).toBeGreaterThan(50_000)
  expect(failure).toBeLessThanOrEqual(60_000)
})

test('a service that cannot be reached is unavailable', async () => {
  await service.stop()
  await expect(send(reviews)).rejects.toMatchObject({ kind: 'unavailable' })
})

test.each([
  ['no subscription', {}],
  [
    'a key that is none',
    { subscription: { endpoint: 'https://a.example', keys: { p256dh: 'AAAA', auth: 'AAAA' } } },
  ],
])('%s: the address is gone', async (_, address) => {
  await expect(send(reviews, {}, address)).rejects.toMatchObject({ kind: 'gone' })
})

test.each([
  ['Meno <meno@mail.example>', 'http://127.0.0.1:3000', 'mailto:meno@mail.example'],
  [null, 'https://meno.example', 'https://meno.example'],
  [null, 'http://127.0.0.1:3000', 'mailto:operator@meno.invalid'],
])('mail from %j and a page at %s: the contact is %s', (from, pageUrl, contact) => {
  expect(pushContact(from, pageUrl)).toBe(contact)
})
