import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { TutorFailure } from '../../src/tutor/mind.ts'
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

describe('abandoned', () => {
  test('while asleep: it closes at once, and its reviews are cancelled', async () => {
    const arc = await world.begin(NO_DIAGNOSIS)
    await arc.answerUntil(() => false)
    await world.sleep(DAY_MS / 2)
    await arc.abandon('enough')
    await arc.until(({ phase }) => phase === 'ABANDONED')
    expect(await arc.view()).toMatchObject({ nextReviewAt: null, pendingQuestion: null })
    expect(await arc.status()).toBe('COMPLETED')
    expect(await arc.searchAttribute('ArcPhase')).toBe('ABANDONED')
    await world.sleep(30 * DAY_MS)
    expect(await arc.events('review')).toEqual([])
    expect((await arc.phases()).slice(-2)).toEqual(['REVIEWING', 'ABANDONED'])
  })

  test('while its model is down', async () => {
    world.faults.beforeStep = async ({ kind }) => {
      if (kind === 'lesson') throw new TutorFailure('refused', 'bad key')
    }
    const arc = await world.begin(BY_MODEL)
    await arc.until(({ blocked }) => blocked !== null)
    await arc.abandon()
    await arc.until(({ phase }) => phase === 'ABANDONED')
    expect(await arc.view()).toMatchObject({ blocked: null })
    expect(await arc.status()).toBe('COMPLETED')
  })

  test('in the middle of a model step: the step is stopped and nothing of it is told', async () => {
    let started = false
    let stopped = false
    world.faults.beforeStep = async ({ kind }, { signal }) => {
      if (kind !== 'lesson') return
      started = true
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true
          reject(new Error('aborted'))
        })
      })
    }
    const arc = await world.begin(BY_MODEL)
    await until(() => started)
    await arc.abandon()
    await arc.until(({ phase }) => phase === 'ABANDONED')
    await until(() => stopped)
    expect(await arc.status()).toBe('COMPLETED')
    const told = (await arc.transcript()).map(({ text }) => text).join()
    expect(told).not.toContain('heaps')
    const steps = await world.db
      .selectFrom('model_steps')
      .select('kind')
      .where('entity_id', '=', arc.arcId)
      .execute()
    expect(steps.map(({ kind }) => kind)).not.toContain('lesson')
  })
})
