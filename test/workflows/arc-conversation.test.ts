import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wakeForgotten } from '../../src/commands/reconciler.ts'
import { SIGNAL } from '../../src/contracts/temporal.ts'
import type { ArcHand } from '../support/arc-hand.ts'
import { type ArcWorld, createArcWorld, DAY_MS } from '../support/arc-world.ts'

let world: ArcWorld

beforeAll(async () => {
  world = await createArcWorld()
})

afterAll(() => world.stop())

const NO_DIAGNOSIS = { settings: { skipDiagnosis: true } }

/** An arc that has the question of a phase open. */
async function arcAt(kind: 'diagnostic' | 'teach' | 'quiz' | 'review'): Promise<ArcHand> {
  if (kind === 'diagnostic') {
    const arc = await world.begin()
    await arc.question('diagnostic')
    return arc
  }
  const arc = await world.begin(NO_DIAGNOSIS)
  if (kind === 'review') {
    await arc.answerUntil(() => false)
    await arc.sleepUntilDue()
  } else await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === kind)
  await arc.question(kind)
  return arc
}

describe('skip', () => {
  test('while diagnosing it ends the diagnosis', async () => {
    const arc = await arcAt('diagnostic')
    await arc.act('skip')
    expect(await arc.view()).toMatchObject({
      phase: 'TEACHING',
      pendingQuestion: { kind: 'teach' },
    })
    expect(await arc.responses()).toEqual([])
    await arc.abandon()
  })

  test('while diagnosing, not knowing passes over one probe only', async () => {
    const arc = await arcAt('diagnostic')
    const first = await arc.question()
    await arc.act('dont_know')
    const second = await arc.question()
    expect(second).toMatchObject({ kind: 'diagnostic' })
    expect(second.id).not.toBe(first.id)
    await arc.abandon()
  })

  test('while teaching it passes over the concept, which counts as met', async () => {
    const arc = await arcAt('teach')
    const { currentNode } = await arc.view()
    await arc.act('skip_concept')
    const skipped = (await arc.nodes()).find(({ id }) => id === currentNode?.id)
    expect(skipped?.metadata).toMatchObject({ skipped: true })
    const { currentNode: next, phase } = await arc.view()
    expect(phase).toBe('TEACHING')
    expect(next?.id).not.toBe(currentNode?.id)
    await arc.abandon()
  })

  test('the last concept skipped completes the arc', async () => {
    const arc = await arcAt('teach')
    for (let concept = 0; concept < 4; concept += 1) await arc.act('skip_concept')
    expect((await arc.view()).phase).toBe('COMPLETED')
    expect((await arc.phases()).slice(-2)).toEqual(['TEACHING', 'COMPLETED'])
    expect(await arc.status()).toBe('COMPLETED')
  })

  test('in a quiz it stores quality 0 and asks the next question', async () => {
    const arc = await arcAt('quiz')
    const { id } = await arc.question()
    await arc.act('skip')
    expect(await arc.responses()).toMatchObject([
      { question_id: id, quality: 0, response_type: 'teach' },
    ])
    expect((await arc.question('quiz')).id).not.toBe(id)
    await arc.abandon()
  })

  test('in a review it stores no response, and the concept is due again after the first step', async () => {
    const arc = await arcAt('review')
    const before = await arc.responses()
    const { nodeId } = await arc.question()
    await arc.act('skip')
    expect(await arc.responses()).toHaveLength(before.length)
    const node = (await arc.nodes()).find(({ id }) => id === nodeId)
    expect(node).toMatchObject({ mastery_status: 'reviewing', repetitions: 1 })
    const inDays = ((node?.next_review_at?.getTime() ?? 0) - (await world.now())) / DAY_MS
    expect(inDays).toBeCloseTo(1, 2)
    await arc.abandon()
  })
})

describe.each(['diagnostic', 'teach', 'quiz', 'review'] as const)('at a %s question', (kind) => {
  test('a question of one’s own is answered, and the place is kept', async () => {
    const arc = await arcAt(kind)
    const { id } = await arc.question()
    const before = await arc.responses()
    const replies = await arc.say('what is a bracket?')
    expect(replies.join()).toMatch(/bracket/i)
    expect((await arc.question()).id).toBe(id)
    expect(await arc.responses()).toEqual(before)
    await arc.abandon()
  })

  test('being shown the answer leads on', async () => {
    const arc = await arcAt(kind)
    const { id } = await arc.question()
    await arc.act('show')
    const view = await arc.settled()
    expect(view.pendingQuestion?.id).not.toBe(id)
    await arc.abandon()
  })

  test('a pause keeps the question for weeks, and any message ends it', async () => {
    const arc = await arcAt(kind)
    const { id } = await arc.question()
    await arc.pause()
    await arc.until(({ paused }) => paused)
    const { generation } = await arc.view()
    await world.sleep(40 * DAY_MS)
    expect(await arc.view()).toMatchObject({ paused: true, generation, pendingQuestion: { id } })
    await arc.answer()
    expect(await arc.view()).toMatchObject({ paused: false })
    expect((await arc.settled()).pendingQuestion?.id).not.toBe(id)
    await arc.abandon()
  })

  test('what cannot be read is not graded: the same question is put again', async () => {
    const arc = await arcAt(kind)
    const { id } = await arc.question()
    const before = await arc.responses()
    await arc.say('the quick brown fox')
    expect((await arc.question()).id).toBe(id)
    expect(await arc.responses()).toEqual(before)
    await arc.answer()
    expect((await arc.settled()).pendingQuestion?.id).not.toBe(id)
    await arc.abandon()
  })
})

test.each(['enough for now', 'that is enough, thanks!'])(
  'to the offer to stop, “%s” is a rest that any word ends',
  async (words) => {
    const arc = await world.begin(NO_DIAGNOSIS)
    const offer = await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === 'choice')
    expect(offer).toMatchObject({ pendingQuestion: { kind: 'choice' }, resting: false })
    await arc.say(words)
    const resting = await arc.settled()
    expect(resting).toMatchObject({ pendingQuestion: null, resting: true, paused: false })
    expect(resting.phase).not.toBe('REVIEWING')
    await arc.say('I am back')
    expect(await arc.question()).toBeDefined()
    expect(await arc.view()).toMatchObject({ resting: false })
    await arc.abandon()
  },
)

test('paused, no review opens; resumed, what fell due is offered', async () => {
  const arc = await world.begin(NO_DIAGNOSIS)
  await arc.answerUntil(() => false)
  await arc.pause()
  await arc.until(({ paused }) => paused)
  await world.sleep(21 * DAY_MS)
  expect(await arc.view()).toMatchObject({ paused: true, pendingQuestion: null })
  expect(await arc.events('review')).toEqual([])
  await arc.resume()
  await arc.question('review')
  const [offered] = (await arc.events('review')).map(({ data }) => data as { nodeIds: string[] })
  expect(offered?.nodeIds).toHaveLength(4)
  await arc.abandon()
})

test('a message signalled five times has one effect', async () => {
  const arc = await arcAt('quiz')
  const { id } = await arc.question()
  const messageId = randomUUID()
  const text = await arc.rightAnswer()
  for (let time = 0; time < 5; time += 1) await arc.send(text, { messageId, questionId: id })
  await arc.turnOf(messageId)
  await arc.say('plan')
  expect((await arc.responses()).filter(({ question_id }) => question_id === id)).toHaveLength(1)
  expect(await arc.responses()).toHaveLength(1)
  const told = (await arc.transcript()).filter(({ role }) => role !== 'learner')
  const turns = new Set(told.map(({ turn, text: said }) => `${turn} ${said}`))
  expect(turns.size).toBe(told.length)
  await arc.abandon()
})

test('after continue-as-new an old message signalled again has no effect', async () => {
  const arc = await arcAt('quiz')
  const { id } = await arc.question()
  const messageId = randomUUID()
  await arc.say(await arc.rightAnswer(), { messageId, questionId: id })
  await arc.answerUntil(() => false)
  await arc.sleepUntilDue()
  await arc.question('review')
  await arc.answerUntil(() => false)
  const before = await arc.transcript()
  await arc.send('999', { messageId, questionId: id })
  await arc.say('plan')
  const after = await arc.transcript()
  expect(after.slice(before.length).map(({ role }) => role)).toEqual(['learner', 'tutor'])
  await arc.abandon()
})

test('an answer to a question no longer open is acknowledged and not graded', async () => {
  const arc = await arcAt('quiz')
  const { id } = await arc.question()
  await arc.answer()
  const next = await arc.question('quiz')
  const replies = await arc.say('2', { questionId: id })
  expect(replies.length).toBeGreaterThan(0)
  expect(await arc.responses()).toHaveLength(1)
  expect((await arc.question()).id).toBe(next.id)
  const toNone = await arc.say('2', { questionId: randomUUID() })
  expect(toNone.length).toBeGreaterThan(0)
  expect(await arc.responses()).toHaveLength(1)
  await arc.abandon()
})

test('a message on its way while the arc closed is acknowledged', async () => {
  const arc = await arcAt('quiz')
  const [one, two] = [(await arc.store('one')).id, (await arc.store('two')).id]
  const again = (messageId: string) => arc.send('', { messageId })
  await Promise.all([again(one), arc.abandon().then(() => again(two))])
  expect(await arc.status()).toBe('COMPLETED')
  // This server may refuse a signal in the instant in which a run ends; a client sends again.
  await again(two)
  for (const id of [one, two]) expect(await arc.turnOf(id)).toBeInstanceOf(Array)
  await expect(arc.store('three')).rejects.toThrow('closed')
  expect((await arc.view()).phase).toBe('ABANDONED')
})

test('a message that was stored before the arc closed, its signal lost, is acknowledged', async () => {
  const arc = await arcAt('quiz')
  const { id } = await arc.store('almost', { sentAt: Date.now() - 60_000 })
  await arc.abandon()
  expect(await arc.status()).toBe('COMPLETED')
  await wakeForgotten(world.dependencies)
  expect(await arc.turnOf(id)).toEqual([])
})

test('a grade that the model gave may be contested once, and the second grade counts', async () => {
  let graded = 0
  world.faults.afterStep = ({ kind }, output) => {
    if (kind !== 'grade') return output
    graded += 1
    return {
      isAnswer: true,
      quality: graded < 3 ? 1 : 4,
      is_correct: graded > 2,
      feedback_text: 'Judged.',
    }
  }
  const arc = await world.begin({ tutor: 'model', ...NO_DIAGNOSIS })
  await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === 'quiz')
  const { id } = await arc.question()
  await world.db
    .updateTable('arc_questions')
    .set({ answer_key: null, criteria: 'adds' })
    .where('id', '=', id)
    .execute()
  await arc.say('you put both heaps together', { questionId: id })
  const again = await arc.question()
  expect(again.attempt).toBe(2)
  await arc.say('you put both heaps into one', { questionId: again.id })
  expect(await arc.responses()).toMatchObject([{ quality: 1, question_id: again.id }])

  await arc.act('contest')
  const [regraded] = await arc.responses()
  expect(regraded).toMatchObject({ quality: 4 })
  expect(regraded?.evaluator_notes).toContain('1')
  await arc.act('contest')
  expect(graded).toBe(3)
  expect((await arc.responses())[0]).toMatchObject({ quality: 4 })

  await arc.answerUntil(({ phase }) => phase !== 'QUIZZING')
  expect((await arc.responses()).map(({ quality }) => quality)).toEqual([4, 5, 5])
  const passed = (await arc.nodes()).filter(({ mastery_status }) => mastery_status === 'reviewing')
  expect(passed).toHaveLength(1)
  world.faults.afterStep = null
  await arc.abandon()
})

test('a grade of code is checked again by code and kept', async () => {
  const arc = await arcAt('quiz')
  await arc.answer(false)
  const [first] = await arc.responses()
  await arc.act('contest')
  expect(await arc.responses()).toMatchObject([{ id: first?.id, quality: first?.quality }])
  await arc.signal(SIGNAL.abandon, { reason: '' })
})
