import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallCourse } from '../support/small-course.ts'
import { openTelegramHouse, type TelegramHouse } from '../support/telegram-house.ts'

/** The day of this house: long enough that a nudge is out while the test looks at it. */
const DAY_MS = 120_000

let house: TelegramHouse

beforeAll(async () => {
  const course = smallCourse()
  const units = course.units.slice(0, 1)
  house = await openTelegramHouse(null, {
    course: { ...course, units, prereqEdges: [] },
    dayMs: DAY_MS,
  })
}, 120_000)

afterAll(() => house.stop())

/** A learner who talks with an arc in their chat until nothing is left to learn there; a review is due 4 s later. */
async function asleep(handle: string) {
  const chat = await house.chat(handle)
  const steps = [4_000 / DAY_MS, 1]
  const arcId = await house.api.begin({
    learnerId: handle,
    settings: { skipDiagnosis: true, quizQuestions: 1, learningSteps: steps },
  })
  // The house has begun another topic for the chat, which is not to be asked about.
  const { body } = await house.api.get(`/api/arcs?learnerId=${await idOf(handle)}`)
  for (const other of body.items) {
    if (other.arcId !== arcId) await house.api.post(`/api/arcs/${other.arcId}/abandon`)
  }
  chat.say('/topics')
  await chat.until('Your topics')
  chat.tap('Sums')
  for (let last = ''; ; ) {
    const arc = await house.api.until(
      arcId,
      ({ phase, pendingQuestion: open }) => phase === 'REVIEWING' || (open && open.id !== last),
    )
    if (arc.phase === 'REVIEWING') return { chat, arcId }
    const { id, text, options } = arc.pendingQuestion
    last = id
    const asked = await chat.until(text.replaceAll('$', ''))
    const [, a, b] = /(\d+) \+ (\d+)/.exec(text) ?? []
    const right = String(Number(a) + Number(b))
    if (options) chat.tap(right)
    else chat.say(right, asked)
  }
}

const idOf = async (handle: string) =>
  (await house.api.get(`/api/learners/${handle}`)).body.id as string

/** Waits until the nudge of a learner has gone out over the bot, and the chat was told of all that the arc has done. */
async function nudged(handle: string, arcId: string): Promise<void> {
  const { db } = house.api.world
  const learnerId = await idOf(handle)
  const deadline = Date.now() + 60_000
  for (;;) {
    const delivery = await db
      .selectFrom('nudge_deliveries')
      .innerJoin('nudges', 'nudges.id', 'nudge_id')
      .where('learner_id', '=', learnerId)
      .where('status', '=', 'sent')
      .select('nudge_id')
      .executeTakeFirst()
    const relay = await db
      .selectFrom('telegram_relays')
      .innerJoin('entities', 'entities.id', 'arc_id')
      .where('arc_id', '=', arcId)
      .select(['told', 'last_event'])
      .executeTakeFirst()
    if (delivery && relay && Number(relay.told) >= Number(relay.last_event)) return
    if (Date.now() > deadline) throw new Error('no nudge went out')
    await pause(200)
  }
}

test('a review that opens by itself reaches a chat once: as a nudge that leads to its question', async () => {
  const { chat, arcId } = await asleep('rosa')
  const { id: before } = await chat.until('back in')
  const { pendingQuestion } = await house.api.until(arcId, (arc) => arc.pendingQuestion)
  expect(pendingQuestion.kind).toBe('review')
  await nudged('rosa', arcId)
  const told = chat.seen().filter(({ id, from }) => id > before && from === 'bot')
  expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('review is due')])
  chat.tap('Sums')
  const shown = await chat.until(pendingQuestion.text.replaceAll('$', ''), before)
  expect(shown.id).toBeGreaterThan(before)
})
