import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isSignedWith } from '../../src/channels/lms-webhook.ts'
import type { TeacherAlert, TeacherClass, TeacherSession } from '../../src/contracts/practice.ts'
import { proves } from '../spec/scenario.ts'
import { createPracticeWorld, type PracticeWorld } from '../support/practice-world.ts'

const SECRET = 'shared-with-the-lms'
let world: PracticeWorld
let lms: Server
const received: { body: string; signature: string | undefined; delivery: string | undefined }[] = []
/** How the LMS answers; shifts to the last one, which stays. */
const answers = [200]

beforeAll(async () => {
  lms = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const header = (name: string) => request.headers[name] as string | undefined
    received.push({
      body,
      signature: header('x-meno-signature'),
      delivery: header('x-meno-delivery-id'),
    })
    response.writeHead((answers.length > 1 ? answers.shift() : answers[0]) ?? 200).end()
  })
  await new Promise<void>((listening) => lms.listen(0, '127.0.0.1', listening))
  const { port } = lms.address() as AddressInfo
  world = await createPracticeWorld({
    lms: { url: `http://127.0.0.1:${port}/reports`, secret: SECRET },
  })
})
afterAll(async () => {
  await world.stop()
  lms.close()
})

async function sessionOf(studentId: string): Promise<TeacherSession> {
  const path = `/api/teacher/sessions?studentId=${studentId}`
  const { body } = await world.get<{ items: TeacherSession[] }>(path)
  const [session] = body.items
  if (!session) throw new Error('no session')
  return session
}

async function alertsOf(sessionId: string): Promise<TeacherAlert[]> {
  const { body } = await world.get<{ items: TeacherAlert[] }>('/api/teacher/alerts')
  return body.items.filter((alert) => alert.sessionId === sessionId)
}

/** The events of the stream until `enough` says so; then it is closed. */
async function eventsUntil(
  enough: (events: { type: string; data: Record<string, unknown> }[]) => boolean,
  afterOpening: () => Promise<unknown>,
) {
  const response = await world.api.request('/api/teacher/events')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const events: { type: string; data: Record<string, unknown> }[] = []
  let text = ''
  let opened = false
  while (!enough(events)) {
    const { value, done } = await reader.read()
    if (done) break
    if (!opened) {
      opened = true
      void afterOpening()
    }
    text += new TextDecoder().decode(value)
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, type] = /^event: (.*)$/m.exec(text.slice(0, end)) ?? []
      const [, data] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? []
      if (type && data) events.push({ type, data: JSON.parse(data) })
      text = text.slice(end + 2)
    }
  }
  await reader.cancel()
  return events
}

describe('a teacher', () => {
  it(
    'sees a session as it runs, and hears of a student who is stuck',
    proves('002 Teacher dashboard: A teacher sees a session as it runs, and is alerted'),
    async () => {
      const student = await world.student(['p1', 'p2'])
      const events = await eventsUntil(
        (seen) => seen.some(({ type }) => type === 'alert'),
        async () => {
          for (const message of ['stuck', '9', 'stuck', 'stuck']) await student.say(message)
        },
      )
      const { id } = await sessionOf(student.studentId)
      const own = events.filter(({ data }) => data.id === id)
      expect(own.map(({ data }) => data.attempts)).toEqual([0, 1, 1, 1])
      const alert = events.find(({ type }) => type === 'alert')
      expect(alert?.data).toMatchObject({
        sessionId: id,
        studentId: student.studentId,
        problemId: 'p1',
        signal: 'stuck',
        acknowledgedAt: null,
      })
      expect(JSON.stringify(events)).not.toContain('correct_answer')
    },
  )

  it('acknowledges an alert with a note', async () => {
    const student = await world.student(['p1'])
    for (const message of ['9', '8', '7', '6']) await student.say(message)
    const { id } = await sessionOf(student.studentId)
    const [alert, ...more] = await alertsOf(id)
    expect(more).toEqual([])
    expect(alert).toMatchObject({ signal: 'struggling', acknowledgedAt: null })
    const path = `/api/teacher/alerts/${alert?.id}/acknowledge`
    const { status, body } = await world.post<TeacherAlert>(path, { note: 'seen in class' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ note: 'seen in class', acknowledgedAt: expect.any(String) })
    expect((await world.post('/api/teacher/alerts/none/acknowledge', {})).status).toBe(404)
  })

  it('sees in a class who is stuck, who has been quiet, and what wrong answers looked like', async () => {
    const stuck = await world.student(['p1', 'p2'])
    for (const message of ['-2', '-2', 'stuck', 'stuck', 'stuck']) await stuck.say(message)
    const { status, body } = await world.post<TeacherClass>('/api/teacher/classes/7b', {})
    expect(status).toBe(404)
    expect(body).not.toHaveProperty('stuckNow')
    const put = await world.api.request('/api/teacher/classes/7b', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: '7b', studentIds: [stuck.studentId, 'never-came'] }),
    })
    expect(await put.json()).toEqual({
      id: '7b',
      title: '7b',
      studentIds: ['never-came', stuck.studentId],
      names: { 'never-came': 'never-came', [stuck.studentId]: stuck.studentId },
      stuckNow: [stuck.studentId],
      quiet: [],
      notBegun: ['never-came'],
      misconceptions: [{ tag: 'sign error', count: 2 }],
    })
    const { body: all } = await world.get<{ items: TeacherClass[] }>('/api/teacher/classes')
    expect(all.items.map(({ id }) => id)).toEqual(['7b'])
    await stuck.say('skip')
    const { body: after } = await world.get<{ items: TeacherClass[] }>('/api/teacher/classes')
    expect(after.items[0]?.stuckNow).toEqual([])
  })
})

describe('a report', () => {
  it(
    'is counted from the turns, delivered signed, retried, and sent again on demand',
    proves('002 Teacher dashboard: A report is counted from the turns and delivered'),
    async () => {
      answers.splice(0, answers.length, 500, 503, 200)
      received.splice(0)
      const student = await world.student(['p1', 'p2', 'p3'])
      for (const message of ['2', '4', '-4', 'because I went three to the right', 'skip']) {
        await student.say(message)
      }
      const { id } = await sessionOf(student.studentId)
      await expect
        .poll(async () => (await sessionOf(student.studentId)).delivery, { timeout: 15_000 })
        .toBe('delivered')
      expect(received).toHaveLength(3)
      expect(new Set(received.map(({ delivery }) => delivery)).size).toBe(1)
      for (const { body, signature } of received) {
        expect(isSignedWith(SECRET, body, signature, Date.now())).toBe(true)
      }
      const { body: report } = await world.get(`/api/teacher/sessions/${id}/report`)
      expect(JSON.parse(received[2]?.body ?? '')).toEqual(report)
      expect(report).toMatchObject({
        session_id: student.sessionId,
        student_id: student.studentId,
        question_set: 'algebra_basics_set_1',
        summary: { problems_completed: 2, mastery_rate: '33%', scaffolding_rate: '0%' },
        problem_breakdown: [
          { problem_id: 'p1', mastery_signal: 'mastered', attempts: 1, scaffolding_used: false },
          {
            problem_id: 'p2',
            mastery_signal: 'learned',
            attempts: 2,
            key_misconception: 'sign error',
            hint_sequence: { length: 3 },
          },
          { problem_id: 'p3', status: 'skipped' },
        ],
        insights: { strengths: expect.any(Array), recommended_next_steps: expect.any(Array) },
      })
      const nowhere = await world.post(`/api/teacher/reports/${id}/resend`, '')
      expect([nowhere.status, nowhere.body.detail]).toEqual([
        409,
        expect.stringContaining('No learning platform is set up'),
      ])
      vi.stubEnv('LMS_WEBHOOK_URL', 'http://127.0.0.1:9/')
      onTestFinished(() => void vi.unstubAllEnvs())
      const resend = await world.post(`/api/teacher/reports/${id}/resend`, '')
      expect(resend.status).toBe(202)
      await expect.poll(() => received.length, { timeout: 15_000 }).toBe(4)
      expect(received[3]?.delivery).not.toBe(received[2]?.delivery)
      const running = await world.student(['p1'])
      const { id: other } = await sessionOf(running.studentId)
      expect((await world.post(`/api/teacher/reports/${other}/resend`, '')).status).toBe(409)
    },
  )
})
