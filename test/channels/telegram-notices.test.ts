import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelFailure } from '../../src/channels/channel.ts'
import { isPublic, telegramChannel } from '../../src/channels/telegram.ts'
import type { Notice } from '../../src/contracts/channel.ts'
import { TelegramServer } from '../support/telegram-server.ts'

const ARC = '0b6e1c58-5a3c-4f6f-9a52-0c6a4b1f2a11'
const notice: Notice = {
  id: 'd4f0f6a8-6f0e-4b8e-9c3a-2f1f6f3f7a10',
  kind: 'reviews',
  date: '2026-03-02',
  language: 'en',
  title: 'Two reviews <today>',
  text: 'About 4 minutes & you are done.',
  path: `/arcs/${ARC}`,
  action: 'Review now',
  items: [
    { arcId: ARC, topic: 'Algebra', nodeId: 'n1', label: 'Signs' },
    { arcId: ARC, topic: 'Algebra', nodeId: 'n2', label: 'Factors' },
  ],
  minutes: 4,
}
const CHAT = 31
const sending = (pageUrl = 'https://meno.example.org') => ({
  ...{ key: 'k', learnerId: 'l', pageUrl },
  signal: AbortSignal.timeout(20_000),
})

let telegram: TelegramServer

beforeAll(async () => {
  telegram = await new TelegramServer().start()
  telegram.say(CHAT, '/start')
})
afterAll(() => telegram.stop())

const channel = (apiRoot = telegram.url) =>
  telegramChannel({ token: telegram.token, apiRoot, webhookSecret: null })
const failure = (sent: Promise<unknown>): Promise<ChannelFailure> =>
  sent.then(
    () => Promise.reject(new Error('it was sent')),
    (error) => error,
  )

describe('a notice in Telegram', () => {
  test('has a button for its topic, and one that leads to the page', async () => {
    const reference = await channel().send({ chatId: String(CHAT) }, notice, sending())
    const shown = telegram.chat(CHAT).at(-1)
    expect(shown?.text).toBe('Two reviews <today>\n\nAbout 4 minutes & you are done.')
    expect(shown?.buttons).toEqual([
      { text: 'Algebra', data: `arc:${ARC}` },
      { text: 'Review now', url: `https://meno.example.org/arcs/${ARC}` },
    ])
    expect(reference).toEqual({ chatId: String(CHAT), messageId: shown?.id })
  })

  test('names the address of a page that only this machine reaches', async () => {
    await channel().send({ chatId: String(CHAT) }, notice, sending('http://127.0.0.1:3000'))
    const shown = telegram.chat(CHAT).at(-1)
    expect(shown?.text).toContain(`http://127.0.0.1:3000/arcs/${ARC}`)
    expect(shown?.buttons).toEqual([{ text: 'Algebra', data: `arc:${ARC}` }])
  })

  test('is taken back', async () => {
    const address = { chatId: String(CHAT) }
    const reference = await channel().send(address, notice, sending())
    await channel().withdraw?.(address, reference ?? {}, notice, sending())
    expect(telegram.messages.find(({ id }) => id === reference?.messageId)?.isDeleted).toBe(true)
    // Once more, when there is nothing left.
    await channel().withdraw?.(address, reference ?? {}, notice, sending())
  })

  test('of a week has its lists, cut where they are longer than a message', async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `a < b ${i} $x^2$`)
    const digest = (count: number) => ({
      ...notice,
      kind: 'digest' as const,
      digest: {
        ...{ headline: 'A good week', trends: lines(count), achievements: ['one'] },
        ...{ struggles: [], nextWeek: [] },
      },
    })
    await channel().send({ chatId: String(CHAT) }, digest(2), sending())
    expect(telegram.chat(CHAT).at(-1)?.text).toContain('• a < b 1 x²\n\n• one')
    const [, worded] = [digest(2), { ...digest(2), title: 'A good week' }]
    const said = { ...worded, text: 'one', digest: { ...worded.digest, body: 'You did **well**.' } }
    await channel().send({ chatId: String(CHAT) }, said, sending())
    expect(telegram.chat(CHAT).at(-1)?.text).toBe(
      'A good week\n\nYou did well.\n\n• a < b 0 x²\n• a < b 1 x²\n\n• one',
    )
    await channel().send({ chatId: String(CHAT) }, digest(900), sending())
    expect(telegram.chat(CHAT).at(-1)?.text).toContain('About 4 minutes')
  })
})

describe('a notice that does not go out', () => {
  test('to a chat that blocked the bot: the address is gone', async () => {
    telegram.say(32, '/start')
    telegram.block(32, false)
    const { kind } = await failure(channel().send({ chatId: '32' }, notice, sending()))
    expect(kind).toBe('gone')
  })

  test('to no chat at all: the same', async () => {
    const { kind } = await failure(channel().send({ chatId: '99' }, notice, sending()))
    expect(kind).toBe('gone')
  })

  test('when Telegram has had too many: not before it says', async () => {
    telegram.limited = { method: 'sendMessage', times: 1, retryAfter: 7 }
    const { kind, retryAfterMs } = await failure(
      channel().send({ chatId: String(CHAT) }, notice, sending()),
    )
    expect([kind, retryAfterMs]).toEqual(['unavailable', 7_000])
  })

  test('when nobody answers: it certainly was not taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise<void>((resolve) => server.once('listening', () => resolve()))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await new Promise((resolve) => server.close(resolve))
    const { kind, message } = await failure(
      channel(url).send({ chatId: String(CHAT) }, notice, sending()),
    )
    expect(kind).toBe('unavailable')
    expect(message).not.toContain(telegram.token)
  })

  test('when the answer does not come, or is none: nobody knows whether it was taken', async () => {
    let hangUp = false
    const server = createServer((request) => {
      request.resume()
      if (hangUp) request.on('end', () => request.socket.destroy())
    }).listen(0, '127.0.0.1')
    await new Promise<void>((resolve) => server.once('listening', () => resolve()))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const short = { ...sending(), signal: AbortSignal.timeout(300) }
    const late = await failure(channel(url).send({ chatId: String(CHAT) }, notice, short))
    hangUp = true
    const cut = await failure(channel(url).send({ chatId: String(CHAT) }, notice, sending()))
    expect([late.kind, cut.kind]).toEqual(['uncertain', 'uncertain'])
    for (const { message } of [late, cut]) expect(message).not.toContain(telegram.token)
    server.closeAllConnections()
    server.close()
  })
})

test.each([
  ['https://meno.example.org', true],
  ['http://meno.example.org:3000', true],
  ['http://localhost:3000', false],
  ['http://127.0.0.1:3000', false],
  ['http://[::1]:3000', false],
  ['http://meno:3000', false],
])('%s can stand on a button: %s', (url, can) => {
  expect(isPublic(url)).toBe(can)
})
