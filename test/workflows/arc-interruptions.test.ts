import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { TutorFailure } from '../../src/tutor/mind.ts'
import { proves } from '../spec/scenario.ts'
import { type ArcWorld, createArcWorld, DAY_MS } from '../support/arc-world.ts'

let world: ArcWorld

beforeAll(async () => {
  world = await createArcWorld()
})

afterEach(() => {
  Object.assign(world.faults, { beforeStep: null, afterStep: null, afterCommit: null })
})

afterAll(() => world.stop())

const NO_DIAGNOSIS = { settings: { skipDiagnosis: true } }
const BY_MODEL = { tutor: 'model', ...NO_DIAGNOSIS } as const

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error('waited in vain')
    await pause(20)
  }
}

describe('planned again', () => {
  test(
    'while asleep: it answers, and sleeps on to the same date',
    proves('001 On the path of an arc: A re-plan of a sleeping arc keeps its reviews'),
    async () => {
      const arc = await world.begin(NO_DIAGNOSIS)
      await arc.answerUntil(() => false)
      const before = await arc.view()
      const order = (await arc.nodes()).map(({ label }) => label)
      await world.sleep(DAY_MS / 4)
      await arc.replan({ reason: 'too slow' })
      const view = await arc.until(({ generation }) => generation > before.generation)
      expect(view).toMatchObject({ phase: 'REVIEWING', nextReviewAt: before.nextReviewAt })
      expect((await arc.nodes()).map(({ label }) => label)).toEqual(order)
      await arc.sleepUntilDue()
      await arc.question('review')
      await arc.abandon()
    },
  )

  test(
    'with a question open: the question stays, and new concepts join the map',
    proves(
      '001 On the path of an arc: A re-plan keeps the open question and adds concepts to the map',
    ),
    async () => {
      world.faults.afterStep = ({ kind }, output) =>
        kind === 'replan'
          ? {
              nodes: [{ label: 'Carrying', description: '', effortMinutes: 5, unitId: 'SUM-01' }],
              edges: [{ parent: 'Adding numbers', child: 'Carrying' }],
              explanation: '',
            }
          : output
      const arc = await world.begin(BY_MODEL)
      const { id } = await arc.question('teach')
      await arc.replan()
      await until(async () => (await arc.nodes()).length === 5)
      expect((await arc.question()).id).toBe(id)
      const sequence = (await arc.nodes()).map((node) => node.sequence)
      expect(sequence).toEqual([1, 2, 3, 4, 5])
      await arc.abandon()
    },
  )

  test(
    'a plan refused twice blocks the arc; it is asked for again by itself after 15 minutes',
    proves(
      '001 On the path of an arc: A plan that breaks the rules twice blocks the arc, and is asked for again',
    ),
    async () => {
      let refusals = 0
      world.faults.afterStep = ({ kind, input }, output) => {
        if (kind !== 'graph' || refusals >= 4) return output
        refusals += 1
        if (refusals === 2)
          expect(input).toMatchObject({ violations: expect.arrayContaining([expect.any(String)]) })
        return {
          ...(output as object),
          edges: [
            { parent: 'Adding numbers', child: 'Adding brackets' },
            { parent: 'Adding brackets', child: 'Adding numbers' },
          ],
        }
      }
      const arc = await world.begin(BY_MODEL)
      const { blocked } = await arc.until((view) => view.blocked !== null)
      expect(await arc.view()).toMatchObject({ phase: 'PLANNING' })
      expect(await arc.nodes()).toEqual([])
      expect(Date.parse(blocked?.retryAt ?? '') - Date.parse(blocked?.since ?? '')).toBe(900_000)
      await world.sleep(899_000)
      expect(refusals).toBe(2)
      await world.sleep(2_000)
      await until(() => refusals === 4)
      await arc.until((view) => view.blocked !== null && view.blocked.since !== blocked?.since)
      await arc.replan()
      await arc.question('teach')
      expect(await arc.view()).toMatchObject({ phase: 'TEACHING', blocked: null })
      expect(await arc.nodes()).toHaveLength(4)
      await arc.abandon()
    },
  )
})

describe('a model that is down in mid-turn', () => {
  test('is told of once, and the turn completes by itself when it is back', async () => {
    let down = true
    world.faults.beforeStep = async ({ kind }) => {
      if (kind === 'quiz' && down) throw new TutorFailure('unavailable', 'connection refused')
    }
    const arc = await world.begin(BY_MODEL)
    await arc.question('teach')
    const id = await arc.send(await arc.rightAnswer())
    const outages = async () =>
      (await arc.transcript()).filter(({ role }) => role === 'system').length
    const since = await world.now()
    for (let second = 0; second < 180; second += 6) await world.sleep(6_000)
    await arc.until(({ blocked }) => blocked !== null)
    expect(await outages()).toBe(1)
    const { blocked } = await arc.view()
    expect(Date.parse(blocked?.since ?? '') - since).toBeLessThanOrEqual(20_000)
    expect(Date.parse(blocked?.retryAt ?? '') - (await world.now())).toBeLessThanOrEqual(300_000)

    down = false
    const quiz = (async () => {
      for (let minute = 0; minute < 10; minute += 1) {
        if ((await arc.view()).pendingQuestion?.kind === 'quiz') return
        await world.sleep(60_000)
      }
    })()
    await quiz
    await arc.question('quiz')
    await arc.turnOf(id)
    expect(await outages()).toBe(1)
    expect(await arc.view()).toMatchObject({ blocked: null, phase: 'QUIZZING' })
    const asked = world.asked.filter(({ kind }) => kind === 'quiz').length
    await arc.answer()
    expect(world.asked.filter(({ kind }) => kind === 'quiz')).toHaveLength(asked)
    await arc.abandon()
  })

  test('is asked again at any message, before its time', async () => {
    let down = true
    world.faults.beforeStep = async ({ kind }) => {
      if (kind === 'quiz' && down) throw new TutorFailure('refused', 'no credit')
    }
    const arc = await world.begin(BY_MODEL)
    await arc.question('teach')
    const first = await arc.send(await arc.rightAnswer())
    const { blocked } = await arc.until((view) => view.blocked !== null)
    expect(blocked?.reason).toContain('no credit')
    down = false
    const second = await arc.send('are you there?')
    await arc.question('quiz')
    await arc.turnOf(first)
    await arc.turnOf(second)
    expect((await arc.view()).blocked).toBeNull()
    const learner = (await arc.transcript()).filter(({ role }) => role === 'learner')
    expect(learner.map(({ id }) => id)).toEqual([first, second])
    await arc.abandon()
  })

  test('a course is taught from its own bank; a later lesson that is malformed falls back on it too', async () => {
    const before = world.asked.length
    const asked = () => new Set(world.asked.slice(before).map(({ kind }) => kind))
    world.faults.beforeStep = async ({ kind }) => {
      if (kind === 'lesson') throw new TutorFailure('malformed', 'not what was asked for')
    }
    const arc = await world.begin({ ...BY_MODEL, course: true })
    await arc.question('teach')
    await arc.answer()
    for (let missed = 0; missed < 3; missed += 1) {
      await arc.question('quiz')
      expect(asked().has('lesson')).toBe(false)
      await arc.answer(false)
    }
    await arc.question('teach')
    expect(asked()).toEqual(new Set(['explain', 'feedback', 'lesson']))
    expect((await arc.view()).blocked).toBeNull()
    await arc.abandon()
  })
})
