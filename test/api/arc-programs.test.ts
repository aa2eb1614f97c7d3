import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'
import { HIDDEN_OUTPUT, programCourse } from '../support/program-course.ts'

const sandbox = createSandbox()
let api: ArcApi
beforeAll(async () => {
  api = await createArcApi(programCourse(), { sandbox })
  // Loading an interpreter takes longer than a message waits where the machine is busy.
  await sandbox.test('', {
    type: 'program',
    language: 'python',
    function: null,
    starter: null,
    tests: [],
  })
})
afterAll(async () => {
  await api.stop()
  await sandbox.stop()
})

/** The right answer to an open question, as the store has it. */
async function rightAnswer(questionId: string): Promise<string> {
  const row = await api.world.db
    .selectFrom('arc_questions')
    .select(['expected', 'answer_key'])
    .where('id', '=', questionId)
    .executeTakeFirstOrThrow()
  const key = row.answer_key as { type: string; correct?: string } | null
  return key?.type === 'choice' ? (key.correct ?? '') : row.expected
}

/** Begins an arc and answers until a program is asked for; all that was sent to the page comes with it. */
async function untilProgram() {
  const arcId = await api.begin({ settings: { skipDiagnosis: true } })
  for (let answers = 0; answers < 10; answers += 1) {
    const { body: arc } = await api.get(`/api/arcs/${arcId}`)
    const { pendingQuestion: question } = arc
    if (question.format === 'program') return { arcId, question }
    const text = await rightAnswer(question.id)
    await send(arcId, question.id, text)
  }
  throw new Error('no program was asked for')
}

const send = (arcId: string, questionId: string, text: string) =>
  api.post(`/api/arcs/${arcId}/messages`, { text, questionId }, { prefer: 'wait=60' })

const gradesOf = (questionId: string) =>
  api.world.db
    .selectFrom('quiz_responses')
    .select(['quality', 'user_answer'])
    .where('question_id', '=', questionId)
    .execute()

it('shows the starter and the examples, and never what is hidden', async () => {
  const { arcId, question } = await untilProgram()
  const name = /add_\w+/.exec(question.text)?.[0]
  expect(question.program).toEqual({
    language: 'python',
    starter: expect.stringContaining(`def ${name}`),
    examples: [{ input: `${name}(1, 2)`, output: '3' }],
  })
  const { body: arc } = await api.get(`/api/arcs/${arcId}`)
  expect(JSON.stringify(arc)).not.toContain('# the solution')
  const turn = await send(arcId, question.id, `def ${name}(a, b):\n    return 3`)
  expect(turn.status).toBe(200)
  const said = JSON.stringify(turn.body.replies)
  expect(said).toContain(`${name}(${HIDDEN_OUTPUT - 7}, 7)`)
  const shown = [
    turn.body.pendingQuestion,
    ...(await Promise.all(
      [`/api/arcs/${arcId}`, `/api/arcs/${arcId}/messages`, `/api/arcs/${arcId}/mindmap`].map(
        async (path) => (await api.get(path)).body,
      ),
    )),
  ]
  const events = await api.world.db
    .selectFrom('events')
    .select('data')
    .where('stream', '=', arcId)
    .execute()
  for (const one of [turn.body, shown, events]) {
    expect(JSON.stringify(one)).not.toContain(String(HIDDEN_OUTPUT))
  }
})

it('grades a right program right, once, and an unreadable one not at all', async () => {
  const { arcId, question } = await untilProgram()
  const name = /add_\w+/.exec(question.text)?.[0]
  const unreadable = await send(arcId, question.id, `def ${name}(a, b) return a + b`)
  expect(unreadable.body.replies[0].text).toContain("expected ':'")
  expect(unreadable.body.pendingQuestion.id).toBe(question.id)
  expect(await gradesOf(question.id)).toEqual([])
  const program = `\`\`\`python\ndef ${name}(a, b):\n    return a + b\n\`\`\``
  const right = await send(arcId, question.id, program)
  expect(right.body.replies[0].text).toContain('Right')
  expect(await gradesOf(question.id)).toEqual([{ quality: 5, user_answer: program }])
})
