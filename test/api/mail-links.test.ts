import { randomBytes, randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import pino from 'pino'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '../../src/api/app.ts'
import type { Api } from '../../src/api/http/environment.ts'
import { mailLinkSecret } from '../../src/channels/email/link-secret.ts'
import { createAddressConfirmation, createEmailChannel } from '../../src/channels/email.ts'
import { readConfig } from '../../src/config.ts'
import type { Notice } from '../../src/contracts/channel.ts'
import { beginLink, readChannels } from '../../src/store/agenda/channels.ts'
import { ensureLearner, updateLearner } from '../../src/store/learners.ts'
import { type MailServer, startMailServer } from '../channels/mail-server.ts'
import { sampleNotices } from '../channels/sample-notices.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

const PAGE = 'https://meno.example'
const [reviews] = sampleNotices('en') as [Notice]

let fresh: FreshDatabase
let mails: MailServer
let app: Api
let learnerId: string

beforeAll(async () => {
  fresh = await freshDatabase()
  mails = await startMailServer()
  const unused = {} as never
  app = createApp({
    ...{ db: fresh.db, config: readConfig({ MENO_URL: PAGE }), courses: [] },
    ...{ temporal: new Client({ connection: Connection.lazy() }), events: unused, wake: unused },
    log: pino({ level: 'silent' }),
  })
})
afterAll(async () => {
  await mails.stop()
  await fresh.drop()
})
beforeEach(async () => {
  learnerId = (await ensureLearner(fresh.db, randomUUID())).id
})

const settings = () => ({ smtpUrl: mails.url, from: 'Meno <meno@mail.example>', replyTo: null })

/** Asks for mail to an address, and gives the link that came there. */
async function ask(address: string, minutes = 60): Promise<string> {
  const code = randomBytes(24).toString('base64url')
  const until = new Date(Date.now() + minutes * 60_000)
  await beginLink(fresh.db, {
    ...{ learnerId, channel: 'email', address: { address } },
    code: { text: code, until },
  })
  await createAddressConfirmation(settings())(address, `${PAGE}/channels/confirm/${code}`)
  const { text = '' } = await lastMail()
  const [link = ''] = /https:\/\/meno\.example\/channels\/confirm\/\S+/.exec(text) ?? []
  return link
}

/** Sends a notice to an address, and gives the link for one click that came with it. */
async function notify(address: string): Promise<string> {
  const channel = createEmailChannel(settings(), await mailLinkSecret(fresh.db))
  const signal = AbortSignal.timeout(20_000)
  const sending = { key: randomUUID(), learnerId, pageUrl: PAGE, signal }
  await channel.send({ address }, reviews, sending)
  const header = (await lastMail()).headers.find(({ key }) => key === 'list-unsubscribe')
  return header?.value.slice(1, -1) ?? ''
}

const lastMail = () => PostalMime.parse(mails.mails.at(-1)?.raw ?? '')

async function confirmed(address: string): Promise<void> {
  const link = await ask(address)
  expect((await app.request(link, { method: 'POST' })).status).toBe(200)
}

/** As a mail's provider does it: no cookie, no log-in, no page before. */
const oneClick = (link: string) =>
  app.request(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })

const standing = async () =>
  (await readChannels(fresh.db, learnerId)).map(({ status, address }) => [status, address.address])

test('a link is only opened by what looks through mail, and confirmed by who presses the button', async () => {
  const link = await ask('lea@example.org')
  for (const method of ['GET', 'HEAD', 'GET']) {
    const opened = await app.request(link, { method })
    expect(opened.status).toBe(200)
    expect(await standing()).toEqual([['pending', 'lea@example.org']])
  }
  const page = await (await app.request(link)).text()
  expect(page).toContain('<form method="post">')
  expect(page).toContain('lea@example.org')
  const pressed = await app.request(link, { method: 'POST' })
  expect(await pressed.text()).toContain('Your address is confirmed')
  expect(await standing()).toEqual([['linked', 'lea@example.org']])
})

test('a code counts once', async () => {
  const link = await ask('lea@example.org')
  await app.request(link, { method: 'POST' })
  for (const method of ['GET', 'POST']) {
    const again = await app.request(link, { method })
    expect(again.status).toBe(404)
    expect(await again.text()).toContain('does not work any more')
  }
  expect(await standing()).toEqual([['linked', 'lea@example.org']])
})

test('a code whose time is over confirms nothing', async () => {
  const link = await ask('lea@example.org', -1)
  expect((await app.request(link)).status).toBe(404)
  expect((await app.request(link, { method: 'POST' })).status).toBe(404)
  expect(await standing()).toEqual([['pending', 'lea@example.org']])
})

test('one click ends the mail, and the same click again says the same', async () => {
  await confirmed('lea@example.org')
  const link = await notify('lea@example.org')
  expect((await app.request(link)).status).toBe(200)
  expect(await standing()).toEqual([['linked', 'lea@example.org']])
  for (let time = 0; time < 2; time += 1) {
    const answer = await oneClick(link)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await standing()).toEqual([])
  }
  expect(await (await app.request(link)).text()).not.toContain('<form')
})

test('a click in an old mail leaves another address and other channels alone', async () => {
  await confirmed('old@example.org')
  const link = await notify('old@example.org')
  const endpoint = 'https://push.example/of-lea'
  const push = { learnerId, channel: 'push' as const, place: endpoint, address: {}, code: null }
  await beginLink(fresh.db, push)
  await confirmed('new@example.org')
  expect((await oneClick(link)).status).toBe(200)
  expect(await standing()).toEqual([
    ['linked', 'new@example.org'],
    ['linked', undefined],
  ])
})

test('an address is the same however it is written', async () => {
  await confirmed('Lea@Bücher.example')
  const link = await notify('lea@xn--bcher-kva.example')
  await oneClick(link)
  expect(await standing()).toEqual([])
})

test('a token that was changed anywhere ends nothing', async () => {
  await confirmed('lea@example.org')
  const link = await notify('lea@example.org')
  const start = link.lastIndexOf('/') + 1
  for (let at = start; at < link.length - 1; at += 3) {
    const changed = `${link.slice(0, at)}${link[at] === 'A' ? 'B' : 'A'}${link.slice(at + 1)}`
    expect((await oneClick(changed)).status).toBe(404)
  }
  for (const token of ['x', '%00', '..%2f..', 'A'.repeat(59), 'A'.repeat(5_000)]) {
    expect((await oneClick(`${PAGE}/unsubscribe/${token}`)).status).toBe(404)
  }
  expect(await standing()).toEqual([['linked', 'lea@example.org']])
})

test('the pages speak the language of the learner, and of an unknown reader that of the browser', async () => {
  await updateLearner(fresh.db, learnerId, { language: 'de-CH' })
  expect(await (await app.request(await ask('lea@example.org'))).text()).toContain(
    'Adresse bestätigen',
  )
  const unknown = await app.request(`${PAGE}/unsubscribe/x`, {
    headers: { 'Accept-Language': 'de-DE,de;q=0.9' },
  })
  expect(await unknown.text()).toContain('Dieser Link ist unvollständig')
})

test('a page runs nothing, loads nothing, is in no frame and told to nobody', async () => {
  const link = await ask('lea@example.org')
  const { headers } = await app.request(link)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('referrer-policy')).toMatch(/^(?:no-referrer|same-origin)$/)
  expect(headers.get('cache-control')).toBe('no-store')
})

test('the key for pushes is a point of the curve, and the same at every call', async () => {
  const read = async () => {
    const answer = await app.request('http://127.0.0.1:3000/api/push-key')
    return ((await answer.json()) as { key: string }).key
  }
  const key = await read()
  const point = Buffer.from(key, 'base64url')
  expect([point.length, point[0]]).toEqual([65, 4])
  expect(await read()).toBe(key)
})
