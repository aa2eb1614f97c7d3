import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { ArcMessage, ArcView } from '../../src/contracts/arc.ts'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import { beginArc, patiently } from '../support/scripted-learner.ts'
import {
  type RecordedCall,
  type ScriptedModel,
  startScriptedModel,
} from '../support/scripted-model.ts'
import { rightAnswer } from '../support/scripted-world.ts'

/** `MENO_OUTAGE_SECONDS=180 npm test -- arc-outage` is the outage of the specification. */
const OUTAGE_SECONDS = Number(process.env.MENO_OUTAGE_SECONDS || 15)
const TOLD_WITHIN_MS = 10_000
const DAY_SECONDS = 6

let model: ScriptedModel
let meno: MenoProcess

beforeAll(async () => {
  model = await startScriptedModel({ concepts: 3 })
  meno = await startMenoProcess({
    MENO_DAY_SECONDS: String(DAY_SECONDS),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
  })
}, 120_000)
afterAll(async () => {
  await meno?.remove()
  await model?.close()
})

const look = async (arcId: string) =>
  (await patiently(meno.url, `/api/arcs/${arcId}`)).body as ArcView

const transcript = async (arcId: string) =>
  (
    (await patiently(meno.url, `/api/arcs/${arcId}/messages?limit=1000`)).body as {
      items: ArcMessage[]
    }
  ).items

const told = async (arcId: string, role: string) =>
  (await transcript(arcId)).filter((message) => message.role === role)

async function until<T>(what: string, seconds: number, look: () => Promise<T | null | false>) {
  for (const deadline = Date.now() + seconds * 1000; ; await sleep(50)) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`${what} did not come in ${seconds} s`)
  }
}

async function say(arcId: string, text: string, questionId?: string): Promise<string> {
  const messageId = randomUUID()
  const body = JSON.stringify({ text, messageId, ...(questionId ? { questionId } : {}) })
  await patiently(meno.url, `/api/arcs/${arcId}/messages`, { method: 'POST', body })
  return messageId
}

/** Answers what is asked until the arc is where the test begins. */
async function leadTo(arcId: string, isThere: (arc: ArcView) => boolean): Promise<ArcView> {
  let answered = ''
  return until('the place', 60, async () => {
    const arc = await look(arcId)
    if (isThere(arc)) return arc
    const question = arc.pendingQuestion
    if (question && question.id !== answered) {
      answered = question.id
      await say(arcId, rightAnswer(question.text), question.id)
    }
    return null
  })
}

const NO_DIAGNOSIS = { skipDiagnosis: true }

/** An arc at the check question of its first lesson: the right answer sets a quiz to be written. */
async function arcAtCheck(): Promise<ArcView> {
  const arcId = await beginArc(meno.url, { topic: 'basket weaving', settings: NO_DIAGNOSIS })
  return leadTo(arcId, (arc) => arc.pendingQuestion?.kind === 'teach')
}

/** Answers the check and returns once the model has begun to write the quiz. */
async function beginQuiz({ arcId, pendingQuestion }: ArcView): Promise<RecordedCall> {
  const before = model.calls.length
  await say(arcId, rightAnswer(pendingQuestion?.text ?? ''), pendingQuestion?.id)
  return until('the quiz', 20, async () => model.calls[before] ?? null)
}

/** The quiz came, and what belongs to the turn was said once. */
async function expectQuizOnce(arcId: string): Promise<void> {
  const texts = (await transcript(arcId)).map(({ role, text }) => `${role}: ${text}`)
  expect(texts.filter((text) => text.includes('to see whether it holds'))).toHaveLength(1)
  expect((await look(arcId)).blocked).toBeNull()
}

const quizzing = (arc: ArcView) => (arc.phase === 'QUIZZING' && !arc.blocked ? arc : null)

test(
  `a model that is down for ${OUTAGE_SECONDS} s in mid-turn: told within 10 s, once, and the turn completes by itself`,
  async () => {
    const arc = await arcAtCheck()
    model.pace(50)
    const call = await beginQuiz(arc)
    await sleep(200)
    expect(call.endedAt).toBeNull()
    await model.down()
    const downAt = Date.now()
    model.pace(0)
    await until('word of the outage', 30, async () => (await look(arc.arcId)).blocked)
    const toldAfterMs = Date.now() - downAt
    expect(toldAfterMs).toBeLessThan(TOLD_WITHIN_MS)
    expect(await told(arc.arcId, 'system')).toHaveLength(1)
    await sleep(OUTAGE_SECONDS * 1000 - (Date.now() - downAt))
    expect((await look(arc.arcId)).blocked).not.toBeNull()
    await model.up()
    const upAt = Date.now()
    await until('the quiz', 330, async () => quizzing(await look(arc.arcId)))
    console.log(
      `down for ${OUTAGE_SECONDS} s: told after ${toldAfterMs} ms,`,
      `done ${Date.now() - upAt} ms after it was back`,
    )
    expect(await told(arc.arcId, 'system')).toHaveLength(1)
    await expectQuizOnce(arc.arcId)
  },
  (OUTAGE_SECONDS + 420) * 1000,
)

test('a model that falls silent in mid-stream: told once, and nothing is paid for twice', async () => {
  const arc = await arcAtCheck()
  model.script({ kind: 'silence', ms: 11_000, after: 2 })
  const before = model.calls.length
  await beginQuiz(arc)
  await until('word of the silence', 10, async () => (await look(arc.arcId)).blocked)
  expect(await told(arc.arcId, 'system')).toHaveLength(1)
  await until('the quiz', 20, async () => quizzing(await look(arc.arcId)))
  expect(model.calls.length - before).toBe(1)
  expect(await told(arc.arcId, 'system')).toHaveLength(1)
  await expectQuizOnce(arc.arcId)
}, 90_000)

test('a refused key: the operator is told what to do, and any message goes on once it works', async () => {
  const arc = await arcAtCheck()
  model.script({ kind: 'status', status: 401 })
  await beginQuiz(arc)
  const blocked = await until('the refusal', 10, async () => (await look(arc.arcId)).blocked)
  expect(blocked.reason).toContain('ANTHROPIC_API_KEY')
  const [notice, ...more] = await told(arc.arcId, 'system')
  expect(notice?.text).toContain('ANTHROPIC_API_KEY')
  expect(more).toEqual([])
  const before = model.calls.length
  await sleep(2_000)
  expect(model.calls.length).toBe(before)
  await say(arc.arcId, 'Are you there?')
  await until('the quiz', 20, async () => quizzing(await look(arc.arcId)))
  await until('the answer', 10, async () =>
    (await told(arc.arcId, 'tutor')).some(({ text }) => text.includes('Are you there?')),
  )
  await expectQuizOnce(arc.arcId)
}, 90_000)

test('a worker killed while a lesson streams: the lesson comes once, by itself', async () => {
  const arcId = await beginArc(meno.url, { topic: 'pottery', settings: NO_DIAGNOSIS })
  onTestFinished(() => model.pace(0))
  const before = model.calls.length
  model.pace(30)
  const lesson = await until('the lesson', 60, async () =>
    model.calls.slice(before).find(({ step }) => step === 'lesson'),
  )
  await sleep(300)
  expect(lesson.endedAt).toBeNull()
  await meno.kill('worker')
  model.pace(0)
  await until('the check question', 60, async () => {
    const { pendingQuestion } = await look(arcId)
    return pendingQuestion?.kind === 'teach'
  })
  expect(lesson.aborted).toBe(true)
  const calls = model.calls.slice(before).filter(({ step }) => step === 'lesson')
  expect(calls.filter(({ aborted }) => !aborted)).toHaveLength(1)
  const lessons = (await told(arcId, 'tutor')).filter(({ text }) => text.includes('###'))
  expect(lessons).toHaveLength(1)
}, 120_000)

test('everything down across a due date: the review is offered once, late', async () => {
  const arcId = await beginArc(meno.url, { topic: 'carpentry', settings: NO_DIAGNOSIS })
  // Every lesson learnt, the arc sleeps until the first review.
  const asleep = await leadTo(
    arcId,
    ({ phase, pendingQuestion, nextReviewAt }) =>
      phase === 'REVIEWING' &&
      !pendingQuestion &&
      Date.parse(nextReviewAt ?? '') > Date.now() + 500,
  )
  const dueAt = Date.parse(asleep.nextReviewAt ?? '')
  const before = await reviewsOpened(arcId)
  await meno.kill('everything')
  await sleep(dueAt + 2_000 - Date.now())
  await meno.start()
  const { pendingQuestion } = await until('the review', 30, async () => {
    const arc = await look(arcId)
    return arc.pendingQuestion ? arc : null
  })
  expect(pendingQuestion?.kind).toBe('review')
  await sleep(2_000)
  expect((await look(arcId)).pendingQuestion?.id).toBe(pendingQuestion?.id)
  expect((await reviewsOpened(arcId)) - before).toBe(1)
  const [question] = await meno.rows<{ opened: Date; asked: number }>(
    `select opened_at as opened,
            (select count(*)::int from arc_messages where question_id = question.id and role = 'tutor') as asked
     from arc_questions question where id = $1`,
    [pendingQuestion?.id],
  )
  expect(question?.opened.getTime()).toBeGreaterThan(dueAt)
  expect(question?.asked).toBe(1)
}, 180_000)

/** How many batches of reviews were opened. */
async function reviewsOpened(arcId: string): Promise<number> {
  const rows = await meno.rows(`select 1 from events where stream = $1 and type = 'review'`, [
    arcId,
  ])
  return rows.length
}
