import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wakeForgotten } from '../../src/commands/reconciler.ts'
import { workflowId } from '../../src/contracts/temporal.ts'
import { loadCourses } from '../../src/courses/load.ts'
import { keyOfProblem } from '../../src/domain/practice/key-of.ts'
import { reveals } from '../../src/domain/practice/reveals.ts'
import { ingestCourses } from '../../src/retrieval/course-files.ts'
import { storeInput } from '../../src/store/spine/inbox.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'
import { ArcHand } from '../support/arc-hand.ts'
import { openNudge, toldToAgenda } from '../support/open-nudge.ts'

const EXPLANATION = 'First I did the last step backwards, then the one before it'

let api: ArcApi

beforeAll(async () => {
  const courses = await loadCourses(resolve('courses'))
  const algebra = courses.find(({ courseId }) => courseId === 'algebra-basics')
  if (!algebra) throw new Error('the course is gone')
  api = await createArcApi(algebra)
  await ingestCourses(api.world.db, courses, resolve('courses'), { warn: () => {} })
})
afterAll(() => api.stop())

const begin = () => api.begin({ settings: { skipDiagnosis: true } })

const send = async (arcId: string, message: Record<string, unknown>) =>
  (await api.post(`/api/arcs/${arcId}/messages`, message, { Prefer: 'wait=30' })).body

const view = async (arcId: string) => (await api.get(`/api/arcs/${arcId}`)).body

const responses = async (arcId: string) =>
  (await api.get(`/api/arcs/${arcId}/responses`)).body.items.reverse()

/** A session in an arc that has just begun, and whoever works through it. */
async function practise() {
  const arcId = await begin()
  const asked = (await view(arcId)).pendingQuestion
  const turn = await send(arcId, { action: 'practice' })
  const sessionId = turn.replies.at(-1).card.sessionId as string
  return { arcId, asked, turn, sessionId }
}

const session = (sessionId: string) =>
  api.world.db
    .selectFrom('tutoring_sessions')
    .selectAll()
    .where('external_session_id', '=', sessionId)
    .executeTakeFirstOrThrow()

async function problems(sessionId: string) {
  const { session_id } = await session(sessionId)
  return api.world.db
    .selectFrom('problem_attempts')
    .selectAll()
    .where('session_id', '=', session_id)
    .orderBy('problem_index')
    .execute()
}

const say = async (sessionId: string, message: string) => {
  const { status, body } = await api.post('/webhook/tutor/message', {
    session_id: sessionId,
    message,
  })
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

const complete = (sessionId: string) => api.post(`/sessions/${sessionId}/complete`)

/** Waits until the arc has taken up how the session went. */
const takenUp = (sessionId: string) =>
  expect.poll(async () => (await session(sessionId)).arc_turn, { timeout: 30_000 }).not.toBeNull()

const node = async (arcId: string, id: string) => {
  const { body } = await api.get(`/api/arcs/${arcId}/mind-map`)
  return body.nodes.find((candidate: { id: string }) => candidate.id === id)
}

describe('practice in an arc', () => {
  it('opens a session on the concept in hand, counts each problem tried, and leads back', async () => {
    const { arcId, asked, turn, sessionId } = await practise()
    expect(turn).toMatchObject({ phase: 'TEACHING', pendingQuestion: { id: asked.id } })
    expect(turn.replies).toHaveLength(1)
    expect(turn.replies[0].card).toEqual({ type: 'PRACTICE', sessionId })
    const { practiceSessionId, currentNode } = await view(arcId)
    expect(practiceSessionId).toBe(sessionId)
    const stored = await problems(sessionId)
    expect(stored).toHaveLength(5)
    expect(stored.map(({ problem_text }) => problem_text)).not.toContain(asked.text)
    expect((await api.get(`/sessions/${sessionId}`)).body).toMatchObject({
      status: 'active',
      problems_total: 5,
      current_problem: { id: stored[0]?.problem_id, text: stored[0]?.problem_text },
    })
    const right = (index: number) => stored[index]?.correct_answer ?? ''

    expect(await say(sessionId, right(0))).toMatchObject({ category: 'correct' })
    await say(sessionId, '987654')
    await say(sessionId, right(1))
    expect(await say(sessionId, EXPLANATION)).toMatchObject({
      session_status: { current_problem_index: 2, action: 'ADVANCE' },
    })
    await say(sessionId, 'skip')
    for (const wrong of ['987654', '987653', '987652']) await say(sessionId, wrong)
    expect((await view(arcId)).practiceSessionId).toBe(sessionId)
    expect(await complete(sessionId)).toMatchObject({ status: 200, body: { status: 'completed' } })

    await takenUp(sessionId)
    const given = await responses(arcId)
    expect(given.map((one: { quality: number }) => one.quality)).toEqual([5, 3, 0, 1])
    for (const [index, one] of given.entries()) {
      expect(one).toMatchObject({
        nodeId: currentNode.id,
        responseType: 'teach',
        questionText: stored[index]?.problem_text,
      })
    }
    expect(given[1]).toMatchObject({ userAnswer: right(1), attemptNumber: 2 })
    expect(given[3]).toMatchObject({ userAnswer: '987652', attemptNumber: 3 })
    const score = (5 * 2 + 3 * 4 + 0 * 8 + 1 * 16) / 5 / (2 + 4 + 8 + 16)
    const practised = await node(arcId, currentNode.id)
    expect(practised.masteryStatus).toBe('unseen')
    expect(practised.masteryScore).toBeCloseTo(score, 6)

    const after = await view(arcId)
    expect(after).toMatchObject({ phase: 'TEACHING', pendingQuestion: { id: asked.id } })
    expect(after.practiceSessionId).toBeUndefined()
    const { items } = (await api.get(`/api/arcs/${arcId}/messages`)).body
    expect(items.at(-2).text).toContain('2 of 5 solved')
    expect(items.at(-1).text).toContain('still open')
    await send(arcId, { action: 'show', questionId: asked.id })
    expect(await view(arcId)).toMatchObject({ phase: 'QUIZZING' })
  })

  it('gives no answer away before it is earned or the problem given up', async () => {
    const { arcId, sessionId } = await practise()
    const stored = await problems(sessionId)
    const seen: string[] = []
    for (const problem of stored) {
      const key = keyOfProblem(problem)
      for (const message of ['stuck', '987654', 'hint', 'Why is that?', '123456']) {
        const { output } = await say(sessionId, message)
        expect(reveals(output, key, problem.problem_text), `${problem.problem_id}: ${output}`).toBe(
          false,
        )
      }
      seen.push(JSON.stringify((await api.get(`/sessions/${sessionId}`)).body))
      expect((await say(sessionId, 'skip')).output).toContain('**Solution.** ')
    }
    for (const path of ['', '/messages', '/responses', '/mind-map']) {
      seen.push(JSON.stringify((await api.get(`/api/arcs/${arcId}${path}`)).body))
    }
    expect(seen.join('\n')).not.toMatch(/correct_answer|correctAnswer|answer_?key|"expected"/i)
  })

  it('says what a word means that is asked about', async () => {
    const { sessionId } = await practise()
    const { output } = await say(sessionId, 'whats a coefficient?')
    expect(output).toMatch(/^A coefficient is the number that multiplies a letter/)
    expect(output).toContain('The problem again:')
  })

  it('answers a question with the passage of the lesson that fits it', async () => {
    const { sessionId } = await practise()
    const { output, category } = await say(sessionId, 'Why do products come before sums?')
    expect(category).toBe('conceptual_question')
    const lessons = await api.world.db
      .selectFrom('unit_content_chunks')
      .select('text')
      .where('unit_id', '=', 'ENTRY-00')
      .execute()
    const [passage = ''] = output.split('\n\nThe problem again:')
    const body = passage.replace(/^\*\*[^*]+\*\* /, '')
    expect(lessons.map(({ text }) => text)).toContain(body)
    expect(body).toMatch(/product/i)
  })

  it('has what was said for whoever opens its page anew', async () => {
    const { sessionId } = await practise()
    const [first] = await problems(sessionId)
    const said = [await say(sessionId, 'stuck'), await say(sessionId, '987654')]
    const { body } = await api.get(`/sessions/${sessionId}/turns`)
    expect(body.first_problem).toEqual({ id: first?.problem_id, text: first?.problem_text })
    expect(body.items).toMatchObject([
      { turn: 1, student_message: 'stuck', tutor_response: said[0].output, category: 'stuck' },
      { turn: 2, student_message: '987654', tutor_response: said[1].output },
    ])
    expect((await api.get('/sessions/nobody/turns')).status).toBe(404)
  })

  it('makes one session of a message sent twice, and keeps the open one the only one', async () => {
    const arcId = await begin()
    const message = { action: 'practice', messageId: 'once' }
    const [first, again] = await Promise.all([send(arcId, message), send(arcId, message)])
    expect(again.replies[0].card).toEqual(first.replies[0].card)
    const another = await send(arcId, { text: 'practice' })
    expect(another.replies[0].card).toEqual(first.replies[0].card)
    expect(another.replies[0].text).toContain('still open')
    const made = await api.world.db
      .selectFrom('tutoring_sessions')
      .select('session_id')
      .where('arc_id', '=', arcId)
      .execute()
    expect(made).toHaveLength(1)
  })

  it('asks nothing a second time in another session', async () => {
    const { arcId, sessionId } = await practise()
    await complete(sessionId)
    await takenUp(sessionId)
    expect(await responses(arcId)).toEqual([])
    const { replies } = await send(arcId, { action: 'practice' })
    const [before, after] = [
      await problems(sessionId),
      await problems(replies.at(-1).card.sessionId),
    ].map((all) => all.map(({ problem_text }) => problem_text))
    expect(after).toHaveLength(5)
    expect(after?.filter((text) => before?.includes(text))).toEqual([])
  })
})

it('a message in practice tells the agenda that a nudged learner is there', async () => {
  const { arcId, sessionId } = await practise()
  await say(sessionId, 'ok')
  const { db } = api.world
  const learnerId = await openNudge(db, arcId)
  const seen = async () => (await toldToAgenda(db, learnerId)).filter((type) => type === 'seen')
  const before = await seen()
  await say(sessionId, 'thanks')
  expect(await seen()).toHaveLength(before.length + 1)
  await db.deleteFrom('nudges').where('learner_id', '=', learnerId).execute()
  await say(sessionId, 'bye')
  expect(await seen()).toHaveLength(before.length + 1)
  expect((await session(sessionId)).status).toBe('paused')
})

describe('the outcome', () => {
  const outcomeOf = async (arcId: string, sessionId: string) => {
    const { session_id } = await session(sessionId)
    const payload = { sessionId: session_id }
    const input = { entityId: arcId, id: randomUUID(), type: 'practice-outcome', payload }
    await storeInput(api.world.db, input)
    await new ArcHand(api.world, { id: arcId, mind_map_id: '' }).wake()
  }

  it('counts once, however often it is told', async () => {
    const { arcId, asked, sessionId } = await practise()
    const [first, , third] = await problems(sessionId)
    await say(sessionId, first?.correct_answer ?? '')
    await say(sessionId, 'skip')
    await say(sessionId, third?.correct_answer ?? '')
    await complete(sessionId)
    await takenUp(sessionId)
    const { currentNode } = await view(arcId)
    const before = await node(arcId, currentNode.id)
    // Right at the end, and yet only a quiz brings it to its reviews.
    expect(before).toMatchObject({ masteryStatus: 'unseen', nextReviewAt: null })
    await outcomeOf(arcId, sessionId)
    await outcomeOf(arcId, sessionId)
    await send(arcId, { text: 'hint' })
    expect(await responses(arcId)).toHaveLength(3)
    expect(await node(arcId, currentNode.id)).toEqual(before)
    expect((await view(arcId)).pendingQuestion.id).toBe(asked.id)
  })

  it('counts once where the arc does not hear that it was written', async () => {
    const { arcId, sessionId } = await practise()
    const [first] = await problems(sessionId)
    await say(sessionId, first?.correct_answer ?? '')
    let lost = 0
    api.world.faults.afterCommit = ({ arcId: id, by }) => {
      if (id !== arcId || by !== 'advance' || lost > 0) return
      lost += 1
      throw new Error('the connection broke')
    }
    await complete(sessionId)
    await takenUp(sessionId)
    await expect.poll(() => lost, { timeout: 30_000 }).toBe(1)
    api.world.faults.afterCommit = null
    await send(arcId, { text: 'hint' })
    expect(await responses(arcId)).toHaveLength(1)
    const { currentNode } = await view(arcId)
    expect(await node(arcId, currentNode.id)).toMatchObject({ masteryScore: 1 })
  })

  it('reaches an arc whose worker was gone, and one whose workflow was lost', async () => {
    const { arcId, sessionId } = await practise()
    const [first] = await problems(sessionId)
    // New workers replay what was opened before.
    await api.world.workersDown()
    await api.world.workersUp()
    await say(sessionId, first?.correct_answer ?? '')
    await api.world.env.client.workflow.getHandle(workflowId.arc(arcId)).terminate('lost')
    await complete(sessionId)
    await takenUp(sessionId)
    expect(await responses(arcId)).toHaveLength(1)
    expect(await view(arcId)).toMatchObject({ phase: 'TEACHING' })
  })

  it('changes nothing in an arc that is over, and is not told for ever', async () => {
    const { arcId, sessionId } = await practise()
    const [first] = await problems(sessionId)
    await say(sessionId, first?.correct_answer ?? '')
    await api.post(`/api/arcs/${arcId}/abandon`)
    await api.until(arcId, ({ phase }) => phase === 'ABANDONED')
    expect((await view(arcId)).practiceSessionId).toBeUndefined()
    await complete(sessionId)
    await takenUp(sessionId)
    expect(await responses(arcId)).toEqual([])
    expect(await view(arcId)).toMatchObject({ phase: 'ABANDONED' })
  })
})

describe('the reconciler', () => {
  it('starts a session that is stored and not running, and leaves one that runs alone', async () => {
    const { sessionId } = await practise()
    const { session_id } = await session(sessionId)
    const handle = api.world.env.client.workflow.getHandle(workflowId.practice(session_id))
    const runId = async () => (await handle.describe()).runId
    await expect.poll(() => runId().catch(() => null), { timeout: 30_000 }).not.toBeNull()
    const first = await runId()
    const late = () =>
      api.world.db
        .updateTable('entities')
        .set({ wake_at: new Date(Date.now() - 120_000), signalled_at: null })
        .where('id', '=', session_id)
        .execute()
    await late()
    await wakeForgotten(api.world.dependencies)
    expect(await runId()).toBe(first)
    await handle.terminate('lost')
    await expect
      .poll(
        async () => {
          await late()
          await wakeForgotten(api.world.dependencies)
          return (await handle.describe()).status.name
        },
        { timeout: 30_000 },
      )
      .toBe('RUNNING')
    expect(await runId()).not.toBe(first)
  })
})

describe('a concept without a course', () => {
  it('is not practised while there is nothing to ask, then with what was asked', async () => {
    const arcId = await begin()
    const { currentNode, pendingQuestion } = await view(arcId)
    await api.world.db
      .updateTable('mind_map_nodes')
      .set({ unit_id: null })
      .where('id', '=', currentNode.id)
      .execute()
    const { replies } = await send(arcId, { action: 'practice' })
    expect(replies[0].text).toContain('no practice problems')
    expect(replies[0].card).toBeUndefined()
    expect(replies.at(-1).text).toContain('still open')
    expect((await view(arcId)).pendingQuestion.id).toBe(pendingQuestion.id)
    const id = '00000000-0000-4000-8000-000000000042'
    const { db } = api.world
    const question = {
      ...{ text: 'How much is 40 + 2?', expected: '42', quality: 1, opened_at: new Date() },
      answer_key: JSON.stringify({ type: 'number', value: '42' }),
    }
    const about = { arc_id: arcId, node_id: currentNode.id, concept: currentNode.label }
    await db
      .insertInto('arc_questions')
      .values({ id, ...about, ...question, kind: 'quiz', format: 'short_answer' })
      .execute()
    const opened = await send(arcId, { action: 'practice' })
    const { sessionId } = opened.replies[0].card
    expect((await api.get(`/sessions/${sessionId}`)).body).toMatchObject({
      problems_total: 1,
      current_problem: { id, text: 'How much is 40 + 2?' },
    })
    expect(await say(sessionId, '42')).toMatchObject({ session_status: { status: 'completed' } })
    await takenUp(sessionId)
    expect(await responses(arcId)).toMatchObject([{ quality: 5, userAnswer: '42' }])
  })

  it('of several concepts is mixed when nothing is in hand, and each problem counts on its own', async () => {
    const arcId = await begin()
    const { mindMapId, pendingQuestion } = await view(arcId)
    const { db } = api.world
    // All is learned and nothing due: the arc is put to sleep where it stands.
    await db
      .updateTable('mind_map_nodes')
      .set({ mastery_status: 'reviewing', next_review_at: new Date(Date.now() + 86_400_000) })
      .where('mind_map_id', '=', mindMapId)
      .execute()
    await db
      .updateTable('entities')
      .set({
        state: sql<string>`state || '{"phase": "REVIEWING", "question": null, "lesson": null}'`,
        generation: sql<number>`generation + 1`,
      })
      .where('id', '=', arcId)
      .execute()
    await db
      .updateTable('arc_questions')
      .set({ closed_at: new Date() })
      .where('id', '=', pendingQuestion.id)
      .execute()
    const nodes = await db
      .selectFrom('mind_map_nodes')
      .select('id')
      .where('mind_map_id', '=', mindMapId)
      .execute()
    await db
      .insertInto('quiz_responses')
      .values(
        nodes.map(({ id }) => ({
          ...{ node_id: id, mind_map_id: mindMapId, question_text: 'Before', user_answer: '?' },
          ...{ quality: 0, response_type: 'teach' as const, responded_at: new Date() },
        })),
      )
      .execute()
    const { replies } = await send(arcId, { action: 'practice' })
    const { sessionId } = replies[0].card
    const posed = await problems(sessionId)
    expect(posed).toHaveLength(5)
    expect(new Set(posed.map(({ node_id }) => node_id)).size).toBe(5)
    expect(new Set(posed.map(({ problem_id }) => problem_id)).size).toBe(5)
    for (const { correct_answer } of posed.slice(0, 2)) await say(sessionId, correct_answer)
    await complete(sessionId)
    await takenUp(sessionId)
    const counted = await db
      .selectFrom('quiz_responses')
      .select(['node_id', 'quality'])
      .where('mind_map_id', '=', mindMapId)
      .where('question_text', '<>', 'Before')
      .orderBy('position')
      .execute()
    expect(counted).toEqual(posed.slice(0, 2).map(({ node_id }) => ({ node_id, quality: 5 })))
    // What was answered before counts too: 0 and then 5, with the weights 8 and 16.
    for (const { node_id } of counted) {
      expect((await node(arcId, node_id)).masteryScore).toBeCloseTo(16 / 24, 6)
    }
  })

  it('is not practised in the level check', async () => {
    const arcId = await api.begin()
    const { replies } = await send(arcId, { action: 'practice' })
    expect(replies[0].text).toContain('nothing to practise yet')
  })
})
