import { ApplicationFailure } from '@temporalio/common'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startWorkflow } from '../../src/api/arc-commands.ts'
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
    const lost = new Set<string>()
    world.faults.afterCommit = ({ arcId, key }, outcome) => {
      if (outcome !== 'written' || lost.has(`${arcId} ${key}`)) return
      lost.add(`${arcId} ${key}`)
      throw ApplicationFailure.retryable('the worker died')
    }
    const arc = await world.begin(NO_DIAGNOSIS)
    await arc.answerUntil(() => false)
    await arc.sleepUntilDue()
    await arc.question('review')
    await arc.answerUntil(() => false)

    const own = world.commits.filter(({ commit }) => commit.arcId === arc.arcId)
    const repeated = own.filter(({ outcome }) => outcome === 'repeated')
    expect(repeated.length).toBeGreaterThan(15)
    const written = own.filter(({ outcome }) => outcome === 'written')
    expect(lost.size).toBe(written.length)
    expect(own.filter(({ outcome }) => outcome === 'superseded')).toEqual([])
    expect(written.map(({ commit }) => commit.generation)).toEqual(written.map((_, i) => i + 1))
    const told = (await arc.transcript()).filter(({ question_id }) => question_id !== null)
    const questions = told.filter(({ role }) => role === 'tutor').map((row) => row.question_id)
    expect(new Set(questions).size).toBe(questions.length)
    expect(await arc.responses()).toHaveLength(4 * 3 + 4)
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

    await startWorkflow(world.dependencies, await arc.row())
    await arc.send('the same again', { messageId })
    expect((await arc.question('quiz')).id).toBe(id)
    await arc.answer()
    expect(await arc.responses()).toMatchObject([{ question_id: id, quality: 5 }])
    const told = (await arc.transcript()).filter(({ question_id }) => question_id === id)
    expect(told.map(({ role }) => role)).toEqual(['tutor', 'learner'])
    await arc.abandon()
  })

  test('another writer went on: the workflow loads the arc again and does the turn from there', async () => {
    const arc = await world.begin(NO_DIAGNOSIS)
    await arc.question('teach')
    // As if a second workflow of the same arc had paused it.
    await world.db
      .updateTable('arcs')
      .set((row) => ({ generation: row('generation', '+', 1), commit_key: 'another' }))
      .where('id', '=', arc.arcId)
      .execute()
    await arc.answer()
    expect(await arc.question('quiz')).toMatchObject({ kind: 'quiz' })
    const outcomes = world.commits
      .filter(({ commit }) => commit.arcId === arc.arcId)
      .map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'superseded')).toHaveLength(1)
    const learner = (await arc.transcript()).filter(({ role }) => role === 'learner')
    expect(learner).toHaveLength(1)
    expect(learner[0]?.taken_at).not.toBeNull()
    await arc.abandon()
  })
})
