import { ApplicationFailure } from '@temporalio/common'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ArcWorld, createArcWorld } from '../support/arc-world.ts'

let world: ArcWorld

beforeAll(async () => {
  world = await createArcWorld()
})

afterEach(() => {
  Object.assign(world.faults, { beforeStep: null, afterStep: null, afterCommit: null })
})

afterAll(() => world.stop())

const NO_DIAGNOSIS = { settings: { skipDiagnosis: true } }

describe('a write that was made, its answer lost', () => {
  test('is made once: nothing is told twice, and what was stored counts', async () => {
    let lost = 0
    let wasLost = false
    // Every second answer: a write that is tried again is heard.
    world.faults.afterCommit = () => {
      wasLost = !wasLost
      if (!wasLost) return
      lost += 1
      throw ApplicationFailure.retryable('the worker died')
    }
    const arc = await world.begin(NO_DIAGNOSIS)
    await arc.answerUntil(() => false)
    await arc.sleepUntilDue()
    await arc.question('review')
    await arc.answerUntil(() => false)

    expect(lost).toBeGreaterThan(8)
    const told = (await arc.transcript()).filter(({ question_id }) => question_id !== null)
    const questions = told.filter(({ role }) => role === 'tutor').map((row) => row.question_id)
    expect(new Set(questions).size).toBe(questions.length)
    // Three questions of a quiz and a review for each of four concepts, and the question that a batch mixes in.
    expect(await arc.responses()).toHaveLength(4 * 3 + 4 + 1)
    const events = await arc.events()
    expect(events.map(({ seq }) => Number(seq))).toEqual(events.map((_, index) => index + 1))
    await arc.abandon()
  })

  test('and its workflow lost too: a new one goes on from what was stored', async () => {
    const arc = await world.begin(NO_DIAGNOSIS)
    await arc.question('teach')
    let lost = false
    world.faults.afterCommit = ({ arcId }) => {
      if (arcId !== arc.arcId) return
      lost = true
      throw ApplicationFailure.retryable('the worker died')
    }
    const messageId = await arc.send(await arc.rightAnswer())
    const { id } = await arc.question('quiz')
    expect(lost).toBe(true)
    await arc.terminate()
    world.faults.afterCommit = null

    await arc.wake()
    await arc.send('the same again', { messageId })
    expect((await arc.question('quiz')).id).toBe(id)
    await arc.answer()
    expect(await arc.responses()).toMatchObject([{ question_id: id, quality: 5 }])
    const told = (await arc.transcript()).filter(({ question_id }) => question_id === id)
    expect(told.map(({ role }) => role)).toEqual(['tutor', 'learner'])
    await arc.abandon()
  })
})
