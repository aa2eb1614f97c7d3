import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ChannelFailure, type Sending } from '../../src/channels/channel.ts'
import { createWebhookChannel } from '../../src/channels/webhook.ts'
import type { Notice } from '../../src/contracts/channel.ts'

const NOTICE: Notice = {
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'reviews',
  date: '2026-11-22',
  language: 'en',
  title: 'One review is due',
  text: 'Sums. About a minute.',
  path: '/arcs/1?review=1',
  action: 'Review now',
  items: [],
  minutes: 1,
}

let server: Server
let url: string
let answer: { status: number; headers?: Record<string, string> } | 'cut'
const heard: { headers: IncomingHttpHeaders; body: string }[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    heard.push({ headers: request.headers, body })
    if (answer === 'cut') request.socket.destroy()
    else response.writeHead(answer.status, answer.headers).end('thanks')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  heard.length = 0
  answer = { status: 204 }
})

const sending: Sending = {
  key: 'nudge/channel',
  learnerId: 'learner',
  pageUrl: 'https://meno.example',
  signal: new AbortController().signal,
}
const send = (address: Record<string, unknown> = { url, secret: 'hush' }) =>
  createWebhookChannel().send(address, NOTICE, sending)

test('posts the notice with an address that opens it, signed, under the key of the delivery', async () => {
  expect(await send()).toBeNull()
  const [{ headers, body } = { headers: {}, body: '' }] = heard
  expect(JSON.parse(body)).toEqual({ ...NOTICE, url: 'https://meno.example/arcs/1?review=1' })
  expect(headers['x-meno-delivery-id']).toBe('nudge/channel')
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(headers['x-meno-signature'])) ?? []
  expect(v1).toBe(createHmac('sha256', 'hush').update(`${t}.${body}`).digest('hex'))
})

test.each([
  [{ status: 410 }, 'gone', null],
  [{ status: 400 }, 'refused', null],
  [{ status: 302, headers: { location: '/elsewhere' } }, 'uncertain', null],
  [{ status: 503 }, 'unavailable', null],
  [{ status: 429, headers: { 'retry-after': '7' } }, 'unavailable', 7_000],
  ['cut' as const, 'uncertain', null],
])('%j is %s', async (given, kind, retryAfterMs) => {
  answer = given
  const failure = await send().catch((error) => error)
  expect(failure).toBeInstanceOf(ChannelFailure)
  expect(failure).toMatchObject({ kind, retryAfterMs })
})

test('an address that is none is no more', async () => {
  expect(await send({ url: 'file:///etc/passwd', secret: 'x' }).catch((error) => error.kind)).toBe(
    'gone',
  )
})
