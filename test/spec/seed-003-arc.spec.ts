import { afterAll, beforeAll, expect } from 'vitest'
import type { ArcHand } from '../support/arc-hand.ts'
import { type ArcWorld, createArcWorld, DAY_MS } from '../support/arc-world.ts'
import { requirement } from './scenario.ts'

let world: ArcWorld

beforeAll(async () => {
  world = await createArcWorld()
})
afterAll(() => world.stop())

/** An arc that begins with its first lesson. */
const lesson = () => world.begin({ settings: { skipDiagnosis: true } })

/** Answers the check question of the lesson and then the quiz, as many questions as it has. */
async function quiz(arc: ArcHand, right: boolean): Promise<void> {
  await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === 'quiz')
  const cycles = (await cyclesOf(arc)).length
  for (let question = 1; question <= 3; question += 1) {
    await skipPause(arc)
    await arc.question('quiz')
    await arc.answer(right)
  }
  expect(await cyclesOf(arc)).toHaveLength(cycles + 1)
}

const cyclesOf = (arc: ArcHand) =>
  world.db
    .selectFrom('learning_cycles')
    .selectAll()
    .where('session_id', '=', arc.arcId)
    .orderBy('id')
    .execute()

const transitionsOf = (arc: ArcHand) =>
  world.db
    .selectFrom('agent_transitions')
    .selectAll()
    .where('session_id', '=', arc.arcId)
    .orderBy('id')
    .execute()

const ROLES = ['coordinator', 'diagnostic', 'feedback', 'pathplanner', 'quiz', 'tutor']

requirement('003 Agent definitions', (scenario) => {
  scenario(
    'An arc is handed on between the six roles, named in lower case, at most 30 characters',
    async () => {
      const arc = await world.begin()
      await arc.question('diagnostic')
      await arc.act('skip')
      await quiz(arc, false)
      await arc.settled()
      const rows = await transitionsOf(arc)
      const names = new Set(rows.flatMap(({ from_agent, to_agent }) => [from_agent, to_agent]))
      expect([...names].sort()).toEqual(ROLES)
      for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,30}$/)
      await arc.abandon()
    },
  )
})

requirement('000 D3 Teaching flow state machine', (scenario) => {
  scenario('The flow state tells where the learner stands', async () => {
    const arc = await world.begin()
    await arc.question('diagnostic')
    await arc.answer(true)
    await arc.question('diagnostic')
    await arc.act('skip')
    await arc.question('teach')
    const { started_at } = await arc.row()
    const [root] = await arc.nodes()
    const flow = await arc.flowState()
    expect(flow).toMatchObject({
      status: 'TEACHING',
      mind_map_id: arc.mindMapId,
      current_node_id: root?.id,
      current_phase: 'questioning',
      session_count: 1,
    })
    expect(Date.parse(flow.started_at)).toBe(started_at.getTime())
    expect(Date.parse(flow.last_session_at ?? '')).toBeGreaterThan(0)
    const results = Object.values(flow.diagnostic_results)
    expect(results.map(({ quality }) => quality)).toEqual([5])
    await arc.abandon()
  })
})

requirement('003 Routing state machine', (scenario) => {
  scenario(
    'A new arc goes from the coordinator to diagnosis, and from there to the path planner',
    async () => {
      const arc = await world.begin()
      await arc.question('diagnostic')
      await arc.act('skip')
      await arc.question('teach')
      const roles = (await transitionsOf(arc)).map(({ from_agent, to_agent }) => [
        from_agent,
        to_agent,
      ])
      expect(roles).toEqual([
        ['coordinator', 'diagnostic'],
        ['diagnostic', 'pathplanner'],
        ['pathplanner', 'tutor'],
      ])
      await arc.abandon()
    },
  )

  scenario(
    'A hand-over is kept with its reason and the first 100 characters of the message',
    async () => {
      const arc = await lesson()
      await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === 'quiz')
      const asked = `What is the use of all this, ${'and why would anyone want to know it, '.repeat(4)}really?`
      await arc.say(asked)
      const rows = await transitionsOf(arc)
      const excerpts = rows.flatMap(({ message_excerpt }) => message_excerpt ?? [])
      expect(excerpts).toContain(asked.slice(0, 100))
      for (const { reason } of rows) expect(reason).toBeTruthy()
      await arc.abandon()
    },
  )

  scenario(
    'Asked to plan, the path planner answers what comes next and why; the place is kept',
    async () => {
      const arc = await lesson()
      const before = await arc.question('teach')
      const [reply = ''] = await arc.say('plan')
      const labels = (await arc.nodes()).map(({ label }) => label)
      expect(labels.some((label) => reply.includes(label))).toBe(true)
      const to = (await transitionsOf(arc)).map(({ to_agent }) => to_agent)
      expect(to).toContain('pathplanner')
      expect((await arc.question('teach')).text).toBe(before.text)
      await arc.abandon()
    },
  )
})

requirement('003 Learning cycle on a concept', (scenario) => {
  scenario(
    'A quiz at the threshold masters the cycle: the concept is reviewed after a day',
    async () => {
      const arc = await lesson()
      await quiz(arc, true)
      expect(await cyclesOf(arc)).toMatchObject([
        { cycle_number: 1, quiz_score: 1, mastery_achieved: true },
      ])
      const [root] = await arc.nodes()
      expect(root).toMatchObject({ mastery_status: 'reviewing', interval_days: 1 })
      const due = root?.next_review_at?.getTime() ?? 0
      expect(Math.abs(due - (await world.now()) - DAY_MS)).toBeLessThan(3_600_000)
      await arc.abandon()
    },
  )

  scenario(
    'A quiz below it goes to feedback and back to the tutor, with the cycle counted',
    async () => {
      const arc = await lesson()
      await quiz(arc, false)
      expect(await cyclesOf(arc)).toMatchObject([
        { cycle_number: 1, quiz_score: 0, mastery_achieved: false },
      ])
      await arc.settled()
      const roles = (await transitionsOf(arc)).map(({ to_agent }) => to_agent)
      expect(roles.slice(roles.indexOf('quiz'))).toEqual(['quiz', 'feedback', 'tutor'])
      await quiz(arc, true)
      expect(await cyclesOf(arc)).toMatchObject([
        { cycle_number: 1 },
        { cycle_number: 2, quiz_score: 1, mastery_achieved: true },
      ])
      await arc.abandon()
    },
  )

  scenario('Five cycles without mastery lead to the path planner', async () => {
    const arc = await world.begin({ settings: { skipDiagnosis: true, maxCycles: 5 } })
    for (let cycle = 1; cycle <= 5; cycle += 1) {
      await quiz(arc, false)
      if (cycle < 5) await skipPause(arc)
    }
    await arc.settled()
    expect((await cyclesOf(arc)).map(({ cycle_number }) => cycle_number)).toEqual([1, 2, 3, 4, 5])
    const roles = (await transitionsOf(arc)).map(({ to_agent }) => to_agent)
    expect(roles.lastIndexOf('pathplanner')).toBeGreaterThan(roles.lastIndexOf('feedback'))
    await arc.abandon()
  })
})

/** After ten quiz questions of a sitting a pause is offered, which is declined here. */
async function skipPause(arc: ArcHand): Promise<void> {
  const view = await arc.settled()
  if (view.pendingQuestion?.kind === 'choice') await arc.say('go on')
}

requirement('003 Diagnostic results of a learner', (scenario) => {
  scenario('Level, gaps and recommendations are kept with the learner and the arc', async () => {
    const arc = await world.begin()
    await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind !== 'diagnostic', false)
    const row = await world.db
      .selectFrom('diagnostic_results')
      .selectAll()
      .where('session_id', '=', arc.arcId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      user_id: (await arc.row()).learner_id,
      topic: 'Sums',
      learner_level: 'beginner',
    })
    expect(row.recommendations?.length).toBeGreaterThan(0)
    expect(Array.isArray(row.prerequisite_gaps)).toBe(true)
    await arc.abandon()
  })
})
