import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../spec/scenario.ts'
import type { ArcHand } from '../support/arc-hand.ts'
import { type ArcWorld, createArcWorld, DAY_MS } from '../support/arc-world.ts'

let world: ArcWorld

beforeAll(async () => {
  world = await createArcWorld()
})

afterAll(() => world.stop())

/** The days on which each concept was reviewed, counted from the answer that ended its quiz. */
async function calendar(arc: ArcHand): Promise<Record<string, number[]>> {
  const responses = await arc.responses()
  const days: Record<string, number[]> = {}
  for (const { id, label } of await arc.nodes()) {
    const own = responses.filter(({ node_id }) => node_id === id)
    const first = own.findIndex(({ response_type }) => response_type === 'review')
    const before = first < 0 ? own : own.slice(0, first)
    const passed = before.filter(({ response_type }) => response_type === 'teach').at(-1)
    const reviews = own.filter(({ response_type }) => response_type === 'review')
    const from = passed?.responded_at.getTime() ?? Number.NaN
    days[label] = reviews.map(
      ({ responded_at }) => Math.round(((responded_at.getTime() - from) / DAY_MS) * 100) / 100,
    )
  }
  return days
}

/** Every schedule a concept was given, as its learner was told: the interval in days. */
async function intervals(arc: ArcHand, label: string) {
  const events = (await arc.events('node')).map(
    ({ data }) =>
      data as {
        label: string
        nextReviewAt: string | null
        lastReviewedAt: string
        intervalDays: number
      },
  )
  const dated = events.filter((node) => node.label === label && node.nextReviewAt !== null)
  const days = dated.map(({ intervalDays }) => Math.round(intervalDays * 100) / 100)
  // A side response tells of the concept too, and changes no schedule.
  return days.filter((each, index) => each !== days[index - 1])
}

async function reviewUntilOver(arc: ArcHand): Promise<void> {
  for (let batch = 0; batch < 30; batch += 1) {
    const { phase } = await arc.answerUntil(() => false)
    if (phase === 'COMPLETED') return
    await arc.sleepUntilDue()
    await arc.question('review')
  }
  throw new Error('30 batches of reviews did not complete the arc')
}

test(
  'who errs no more after the level check is reviewed on the days of SM-2, and completes',
  proves(
    '000 D2 Spaced repetition: Successful recalls are due after 1 day, then 6, then the last interval times the ease',
    '000 D2 Spaced repetition: The next review is the computed interval after this one',
    '000 D3 Teaching flow state machine: The flow takes the moves of the state diagram',
    '001 On the path of an arc: The arc is completed with its last concept',
  ),
  async () => {
    const arc = await world.begin()
    await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind !== 'diagnostic', false)
    await reviewUntilOver(arc)

    // Quality 5 each time: 1 day, 6 days, then 6 × 2.7, the ease of before the second review.
    expect(await calendar(arc)).toEqual({
      'Adding numbers': [1, 7, 23.2],
      'Adding brackets': [1, 7, 23.2],
      'Taking away': [1, 7, 23.2],
      'Sums of sums': [1, 7, 23.2],
    })
    expect(await intervals(arc, 'Sums of sums')).toEqual([1, 6, 16.2, 45.36])
    expect(await arc.phases()).toEqual([
      ...['PENDING', 'DIAGNOSING', 'PLANNING'],
      ...Array.from({ length: 4 }, () => ['TEACHING', 'QUIZZING']).flat(),
      ...['REVIEWING', 'COMPLETED'],
    ])
    expect(await arc.view()).toMatchObject({
      mastery: { mastered: 4, total: 4, pct: 1 },
      // A quiz of three and three reviews on each of four concepts, all right, and a neighbour's question in each batch.
      closing: { total: 4, mastered: 4, aside: 0, extra: 0, answers: 27, hardest: [], next: [] },
    })
    expect((await arc.transcript()).at(-2)?.text).toContain('You have mastered')
    const map = await world.db
      .selectFrom('mind_maps')
      .select('status')
      .where('id', '=', arc.mindMapId)
      .executeTakeFirst()
    expect(map?.status).toBe('completed')
    expect(await arc.status()).toBe('COMPLETED')
  },
)

test('steps of learning and shorter days are the arc’s own', async () => {
  const arc = await world.begin({ settings: { skipDiagnosis: true, learningSteps: [0.5, 2, 9] } })
  await reviewUntilOver(arc)
  expect((await calendar(arc))['Taking away']).toEqual([0.5, 2.5, 11.5])
})

test(
  'three months away: what is due is asked once, and the rest waits for the answer',
  proves('000 D2 Spaced repetition: What fell due together is asked in one session'),
  async () => {
    const arc = await world.begin({ settings: { skipDiagnosis: true } })
    await arc.answerUntil(() => false)
    const before = await arc.view()
    await world.sleep(90 * DAY_MS)

    const question = await arc.question('review')
    const offered = await arc.events('review')
    expect(offered.map(({ data }) => data)).toEqual([{ nodeIds: [question.nodeId] }])
    expect((await arc.view()).generation).toBe(before.generation + 1)
    const asked = (await arc.transcript()).filter(({ question_id }) => question_id === question.id)
    expect(asked).toHaveLength(1)

    await arc.answer()
    expect((await arc.events('review')).map(({ data }) => data)).toEqual([
      { nodeIds: [question.nodeId] },
      { nodeIds: expect.toSatisfy((ids: string[]) => ids.length === 3) },
    ])
    await arc.answerUntil(() => false)
    expect(await arc.events('review')).toHaveLength(2)
    expect((await calendar(arc))['Adding numbers']).toEqual([expect.closeTo(90, 0)])
    expect(await intervals(arc, 'Adding numbers')).toEqual([1, 6])
    await arc.abandon()
  },
)

test('everything down for three months: the arc is rebuilt from the store, its reviews one late batch', async () => {
  const arc = await world.begin({ settings: { skipDiagnosis: true } })
  await arc.answerUntil(() => false)
  await arc.terminate()
  await world.sleep(90 * DAY_MS)

  await arc.wake()
  const { nodeId } = await arc.question('review')
  await arc.wake()
  const [offered, ...more] = (await arc.events('review')).map(
    ({ data }) => (data as { nodeIds: string[] }).nodeIds,
  )
  expect(offered).toHaveLength(4)
  expect(offered?.[0]).toBe(nodeId)
  expect(more).toEqual([])
  await arc.answerUntil(() => false)
  expect(await arc.events('review')).toHaveLength(1)
  expect((await calendar(arc))['Sums of sums']).toEqual([expect.closeTo(90, 0)])
  await arc.abandon()
})

test(
  'a review missed: the date is cleared, the concept is taught again, and its steps begin again',
  proves('000 D2 Spaced repetition: A failed recall starts again at one day'),
  async () => {
    const arc = await world.begin({ settings: { skipDiagnosis: true } })
    await arc.answerUntil(() => false)
    await arc.sleepUntilDue()
    const { nodeId } = await arc.question('review')
    const node = async () => (await arc.nodes()).find(({ id }) => id === nodeId)
    const label = (await node())?.label ?? ''

    await arc.answer(false)
    expect(await node()).toMatchObject({
      mastery_status: 'learning',
      next_review_at: null,
      repetitions: 0,
    })
    // The other three of the batch come first, then the quiz without a lesson.
    const view = await arc.answerUntil(({ phase }) => phase === 'QUIZZING')
    expect(view.currentNode?.label).toBe(label)
    await reviewUntilOver(arc)

    expect((await calendar(arc))[label]).toEqual([1, 2, 8, expect.any(Number)])
    const given = await intervals(arc, label)
    expect(given.slice(0, 2)).toEqual([1, 6])
    expect(await arc.phases()).toContain('COMPLETED')
  },
)

test('a mastered concept that is missed is reviewed again after the first step', async () => {
  const arc = await world.begin({ settings: { skipDiagnosis: true } })
  await arc.answerUntil(() => false)
  const first = (await arc.nodes())[0]?.id ?? ''
  const isFirst = async () => (await arc.question('review')).nodeId === first
  // All but one are skipped whenever they come, so that one is mastered long before the map is.
  for (let reviews = 0; reviews < 3; ) {
    await arc.sleepUntilDue()
    while ((await arc.settled()).pendingQuestion) {
      if (await isFirst()) {
        await arc.answer()
        reviews += 1
      } else await arc.act('skip')
    }
  }
  const node = async () => (await arc.nodes()).find(({ id }) => id === first)
  expect(await node()).toMatchObject({ mastery_status: 'mastered' })
  const due = (await node())?.next_review_at?.getTime() ?? 0
  await world.sleep(due - (await world.now()) + 1_000)
  while (!(await isFirst())) await arc.act('skip')
  await arc.answer(false)
  const missed = await node()
  expect(missed).toMatchObject({ mastery_status: 'reviewing', mastered_at: null, interval_days: 1 })
  await arc.abandon()
})

test('when it has been quiet for an hour the run is continued as new, and the state survives', async () => {
  const arc = await world.begin({ settings: { skipDiagnosis: true } })
  await reviewUntilOver(arc)
  const runs = await arc.runs()
  // An hour after the lesson, and after each of the reviews but the last.
  expect(runs).toHaveLength(4)
  expect(Math.max(...runs.map(({ events }) => events.length))).toBeLessThan(400)
  const { sessionCount } = await arc.view()
  expect(sessionCount).toBe(4)
})

test('a run of two thousand events is continued as new, also in the middle of a lesson', async () => {
  const arc = await world.begin({ settings: { skipDiagnosis: true } })
  const asked = await arc.question()
  for (let sent = 0; sent < 2_000; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => arc.wake()))
  }
  expect(await arc.runs()).toHaveLength(1)
  const hint = await arc.say('hint')
  await expect.poll(() => arc.runs(), { timeout: 20_000 }).toHaveLength(2)
  expect((await arc.question()).id).toBe(asked.id)
  expect(await arc.say('hint')).not.toEqual(hint)
  await arc.answer()
  expect((await arc.settled()).phase).toBe('QUIZZING')
  const [first] = await arc.runs()
  expect(first?.events.at(-1)?.eventType).toMatch(/CONTINUED_AS_NEW$/)
  await arc.abandon()
})

test('a message wakes a sleeping arc, which goes back to sleep until the same date', async () => {
  const arc = await world.begin({ settings: { skipDiagnosis: true } })
  await arc.answerUntil(() => false)
  const { nextReviewAt } = await arc.view()
  await world.sleep(DAY_MS / 2)
  expect((await arc.say('plan')).join()).toContain('has been taught')
  expect((await arc.say('what is a bracket?')).length).toBeGreaterThan(0)
  expect(await arc.view()).toMatchObject({
    phase: 'REVIEWING',
    nextReviewAt,
    pendingQuestion: null,
  })
  await arc.reviewNow()
  await arc.until(({ generation }) => generation > 0)
  await arc.sleepUntilDue()
  await arc.question('review')
  expect(await arc.events('review')).toHaveLength(1)
  await arc.abandon()
})
