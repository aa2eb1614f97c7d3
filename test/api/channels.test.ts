import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/api/app.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
}, 120_000)

afterAll(() => api.stop())

const SUBSCRIPTION = {
  endpoint: 'https://push.example.org/abc',
  expirationTime: null,
  keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'tBHItJI5svbpez7KI4CCXg' },
}

/** The channels of a learner, and calls on them. */
function channels(learner: string) {
  const path = `/api/learners/${learner}/channels`
  return {
    items: async () => (await api.get(path)).body.items,
    ask: (channel: string, body: unknown) => api.post(`${path}/${channel}`, body),
    leave: async (channel: string, query = '') =>
      (await fetch(`${api.url}${path}/${channel}${query}`, { method: 'DELETE' })).status,
  }
}

/** A learner who is known. */
async function learner(handle: string) {
  await api.begin({ learnerId: handle })
  return channels(handle)
}

describe('a learner’s channels', () => {
  test('are none at first, and no one else’s', async () => {
    const { items } = await learner('rosa')
    expect(await items()).toEqual([])
    expect((await api.get('/api/learners/nobody/channels')).status).toBe(404)
    expect((await channels('nobody').ask('webhook', {})).status).toBe(422)
  })

  test('a webhook is linked at once, and its secret is never told', async () => {
    const { ask, items, leave } = await learner('carl')
    const { status, body } = await ask('webhook', { url: 'https://a.example/x', secret: 'key' })
    expect([status, body]).toEqual([201, { channel: 'webhook', status: 'linked' }])
    const [item, ...more] = await items()
    expect(more).toEqual([])
    expect(item).toEqual({
      ...{ channel: 'webhook', status: 'linked', place: '', label: 'a.example', failure: null },
      linkedAt: expect.any(String),
    })
    expect(await leave('webhook')).toBe(204)
    expect(await items()).toEqual([])
    expect(await leave('webhook')).toBe(404)
  })

  test('a webhook is tried out: signed as everything is, and what became of it is told', async () => {
    const { ask } = await learner('wim')
    const test = () => api.post('/api/learners/wim/channels/webhook/test')
    expect((await test()).status).toBe(404)
    const received: { headers: IncomingHttpHeaders; body: string }[] = []
    let status = 204
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      received.push({ headers: request.headers, body })
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await ask('webhook', { url: `http://127.0.0.1:${port}/hook`, secret: 'hush' })
    expect((await test()).body).toEqual({ taken: true, detail: null })
    const [{ headers, body } = { headers: {}, body: '' }] = received
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-meno-signature'])) ?? []
    expect(v1).toBe(createHmac('sha256', 'hush').update(`${t}.${body}`).digest('hex'))
    expect(JSON.parse(body)).toMatchObject({ title: 'A test from Meno', items: [] })
    status = 403
    expect((await test()).body).toEqual({ taken: false, detail: 'the webhook answered 403' })
    server.close()
    server.closeAllConnections()
    expect((await test()).body).toMatchObject({
      taken: false,
      detail: expect.stringContaining('did not answer'),
    })
  })

  test('a browser is a place of its own, and can be taken out by it', async () => {
    const { ask, items, leave } = await learner('ada')
    const other = { ...SUBSCRIPTION, endpoint: 'https://push.example.org/def' }
    await ask('push', { subscription: SUBSCRIPTION })
    await ask('push', { subscription: other })
    await ask('push', { subscription: other })
    expect(await items()).toHaveLength(2)
    await leave('push', `?place=${encodeURIComponent(other.endpoint)}`)
    expect((await items()).map(({ place }: { place: string }) => place)).toEqual([
      SUBSCRIPTION.endpoint,
    ])
  })

  test.each([
    ['webhook', { url: 'http://example.org/x', secret: 'key' }, '/url'],
    ['webhook', { url: 'ftp://127.0.0.1/x', secret: 'key' }, '/url'],
    ['webhook', { url: 'http://127.0.0.1.example.org/', secret: 'key' }, '/url'],
    ['webhook', { url: 'https://example.org/x' }, '/secret'],
    [
      'push',
      { subscription: { ...SUBSCRIPTION, endpoint: 'http://a.example' } },
      '/subscription/endpoint',
    ],
    ...['x', '', 'http://', '//a', ':', 'http://[::1', 'https://exa mple.com'].map(
      (url): [string, object, string] => ['webhook', { url, secret: 'key' }, '/url'],
    ),
    ['push', { subscription: { ...SUBSCRIPTION, endpoint: 'x' } }, '/subscription/endpoint'],
    [
      'push',
      { subscription: { ...SUBSCRIPTION, keys: { ...SUBSCRIPTION.keys, p256dh: 'a' } } },
      '/subscription/keys/p256dh',
    ],
    [
      'push',
      { subscription: { ...SUBSCRIPTION, keys: { ...SUBSCRIPTION.keys, auth: 'b' } } },
      '/subscription/keys/auth',
    ],
    ['email', { address: 'no address' }, '/address'],
  ])('%s %j is refused', async (channel, body, pointer) => {
    const { ask } = await learner('eve')
    const answer = await ask(channel, body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }))
  })

  test.each(['http://127.0.0.1:9/x', 'http://localhost/x', 'http://[::1]:9/'])(
    'a webhook on this machine, %s, is linked',
    async (url) => {
      const { ask } = await learner('eve')
      expect((await ask('webhook', { url, secret: 'key' })).status).toBe(201)
    },
  )

  test('what is not set up says which setting is missing', async () => {
    const { ask, items } = await learner('max')
    const telegram = await ask('telegram', {})
    expect([telegram.status, telegram.body.detail]).toEqual([
      409,
      'Telegram is not set up: TELEGRAM_BOT_TOKEN is missing.',
    ])
    const email = await ask('email', { address: 'max@example.org' })
    expect([email.status, email.body.detail]).toEqual([
      409,
      'E-mail is not set up: SMTP_URL and MAIL_FROM are missing.',
    ])
    expect(await items()).toEqual([])
  })

  test('an address waits until its link is followed', async () => {
    await api.begin({ learnerId: 'mia' })
    const sent: string[][] = []
    const { dependencies } = api.world
    const app = createApp({
      ...dependencies,
      config: {
        ...dependencies.config,
        pageUrl: 'https://meno.example',
        mail: { smtpUrl: 'smtp://127.0.0.1:9', from: 'meno@example.org', replyTo: null },
      },
      linking: {
        async confirmAddress(...words) {
          if (words[0] === 'down@example.org') throw new Error('refused')
          sent.push(words)
        },
      },
    })
    const post = (address: string) =>
      app.request('http://127.0.0.1/api/learners/mia/channels/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ address }),
      })
    expect((await post('down@example.org')).status).toBe(503)
    const answer = await post('mia@example.org')
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { channel: 'email', status: 'pending' },
    ])
    expect(sent).toEqual([
      [
        'mia@example.org',
        expect.stringMatching(/^https:\/\/meno\.example\/channels\/confirm\/\S{32}$/),
        'en',
      ],
    ])
    expect(await channels('mia').items()).toMatchObject([
      { channel: 'email', status: 'pending', label: 'mia@example.org', linkedAt: null },
    ])
  })
  describe('mails to confirm an address', () => {
    const sent: string[] = []
    /** An API that sends mail. */
    const mailing = () => {
      const { dependencies } = api.world
      const mail = { smtpUrl: 'smtp://127.0.0.1:9', from: 'meno@example.org', replyTo: null }
      return createApp({
        ...dependencies,
        config: { ...dependencies.config, mail },
        linking: {
          async confirmAddress(address) {
            sent.push(address)
          },
        },
      })
    }
    const ask = async (who: string, address: string) =>
      mailing().request(`http://127.0.0.1/api/learners/${who}/channels/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ address }),
      })
    const passes = async (minutes: number) =>
      sql`update confirmation_mails set sent_at = sent_at - make_interval(mins => ${minutes})`.execute(
        api.world.db,
      )

    test('are five an hour for a learner, to whatever addresses, also at once', async () => {
      await api.begin({ learnerId: 'nora' })
      sent.length = 0
      const answers = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7].map((number) => ask('nora', `nora${number}@example.org`)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([
        201, 201, 201, 201, 201, 429, 429,
      ])
      expect(sent).toHaveLength(5)
      await passes(20)
      const refused = await ask('nora', 'nora@example.org')
      expect(refused.status).toBe(429)
      const wait = Number(refused.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(39 * 60)
      expect(wait).toBeLessThanOrEqual(40 * 60)
      expect(await refused.json()).toMatchObject({
        detail: 'Too many mails to confirm an address in one hour; try again in 40 minutes.',
      })
      await passes(41)
      expect((await ask('nora', 'nora@example.org')).status).toBe(201)
    })

    test('are five an hour to an address, whoever asks and however it is written', async () => {
      const who = ['ann', 'bea', 'cid', 'dan', 'eli', 'fay']
      const statuses: number[] = []
      for (const [index, handle] of who.entries()) {
        await api.begin({ learnerId: handle })
        const address = index % 2 === 0 ? 'one@example.org' : 'One@Example.org'
        statuses.push((await ask(handle, address)).status)
      }
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
      expect((await ask('fay', 'other@example.org')).status).toBe(201)
    })
  })
})
