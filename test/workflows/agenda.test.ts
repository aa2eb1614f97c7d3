import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHousekeepingActivities } from '../../src/activities/housekeeping.ts'
import { ChannelFailure } from '../../src/channels/channel.ts'
import type { ChannelName } from '../../src/contracts/channel.ts'
import { takeAllSnapshots } from '../../src/store/analytics.ts'
import { storeInput } from '../../src/store/spine/inbox.ts'
import { proves } from '../spec/scenario.ts'
import type { ArcHand } from '../support/arc-hand.ts'
import { type ArcWorld, createArcWorld, DAY_MS } from '../support/arc-world.ts'
import { recordingChannel } from '../support/recording-channel.ts'

const HOUR_MS = DAY_MS / 24

let world: ArcWorld
const telegram = recordingChannel('telegram', { tellsRepeats: false, withdraws: true })
const webhook = recordingChannel('webhook')

beforeAll(async () => {
  world = await createArcWorld(undefined, { channels: [telegram, webhook] })
}, 120_000)
afterAll(() => world.stop())
beforeEach(() => {
  for (const channel of [telegram, webhook]) channel.afterSend = null
})

/** What nobody looks at any more has nothing to be nudged for: the clock is everybody's. */
const begun: ArcHand[] = []
afterEach(async () => {
  for (const arc of begun.splice(0)) {
    if ((await arc.view()).phase !== 'ABANDONED') await arc.abandon()
    await arc.until(({ phase }) => phase === 'ABANDONED')
  }
})

async function link(learnerId: string, ...channels: ChannelName[]): Promise<void> {
  for (const channel of channels) {
    await world.db
      .insertInto('learner_channels')
      .values({ learner_id: learnerId, channel, status: 'linked', address: '{}' })
      .execute()
  }
}

/** An arc whose first concept falls due in so many hours, and its learner with an agenda that knows. */
async function arcDue(inHours: number, channels: ChannelName[], learner = randomUUID()) {
  const arc = await world.begin({ learner, settings: { skipDiagnosis: true } })
  await arc.question()
  const { learner_id: learnerId } = await world.db
    .selectFrom('arcs')
    .select('learner_id')
    .where('id', '=', arc.arcId)
    .executeTakeFirstOrThrow()
  await world.db
    .updateTable('learners')
    .set({ quiet_from: '00:00', quiet_to: '00:00' })
    .where('id', '=', learnerId)
    .execute()
  await link(learnerId, ...channels)
  const now = await world.now()
  await world.db
    .updateTable('mind_map_nodes')
    .set({ mastery_status: 'reviewing', next_review_at: new Date(now + inHours * HOUR_MS) })
    .where('mind_map_id', '=', arc.mindMapId)
    .where('depth', '=', 0)
    .execute()
  await tell(learnerId, 'reviews-changed')
  begun.push(arc)
  return { arc, learnerId }
}

async function tell(learnerId: string, type: string): Promise<void> {
  const id = `${type}/${randomUUID()}`
  await storeInput(world.db, { entityId: learnerId, id, type, payload: {} })
  await world.dependencies.wake({
    id: learnerId,
    product: 'agenda',
    workflow_id: `agenda-${learnerId}`,
    learner_id: learnerId,
    course_id: null,
  })
  await until(async () => {
    const row = await world.db
      .selectFrom('inbox')
      .select('answered_at')
      .where('entity_id', '=', learnerId)
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.answered_at !== null
  })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('waited in vain')
}

const deliveries = (learnerId: string) =>
  world.db
    .selectFrom('nudge_deliveries as delivery')
    .innerJoin('nudges', 'nudges.id', 'delivery.nudge_id')
    .select(['delivery.channel', 'delivery.status', 'delivery.attempts', 'nudges.kind'])
    .where('nudges.learner_id', '=', learnerId)
    .orderBy('delivery.channel')
    .execute()

/** Waits until something was sent and all of it stands so. */
const allAre = (learnerId: string, wanted: string) =>
  until(async () => {
    const rows = await deliveries(learnerId)
    return rows.length > 0 && rows.every(({ status }) => status === wanted)
  })

const eventsOf = async (stream: string) =>
  (
    await world.db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('stream', '=', stream)
      .orderBy('seq')
      .execute()
  ).filter(({ type }) => type.startsWith('nudge'))

const answer = (arc: ArcHand) => arc.say('hint')

const withdrawal = proves(
  '000 D2 Spaced repetition: A review that nobody takes up is withdrawn after 24 hours',
)

describe('a review that falls due', () => {
  test('is nudged for once, on every channel and on the page; an answer takes it back', async () => {
    const { arc, learnerId } = await arcDue(5, ['telegram', 'webhook'])
    await world.sleep(4 * HOUR_MS)
    expect(telegram.of(learnerId)).toEqual([])
    await world.sleep(2 * HOUR_MS)
    await allAre(learnerId, 'sent')
    const sent = [...telegram.of(learnerId), ...webhook.of(learnerId)]
    expect(sent.map(({ what }) => what)).toEqual(['send', 'send'])
    const notice = sent[0]?.notice
    expect(notice).toMatchObject({
      kind: 'reviews',
      title: 'One review is due',
      path: `/arcs/${arc.arcId}?review=1`,
    })
    expect(await eventsOf(arc.arcId)).toMatchObject([
      { type: 'nudge', data: { id: notice?.id, text: notice?.text } },
    ])
    await answer(arc)
    await until(async () => telegram.of(learnerId).length === 2)
    expect(telegram.of(learnerId)[1]).toMatchObject({ what: 'withdraw', reference: { number: 1 } })
    expect(webhook.of(learnerId)).toHaveLength(1)
    await until(async () =>
      (await deliveries(learnerId)).some(({ status }) => status === 'withdrawn'),
    )
    expect((await eventsOf(learnerId)).map(({ type }) => type)).toEqual(['nudge', 'nudge-over'])
  })

  test('nobody takes it up: it is taken back after 24 hours', withdrawal, async () => {
    const { learnerId } = await arcDue(5, ['telegram'])
    await world.sleep(6 * HOUR_MS)
    await until(async () => telegram.of(learnerId).length === 1)
    await world.sleep(22 * HOUR_MS)
    expect(telegram.of(learnerId)).toHaveLength(1)
    await world.sleep(2 * HOUR_MS)
    const takenBack = () => telegram.of(learnerId).filter(({ what }) => what === 'withdraw')
    await until(async () => takenBack().length === 1)
    // What is still due is nudged for anew.
    await until(async () => telegram.of(learnerId).length === 3)
    const [first] = await world.db
      .selectFrom('nudges')
      .select(['withdrawn_at', 'created_at', 'answered_at'])
      .where('learner_id', '=', learnerId)
      .orderBy('created_at')
      .execute()
    expect(first?.answered_at).toBeNull()
    const wasOutMs = (first?.withdrawn_at?.getTime() ?? 0) - (first?.created_at.getTime() ?? 0)
    expect(Math.round(wasOutMs / 60_000)).toBe(24 * 60)
  })
})

describe('a worker that dies between sending and noting it', () => {
  test('five times, over a channel that tells repeats: one nudge, always under its key', async () => {
    const { learnerId } = await arcDue(5, ['webhook'])
    let deaths = 0
    webhook.afterSend = () => {
      if (deaths === 5) return
      deaths += 1
      throw new ChannelFailure('uncertain', 'the worker died')
    }
    await world.sleep(6 * HOUR_MS)
    await until(async () => webhook.of(learnerId).length >= 1)
    await world.sleep(6 * HOUR_MS)
    await allAre(learnerId, 'sent')
    expect(deaths).toBe(5)
    expect(webhook.of(learnerId)).toHaveLength(6)
    // Its receiver keeps the first of a key.
    expect(new Set(webhook.of(learnerId).map(({ key }) => key)).size).toBe(1)
  })

  test('over one that does not: never again, and it is counted', async () => {
    const { learnerId } = await arcDue(5, ['telegram'])
    telegram.afterSend = () => {
      throw new Error('the connection was cut')
    }
    await world.sleep(6 * HOUR_MS)
    await allAre(learnerId, 'uncertain')
    await world.sleep(6 * HOUR_MS)
    expect(telegram.of(learnerId)).toHaveLength(1)
  })
})

describe('a week in which something happened', () => {
  test(
    'is told on Sunday at nine, over the channel of the learner’s choice, with what its snapshots say',
    proves('000 D7 Schedules: A weekly digest goes to the learner by the channel of their choice'),
    async () => {
      const { arc, learnerId } = await arcDue(5, ['webhook', 'telegram'])
      await world.db
        .updateTable('learners')
        .set({ channels: JSON.stringify({ digest: 'telegram', reviews: false }) })
        .where('id', '=', learnerId)
        .execute()
      await takeAllSnapshots(world.db, await world.now())
      await arc.answerUntil(({ phase }) => phase === 'QUIZZING')
      await arc.answer()
      await takeAllSnapshots(world.db, (await world.now()) + DAY_MS)
      await tell(learnerId, 'settings')
      await world.sleep(8 * DAY_MS)
      const digests = () => telegram.of(learnerId).filter(({ notice }) => notice.kind === 'digest')
      await until(async () => digests().length > 0)
      await world.sleep(8 * DAY_MS)
      expect(digests()).toHaveLength(1)
      const [{ notice } = { notice: null }] = digests()
      const [row] = await world.db
        .selectFrom('nudges')
        .select('created_at')
        .where('id', '=', notice?.id ?? '')
        .execute()
      expect(row?.created_at.toUTCString()).toMatch(/^Sun, .* 09:00:/)
      expect(notice?.title).toBe('Your week: one answer on one day')
      expect(notice?.digest?.trends.join()).toContain('% mastered (')
      expect(notice?.digest?.nextWeek).toEqual(['Sums: one review'])
    },
  )
})

describe('an arc whose learner stays away', () => {
  test('is told of over the channels before it is closed and after, with what undoes it', async () => {
    const { arc, learnerId } = await arcDue(24 * 365, ['telegram'])
    const sweep = createHousekeepingActivities({
      db: world.db,
      dayMs: DAY_MS,
      wake: (entity) => {
        world.dependencies.wake(entity).catch(() => {})
      },
    })
    const now = await world.now()
    await sweep.sweepStaleArcs({ at: now + 31 * DAY_MS })
    await sweep.sweepStaleArcs({ at: now + 31 * DAY_MS })
    const stale = () => telegram.of(learnerId).filter(({ notice }) => notice.kind === 'stale')
    await until(async () => stale().length > 0)
    expect(stale()[0]?.notice).toMatchObject({
      title: '“Sums” will be closed in a week',
      path: `/arcs/${arc.arcId}`,
    })
    await sweep.sweepStaleArcs({ at: now + 39 * DAY_MS })
    await arc.until(({ phase }) => phase === 'ABANDONED')
    const closing = () =>
      stale().filter(({ what, notice }) => what === 'send' && /closed$/.test(notice.title))
    await until(async () => closing().length === 1)
    expect(closing()[0]?.notice).toMatchObject({
      path: `/arcs/${arc.arcId}?revive=1`,
      action: 'Take it up again',
    })
  })
})
