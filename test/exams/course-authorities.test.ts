import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBuiltInAuthority } from '../../src/exams/built-in-authority.ts'
import { type ExamAuthority, ExamAuthorityError } from '../../src/exams/exam-authority.ts'
import { createHttpAuthority } from '../../src/exams/http-authority.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { Transaction } from '../../src/store/spine/transaction.ts'
import { proves } from '../spec/scenario.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

const DAY = 86_400_000
const NOON = Date.parse('2026-03-01T12:00:00Z')

describe('the built-in exam authority', () => {
  let own: FreshDatabase
  let exams: ExamAuthority
  let studentId: string
  let calls = 0

  beforeAll(async () => {
    own = await freshDatabase()
    exams = committing(DAY)
  })
  beforeEach(async () => {
    const { id } = await ensureLearner(own.db, randomUUID())
    studentId = id
  })
  afterAll(() => own.drop())

  /** Each call in a transaction of its own. */
  const committing = (dayMs: number): ExamAuthority => {
    const call = <T>(made: (exams: ExamAuthority) => Promise<T>) =>
      Transaction.run(own.db, async (transaction) => {
        const answer = await made(createBuiltInAuthority(own.db, transaction, dayMs))
        await transaction.commit([])
        return answer
      })
    return {
      status: (query) => call((each) => each.status(query)),
      attempt: (attempt) => call((each) => each.attempt(attempt)),
      supportView: (view) => call((each) => each.supportView(view)),
    }
  }
  const about = (questionId: string, at: number, key = `call-${calls++}`) => ({
    studentId,
    courseId: 'c',
    questionId,
    at,
    key,
  })
  const answer = (questionId: string, isCorrect: boolean, at = NOON) =>
    exams.attempt({ ...about(questionId, at), tier: 'bronze', isCorrect })
  const statusOf = async (questionId: string, at: number, courseId = 'c') =>
    (await exams.status({ studentId, courseId, questionIds: [questionId], at }))[questionId]

  it('has every question open at first', async () => {
    expect(await statusOf('Q1', NOON)).toEqual({ status: 'available' })
  })

  it(
    'locks a wrong answer for a day, to the millisecond',
    proves('004 Exam authority (PF-5.2): A wrong answer locks the question for a day'),
    async () => {
      const lockedUntil = new Date(NOON + DAY).toISOString()
      expect(await answer('Q1', false)).toEqual({ status: 'locked', lockedUntil })
      expect(await statusOf('Q1', NOON + DAY - 1)).toEqual({ status: 'locked', lockedUntil })
      expect(await statusOf('Q1', NOON + DAY)).toEqual({ status: 'available' })
      expect(await statusOf('Q1', NOON, 'another-course')).toEqual({ status: 'available' })
    },
  )

  it('counts the lock from the last of answer and support', async () => {
    await answer('Q1', false)
    const later = NOON + 10 * 3_600_000
    const seen = await exams.supportView({ ...about('Q1', later), supportType: 'memo' })
    expect(seen.lockedUntil).toBe(new Date(later + DAY).toISOString())
  })

  it('keeps a passed question passed', async () => {
    await answer('Q1', true)
    expect(await statusOf('Q1', NOON)).toEqual({ status: 'passed' })
    const seen = await exams.supportView({ ...about('Q1', NOON), supportType: 'video' })
    expect(seen).toEqual({ status: 'passed' })
    expect(await answer('Q1', false)).toEqual({ status: 'passed' })
  })

  it('carries a call out once', async () => {
    const call = { ...about('Q1', NOON, 'the-same'), tier: 'bronze' as const, isCorrect: false }
    const [first, second] = await Promise.all([exams.attempt(call), exams.attempt(call)])
    expect(second).toEqual(first)
    const again = await exams.attempt({ ...call, at: NOON + 5_000 })
    expect(again).toEqual(first)
  })

  it('scales the lock with the length of a day', async () => {
    const quick = committing(2_000)
    const locked = await quick.attempt({ ...about('Q1', NOON), tier: 'gold', isCorrect: false })
    expect(locked.lockedUntil).toBe(new Date(NOON + 2_000).toISOString())
  })
})

describe('an exam authority over HTTP', () => {
  let server: Server
  let received: { path: string; key: string | undefined; body: unknown }[]
  let respond: (path: string) => Promise<{ status: number; text: string }>
  let exams: ExamAuthority

  beforeEach(async () => {
    received = []
    respond = async () => ({ status: 200, text: '{}' })
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const key = request.headers['idempotency-key'] as string | undefined
      received.push({ path: request.url ?? '', key, body })
      const { status, text } = await respond(request.url ?? '')
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    exams = createHttpAuthority(`http://127.0.0.1:${port}/exams/`, 300)
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const subject = { studentId: 's-1', courseId: 'c', questionId: 'Q1', at: NOON, key: 'key-1' }
  const asked = { studentId: 's-1', courseId: 'c', questionIds: ['Q1', 'Q2'], at: NOON }
  const says = (value: unknown, status = 200) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    respond = async () => ({ status, text })
  }

  it('asks and tells in the agreed shape, every call with its key', async () => {
    says({ Q1: { status: 'available' }, Q2: { status: 'passed' }, Q9: { status: 'available' } })
    expect(await exams.status(asked)).toEqual({
      Q1: { status: 'available' },
      Q2: { status: 'passed' },
    })
    says({ status: 'locked', lockedUntil: '2026-03-02T13:00:00+01:00' })
    expect(await exams.attempt({ ...subject, tier: 'silver', isCorrect: false })).toEqual({
      status: 'locked',
      lockedUntil: '2026-03-02T12:00:00.000Z',
    })
    await exams.supportView({ ...subject, supportType: 'memo' })
    const at = '2026-03-01T12:00:00.000Z'
    const told = { studentId: 's-1', questionId: 'Q1', at }
    expect(received).toEqual([
      {
        path: '/exams/status',
        key: expect.any(String),
        body: { studentId: 's-1', questionIds: ['Q1', 'Q2'] },
      },
      {
        path: '/exams/attempts',
        key: 'key-1',
        body: { ...told, tier: 'silver', isCorrect: false },
      },
      { path: '/exams/support-views', key: 'key-1', body: { ...told, supportType: 'memo' } },
    ])
  })

  it('takes one bad entry for a question it knows nothing of', async () => {
    says({ Q1: { status: 'open' }, Q2: { status: 'locked', lockedUntil: null } })
    expect(await exams.status(asked)).toEqual({ Q2: { status: 'locked' } })
  })

  it.each([
    ['an error', () => says({ status: 'available' }, 500)],
    ['a refusal', () => says({}, 404)],
    ['no JSON', () => says('<html>')],
    ['another shape', () => says(['available'])],
    ['half an answer', () => says('{"Q1": {"status": "avail')],
    ['far too much', () => says(`{"Q1": "${'x'.repeat(300_000)}"}`)],
  ])('does not take %s for an answer', async (_, misbehave) => {
    misbehave()
    await expect(exams.status(asked)).rejects.toThrow(ExamAuthorityError)
    const attempt = exams.attempt({ ...subject, tier: 'gold', isCorrect: true })
    await expect(attempt).rejects.toThrow(ExamAuthorityError)
  })

  it('does not wait for a slow answer', async () => {
    respond = async () => {
      await sleep(2_000)
      return { status: 200, text: '{"status":"available"}' }
    }
    const attempt = exams.attempt({ ...subject, tier: 'gold', isCorrect: true })
    await expect(attempt).rejects.toThrow(ExamAuthorityError)
  })

  it('says so when nobody is there', async () => {
    const nobody = createHttpAuthority('http://127.0.0.1:1')
    await expect(nobody.status(asked)).rejects.toThrow(ExamAuthorityError)
  })
})
