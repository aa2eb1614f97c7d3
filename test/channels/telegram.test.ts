import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { telegramChannel } from '../../src/channels/telegram.ts'
import type { Notice } from '../../src/contracts/channel.ts'
import {
  call,
  openTelegramHouse,
  type TelegramHouse,
  type TestChat,
  testChat,
} from '../support/telegram-house.ts'
import type { SeenMessage } from '../support/telegram-server.ts'

let house: TelegramHouse

beforeAll(async () => {
  house = await openTelegramHouse()
}, 120_000)

afterAll(() => house.stop())

const channelsOf = async (handle: string) =>
  (await house.api.get(`/api/learners/${handle}/channels`)).body.items

/** The messages of a learner's arc, as the page has them. */
const transcript = async (arcId: string) =>
  (await house.api.get(`/api/arcs/${arcId}/messages?limit=100`)).body.items as {
    id: string
    role: string
    text: string
    questionId?: string
  }[]

const arcsOf = async (handle: string) => {
  const { body } = await house.api.get(`/api/learners/${handle}`)
  return (await house.api.get(`/api/arcs?learnerId=${body.id}`)).body.items as { arcId: string }[]
}

/** A sum as the small course asks it. */
const SUM = /What is (\d+) \+ (\d+)\?/
const sumOf = ({ text }: SeenMessage): number => {
  const [, a, b] = SUM.exec(text) ?? []
  return Number(a) + Number(b)
}

/** The newest message that asks a sum. */
const asked = (chat: TestChat) =>
  chat.seen().findLast((message) => message.from === 'bot' && SUM.test(message.text)) as SeenMessage

/** Begins the small course in a chat, without the level check, and waits for its first question. */
async function beginInChat(handle: string) {
  const chat = await house.chat(handle)
  chat.say('/new Sums')
  await chat.until(SUM)
  const [arc] = await arcsOf(handle)
  return { chat, arcId: arc?.arcId ?? '' }
}

const hasOptions = ({ buttons }: SeenMessage) =>
  buttons.some(({ data }) => data?.startsWith('q:') ?? false)

const rightly = (chat: TestChat, question: SeenMessage) =>
  hasOptions(question) ? chat.tap(String(sumOf(question))) : chat.say(String(sumOf(question)))

describe('linking a chat', () => {
  test('a code of the page links it, once', async () => {
    await house.api.begin({ learnerId: 'rosa' })
    const { status, body } = await call(house.url, 'rosa', 'telegram')
    expect(status).toBe(201)
    expect(body).toEqual({
      channel: 'telegram',
      status: 'pending',
      code: expect.stringMatching(/^[A-Z2-9]{10}$/),
      url: `https://t.me/meno_test_bot?start=${body.code}`,
    })
    const chat = testChat(house.telegram, 41, 'rosa')
    chat.say(`/start ${body.code.toLowerCase()}`)
    await chat.until('yours now')
    expect(await channelsOf('rosa')).toMatchObject([
      { channel: 'telegram', status: 'linked', label: '@rosa41', failure: null },
    ])
    const { id } = chat.say(`/start ${body.code}`)
    await chat.until('linked already', id)
    expect(await channelsOf('rosa')).toMatchObject([{ status: 'linked' }])
    const stranger = testChat(house.telegram, 42, 'stranger')
    stranger.say(`/start ${body.code}`)
    await stranger.until('ten minutes are over')
  })

  test('a code is good for ten minutes', async () => {
    await house.api.begin({ learnerId: 'late' })
    const { body } = await call(house.url, 'late', 'telegram')
    const { db } = house.api.world
    const row = await db
      .selectFrom('learner_channels')
      .select('code_until')
      .where('code', '=', body.code)
      .executeTakeFirstOrThrow()
    const minutes = ((row.code_until?.getTime() ?? 0) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9.5)
    expect(minutes).toBeLessThanOrEqual(10)
    await db
      .updateTable('learner_channels')
      .set({ code_until: new Date(Date.now() - 1_000) })
      .where('code', '=', body.code)
      .execute()
    const chat = testChat(house.telegram, 43, 'late')
    chat.say(`/start ${body.code}`)
    await chat.until('ten minutes are over')
    expect(await channelsOf('late')).toEqual([])
  })

  test('a chat that is not linked is told how to be', async () => {
    const chat = testChat(house.telegram, 44, 'nobody')
    chat.say('/start')
    await chat.until('I do not know you yet')
    const { id } = chat.say('hello')
    await chat.until('I do not know you yet', id)
  })

  test('a learner who blocks the bot is unlinked, and can come back', async () => {
    const chat = await house.chat('blocker')
    house.telegram.block(chat.id)
    const deadline = Date.now() + 20_000
    while ((await channelsOf('blocker'))[0]?.status !== 'pending' && Date.now() < deadline) {
      await pause(50)
    }
    expect(await channelsOf('blocker')).toMatchObject([
      { status: 'pending', failure: 'the bot was blocked by the user' },
    ])
  })

  test('a block that Telegram did not tell of is found when something is said', async () => {
    const { chat, arcId } = await beginInChat('silent')
    house.telegram.block(chat.id, false)
    await house.api.post(`/api/arcs/${arcId}/pause`)
    const deadline = Date.now() + 20_000
    while ((await channelsOf('silent'))[0]?.status !== 'pending' && Date.now() < deadline) {
      await pause(50)
    }
    expect(await channelsOf('silent')).toMatchObject([
      { status: 'pending', failure: '403: Forbidden: bot was blocked by the user' },
    ])
  })
})

describe('the conversation', () => {
  test('goes both ways, with buttons for options and a mark on right answers', async () => {
    const { chat, arcId } = await beginInChat('ada')
    const kinds = new Set<string>()
    let last = 0
    // Through the level check and into the first quiz.
    while (!(kinds.has('typed') && kinds.has('tapped'))) {
      await chat.untilSeen(() => (asked(chat)?.id ?? 0) > last)
      const question = asked(chat)
      last = question.id
      const { pendingQuestion } = await house.api.until(arcId, (arc) => arc.pendingQuestion)
      const isCheck = pendingQuestion.kind === 'diagnostic'
      const isTap = hasOptions(question)
      const said = rightly(chat, question)
      const after = typeof said === 'string' ? question.id : said.id
      const reply = await chat.until(/./, after)
      expect(reply.replyTo).toBe(after)
      await chat.untilSeen(() => question.buttons.length === 0)
      if (isCheck) {
        expect(reply.text).not.toContain('✅')
        continue
      }
      expect(reply.text).toMatch(/^✅/)
      if (isTap) expect(reply.text).toContain(`${sumOf(question)}`)
      await chat.untilSeen((all) =>
        all.some(({ id, reactions }) => id === after && reactions.includes('👍')),
      )
      kinds.add(isTap ? 'tapped' : 'typed')
    }
    const items = await transcript(arcId)
    // What the tutor asked stands in the chat, in order, and nothing twice.
    const sums = (all: { text: string }[]) => all.flatMap(({ text }) => SUM.exec(text)?.[0] ?? [])
    const inChat = sums(chat.seen().filter(({ from }) => from === 'bot'))
    const onPage = items.filter(({ role, questionId }) => role === 'tutor' && questionId)
    const asPlain = onPage.map(({ text }) => ({ text: text.replaceAll('$', '') }))
    expect(inChat).toEqual(sums(asPlain).slice(0, inChat.length))
    expect(inChat.length).toBeGreaterThan(2)
    const rows = await house.api.world.db
      .selectFrom('arc_messages')
      .select('channel')
      .where('arc_id', '=', arcId)
      .where('role', '=', 'learner')
      .execute()
    expect(new Set(rows.map(({ channel }) => channel))).toEqual(new Set(['telegram']))
  }, 120_000)

  test('an update that comes twice counts once', async () => {
    const { chat, arcId } = await beginInChat('twice')
    const { id } = chat.say('hint')
    await chat.until(/./, id)
    house.telegram.repeatLast()
    chat.say('/help')
    await chat.until('/topics lists')
    const said = (await transcript(arcId)).filter(({ role }) => role === 'learner')
    expect(said.map(({ text }) => text)).toEqual(['hint'])
  })

  test('a question has buttons for a hint and to pass over it; in the level check, for not knowing', async () => {
    const { chat, arcId } = await beginInChat('buttons')
    const words = ({ buttons }: SeenMessage) =>
      buttons.filter(({ data }) => data?.startsWith('do:')).map(({ text }) => text)
    const heard = async () =>
      (await transcript(arcId)).filter(({ role }) => role === 'learner').map(({ text }) => text)
    let question = asked(chat)
    for (
      let probes = 0;
      (await house.api.get(`/api/arcs/${arcId}`)).body.phase === 'DIAGNOSING';
    ) {
      expect(words(question)).toEqual(['I don’t know'])
      chat.tap('I don’t know')
      probes += 1
      expect(probes).toBeLessThan(12)
      await chat.untilSeen(() => asked(chat).id > question.id)
      question = asked(chat)
    }
    const { pendingQuestion } = await house.api.until(arcId, (arc) => arc.pendingQuestion)
    expect(words(question)).toEqual(['Hint', 'Skip'])
    const before = (await heard()).length

    // A double tap, and the same update twice, are one hint.
    const taps = [chat.tap('Hint'), chat.tap('Hint')]
    house.telegram.repeatLast()
    await chat.until('Put them together', question.id)
    await chat.untilSeen(() => taps.every((tap) => house.telegram.tapAnswers.get(tap) === 'Hint'))
    expect(await heard()).toHaveLength(before + 1)
    expect(words(question)).toEqual(['Hint', 'Skip'])
    // A moment later it is another.
    await pause(1_600)
    chat.tap('Hint')
    await chat.until('Count on', question.id)
    const { pendingQuestion: same } = (await house.api.get(`/api/arcs/${arcId}`)).body
    expect(same).toMatchObject({ id: pendingQuestion.id, hintsLeft: 0 })

    const skip = question.buttons.find(({ text }) => text === 'Skip')
    house.telegram.tap(question, skip)
    await house.api.until(arcId, (arc) => arc.pendingQuestion && arc.pendingQuestion.id !== same.id)
    await chat.untilSeen(() => question.buttons.length === 0)
    const after = (await heard()).length
    // A button of a question that is over is answered, and does nothing.
    const late = house.telegram.tap(question, skip)
    await chat.untilSeen(() => house.telegram.tapAnswers.has(late))
    expect(house.telegram.tapAnswers.get(late)).toContain('not open any more')
    expect(await heard()).toHaveLength(after)
  }, 120_000)

  test('/new that comes twice begins one topic', async () => {
    const { chat } = await beginInChat('once')
    chat.say('/new')
    await chat.until('take a course')
    const tap = chat.tap('Sums')
    await chat.untilSeen(() => house.telegram.tapAnswers.has(tap))
    house.telegram.repeatLast()
    chat.say('/help')
    await chat.until('/topics lists')
    expect(await arcsOf('once')).toHaveLength(2)
  })

  test('the same question answered at once in Telegram and in the page counts once', async () => {
    const { chat, arcId } = await beginInChat('both')
    const question = asked(chat)
    const { pendingQuestion } = await house.api.until(arcId, (arc) => arc.pendingQuestion)
    const inPage = house.api.post(
      `/api/arcs/${arcId}/messages`,
      { text: String(sumOf(question)), questionId: pendingQuestion.id },
      { Prefer: 'wait=30' },
    )
    rightly(chat, question)
    expect((await inPage).status).toBe(200)
    await chat.untilSeen(() => question.buttons.length === 0)
    const closed = async () =>
      house.api.world.db
        .selectFrom('arc_questions')
        .select(['id', 'quality'])
        .where('arc_id', '=', arcId)
        .where('closed_at', 'is not', null)
        .execute()
    const deadline = Date.now() + 20_000
    let waiting = 1
    while (waiting > 0 && Date.now() < deadline) {
      await pause(100)
      const rows = await house.api.world.db
        .selectFrom('inbox')
        .select('id')
        .where('entity_id', '=', arcId)
        .where('answered_at', 'is', null)
        .execute()
      waiting = rows.length
    }
    expect(await closed()).toEqual([{ id: pendingQuestion.id, quality: expect.any(Number) }])
  })

  test('what is answered in the page loses its buttons, and is not told', async () => {
    const { chat, arcId } = await beginInChat('page')
    // To the first question with buttons.
    let last = 0
    for (;;) {
      await chat.untilSeen(() => (asked(chat)?.id ?? 0) > last)
      if (hasOptions(asked(chat))) break
      last = asked(chat).id
      rightly(chat, asked(chat))
    }
    const question = asked(chat)
    const { pendingQuestion } = await house.api.until(arcId, (arc) => arc.pendingQuestion)
    const { body } = await house.api.post(
      `/api/arcs/${arcId}/messages`,
      { text: String(sumOf(question)), questionId: pendingQuestion.id },
      { Prefer: 'wait=30' },
    )
    await chat.untilSeen(() => question.buttons.length === 0)
    const next = body.pendingQuestion.text.replaceAll('$', '')
    chat.say('/help')
    await chat.until('/topics lists')
    expect(chat.seen().some(({ text }) => text.includes(next))).toBe(false)
    // Whoever comes back to the chat is shown what is open now.
    chat.say('/topics')
    await chat.until('Your topics')
    chat.tap('Sums')
    await chat.until(next)
  })

  test('a reply goes to the topic of the message that it replies to', async () => {
    const { chat, arcId: first } = await beginInChat('two')
    const early = asked(chat)
    chat.say('/new Sums')
    await chat.untilSeen(() => asked(chat).id > early.id)
    const [other] = (await arcsOf('two')).filter(({ arcId }) => arcId !== first)
    chat.say('hint', early)
    const { id } = chat.say('explain')
    await chat.untilSeen((all) => all.some(({ replyTo }) => replyTo === id))
    const words = async (arcId: string) =>
      (await transcript(arcId)).filter(({ role }) => role === 'learner').map(({ text }) => text)
    // The reply brought the first one in hand again.
    expect(await words(first)).toEqual(['hint', 'explain'])
    expect(await words(other?.arcId ?? '')).toEqual([])
  })

  test('a reply to a notice goes to the topic that the notice is about', async () => {
    const chat = await house.chat('noticed')
    const arcId = await house.api.begin({ learnerId: 'noticed' })
    await house.api.begin({ learnerId: 'noticed' })
    const { db } = house.api.world
    const channel = await db
      .selectFrom('learner_channels')
      .select(['id', 'learner_id', 'address'])
      .where(sql`address ->> 'chatId'`, '=', String(chat.id))
      .executeTakeFirstOrThrow()
    const id = randomUUID()
    const notice: Notice = {
      ...{ id, kind: 'reviews', date: '2026-03-02', language: 'en', title: 'One review is due' },
      ...{ text: 'It takes a minute.', path: `/arcs/${arcId}`, action: 'Review now', minutes: 1 },
      items: [{ arcId, topic: 'Sums', nodeId: randomUUID(), label: 'Adding numbers' }],
    }
    const { token, url: apiRoot } = house.telegram
    const notices = telegramChannel({ token, apiRoot, webhookSecret: null })
    const sending = {
      ...{ key: id, learnerId: channel.learner_id, pageUrl: house.url },
      signal: AbortSignal.timeout(20_000),
    }
    const reference = await notices.send(channel.address, notice, sending)
    const row = { id, learner_id: channel.learner_id, date: notice.date, kind: notice.kind }
    await db
      .insertInto('nudges')
      .values({ ...row, notice: JSON.stringify(notice), created_at: new Date() })
      .execute()
    await db
      .insertInto('nudge_deliveries')
      .values({
        ...{ nudge_id: id, channel_id: channel.id, channel: 'telegram', status: 'sent' },
        reference: JSON.stringify(reference),
      })
      .execute()
    const shown = await chat.until('One review is due')
    const said = chat.say('hint', shown)
    await chat.untilSeen((all) => all.some(({ replyTo }) => replyTo === said.id))
    expect((await transcript(arcId)).at(-1)?.role).toBe('tutor')
    // The question that the page has asked is shown with it, and the notice's button leads there too.
    const question = await chat.until(SUM)
    chat.tap('Sums')
    await chat.until(SUM, question.id)
  })

  test('a picture or a voice is answered in a friendly way', async () => {
    const { chat } = await beginInChat('photo')
    house.telegram.say(chat.id, '', null, { photo: [{ file_id: 'x', width: 1, height: 1 }] })
    await chat.until('only read text')
  })

  test('of an arc that is only used in the page the chat hears nothing', async () => {
    const chat = await house.chat('quiet')
    const arcId = await house.api.begin({ learnerId: 'quiet' })
    const before = chat.seen().length
    await house.api.post(`/api/arcs/${arcId}/messages`, { text: 'hint' }, { Prefer: 'wait=30' })
    chat.say('/help')
    await chat.until('/topics lists')
    expect(chat.seen().length).toBe(before + 2)
  })

  test('waits as long as Telegram asks it to', async () => {
    const { chat } = await beginInChat('limit')
    house.telegram.limited = { method: 'sendMessage', times: 1, retryAfter: 2 }
    const sentAt = Date.now()
    const { id } = chat.say('hint')
    await chat.until(/./, id)
    expect(Date.now() - sentAt).toBeGreaterThan(1_900)
    expect(house.telegram.limited.times).toBe(0)
  })

  test('two processes of the API never poll at once', async () => {
    const other = await house.another()
    const { chat } = await beginInChat('pair')
    const { id } = chat.say('hint')
    await chat.until(/./, id)
    await pause(6_000)
    expect(house.telegram.conflicts).toBe(0)
    await other.stop()
  })
})
