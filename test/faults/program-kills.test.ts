import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { ArcView, PendingQuestion } from '../../src/contracts/arc.ts'
import { startMenoProcess } from '../support/meno-process.ts'
import { beginArc, patiently } from '../support/scripted-learner.ts'

const INTERPRETER = path.resolve(import.meta.dirname, '../../src/sandbox/interpreter.ts')
const COURSE = path.resolve(import.meta.dirname, '../../courses/python-fundamentals')
/** With its prerequisites; it has a question that asks for a program. */
const UNIT = 'PY-02'
const KILLS = Number(process.env.MENO_CAMPAIGN_ROUNDS || 1)

/** The Python course, cut down to a unit and what it needs. */
function shortCourse(): string {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), 'meno-course-'))
  const folder = path.join(root, 'python-fundamentals')
  cpSync(COURSE, folder, { recursive: true })
  const file = path.join(folder, 'course.yml')
  const course = parse(readFileSync(file, 'utf8')) as { units: string[]; entryUnitId: string }
  const needed = new Set<string>()
  const need = (unitId: string) => {
    if (needed.has(unitId)) return
    needed.add(unitId)
    const unit = readFileSync(path.join(folder, 'units', unitId, 'unit.yml'), 'utf8')
    for (const before of (parse(unit) as { prerequisites: string[] }).prerequisites) need(before)
  }
  need(UNIT)
  need(course.entryUnitId)
  const units = course.units.filter((unitId) => needed.has(unitId))
  writeFileSync(file, stringify({ ...course, units }))
  return root
}

/** An interpreter of this repository is there, and has had the time to begin with what it was started for. */
async function untilInterpreterRuns(): Promise<void> {
  const isInterpreter = (pid: string) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return command.includes(INTERPRETER) && !command.includes('snapshot')
    } catch {
      return false
    }
  }
  const deadline = Date.now() + 60_000
  while (existsSync('/proc') && !readdirSync('/proc').some(isInterpreter)) {
    if (Date.now() > deadline) throw new Error('no interpreter is started')
    await sleep(100)
  }
  await sleep(existsSync('/proc') ? 900 : 5_000)
}

test(`a program is graded once, whatever the worker dies of meanwhile (kills: ${KILLS})`, {
  timeout: 300_000,
}, async (context) => {
  const courses = shortCourse()
  context.onTestFinished(() => rmSync(courses, { recursive: true, force: true }))
  const meno = await startMenoProcess({ MENO_COURSES: courses })
  context.onTestFinished(() => meno.remove())
  context.onTestFailed(() => console.log(meno.log()))
  const settings = { skipDiagnosis: true }
  const topic = 'python fundamentals'
  const arcId = await beginArc(meno.url, { topic, courseId: 'python-fundamentals', settings })

  const open = async (): Promise<PendingQuestion> => {
    for (;;) {
      const { body } = await patiently(meno.url, `/api/arcs/${arcId}`)
      const { pendingQuestion } = body as ArcView
      if (pendingQuestion) return pendingQuestion
      await sleep(100)
    }
  }
  const send = (questionId: string, text: string, messageId: string) =>
    patiently(meno.url, `/api/arcs/${arcId}/messages`, {
      method: 'POST',
      body: JSON.stringify({ text, questionId, messageId }),
    })
  const expectedAnswer = async (id: string) => {
    const [row] = await meno.rows<{ expected: string }>(
      `select case answer_key->>'type' when 'choice' then answer_key->>'correct' else expected end as expected
       from arc_questions where id = $1`,
      [id],
    )
    return row?.expected ?? ''
  }

  let question = await open()
  while (question.format !== 'program') {
    const before = question.id
    await send(before, await expectedAnswer(before), `answer-${before}`)
    while (question.id === before) question = await open()
  }
  // With all its tests it takes about a second, so that a kill finds it running.
  const solution = (await expectedAnswer(question.id)).replace(
    /^\s*```python\n/,
    '```python\nimport time\ntime.sleep(0.2)\n',
  )
  await send(question.id, solution, 'the-program')
  for (let kill = 0; kill < KILLS; kill += 1) {
    await untilInterpreterRuns()
    await meno.kill('worker')
  }
  const answered = `select answered_at from inbox where entity_id = $1 and id = 'the-program'`
  for (;;) {
    const [row] = await meno.rows<{ answered_at: Date | null }>(answered, [arcId])
    if (row?.answered_at) break
    await sleep(200)
  }
  const grades = await meno.rows('select quality from quiz_responses where question_id = $1', [
    question.id,
  ])
  expect(grades).toEqual([{ quality: 5 }])
  const steps = await meno.rows(
    `select output->>'verdict' as verdict from model_steps where entity_id = $1 and kind = 'run-program'`,
    [arcId],
  )
  expect(steps).toEqual([{ verdict: 'passed' }])
  context.task.meta.counted = { kills: KILLS }
})
