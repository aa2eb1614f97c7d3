import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'

const DAY_MS = 86_400_000

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
}, 120_000)

afterAll(() => api.stop())

/** An arc of a learner with two concepts to be reviewed in these many days. */
async function arcWithReviews(learnerId: string, ...inDays: number[]) {
  const arcId = await api.begin({ learnerId, settings: { skipDiagnosis: true } })
  const { body: map } = await api.get(`/api/arcs/${arcId}/mind-map`)
  for (const [index, days] of inDays.entries()) {
    await api.world.db
      .updateTable('mind_map_nodes')
      .set({
        mastery_status: 'reviewing',
        next_review_at: new Date(Date.now() + days * DAY_MS),
      })
      .where('id', '=', map.nodes[index].id)
      .execute()
  }
  return { arcId, labels: map.nodes.map(({ label }: { label: string }) => label) as string[] }
}

const date = (inDays: number) => new Date(Date.now() + inDays * DAY_MS).toISOString().slice(0, 10)

describe('what falls due', () => {
  test('is counted by day over all open arcs of the learner', async () => {
    await arcWithReviews('rosa', -3, 2)
    await arcWithReviews('rosa', 2)
    await arcWithReviews('other', 2)
    const { arcId: closed } = await arcWithReviews('rosa', 2)
    await api.post(`/api/arcs/${closed}/abandon`)
    await api.until(closed, (arc) => arc.phase === 'ABANDONED')
    const { status, body } = await api.get('/api/learners/rosa/forecast')
    expect(status).toBe(200)
    expect(body).toEqual({
      forecast: [
        { date: date(0), count: 1 },
        { date: date(2), count: 2 },
      ],
    })
  })

  test('is reckoned from what is supposed of the learner’s time, the same each time', async () => {
    await arcWithReviews('vera', -1, 2)
    const path = '/api/learners/vera/forecast?days=30&minutesPerDay=20&noWeekends=true'
    const { status, body } = await api.get(path)
    expect(status).toBe(200)
    expect(body.forecast.length).toBeGreaterThan(3)
    for (const day of body.forecast) {
      expect(day).toEqual({
        date: expect.any(String),
        count: expect.any(Number),
        minutes: expect.any(Number),
      })
      expect([0, 6]).not.toContain(new Date(day.date).getUTCDay())
      expect(day.date < date(31)).toBe(true)
    }
    const { earliest, likely, latest, reason } = body.finish
    expect([earliest, likely, latest].toSorted()).toEqual([earliest, likely, latest])
    expect(earliest > date(7)).toBe(true)
    expect(reason).toMatch(/^(The time between|Time is|The free|Missed)/)
    expect((await api.get(path)).body).toEqual(body)
    const away = `&holidayFrom=${date(0)}&holidayTo=${date(20)}`
    const { body: later } = await api.get(path + away)
    expect(later.finish.likely > likely).toBe(true)
    expect(later.forecast.every((day: { date: string }) => day.date > date(20))).toBe(true)
  })

  test.each(['days=0', 'aim=2', 'minutesPerDay=x', 'holidayFrom=2026-01-01', 'noWeekends=maybe'])(
    'is not reckoned from %s',
    async (query) => {
      await arcWithReviews('vera')
      expect((await api.get(`/api/learners/vera/forecast?${query}`)).status).toBe(422)
    },
  )

  test('is a calendar', async () => {
    const { labels } = await arcWithReviews('carl', 1)
    const { status, headers, body } = await api.get('/api/learners/carl/calendar.ics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/calendar/)
    expect(body).toContain(`DTSTART;VALUE=DATE:${date(1).replaceAll('-', '')}\r\n`)
    expect(body.replaceAll('\r\n ', '')).toContain(`DESCRIPTION:Sums: ${labels[0]}\r\n`)
  })
})

describe('GET /api/learners/:id/export', () => {
  test('has all that is kept of the learner, and of nobody else', async () => {
    const { arcId, labels } = await arcWithReviews('exported')
    await api.begin({ learnerId: 'stranger' })
    await api.post(`/api/arcs/${arcId}/messages`, { text: 'hint' }, { Prefer: 'wait=60' })
    const { status, headers, body } = await api.get('/api/learners/exported/export')
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('attachment')
    expect(body.learner).toMatchObject({ handle: 'exported' })
    const { tables } = body
    expect(tables.arcs.map(({ id }: { id: string }) => id)).toEqual([arcId])
    expect(tables.mind_maps).toHaveLength(1)
    expect(tables.mind_map_nodes.map(({ label }: { label: string }) => label)).toEqual(labels)
    expect(tables.arc_messages).toContainEqual(
      expect.objectContaining({ role: 'learner', text: 'hint' }),
    )
    for (const table of ['arc_messages', 'arc_questions']) {
      const arcs = new Set(tables[table].map((row: { arc_id: string }) => row.arc_id))
      expect(arcs).toEqual(new Set([arcId]))
    }
  })

  test('holds no key of an open question', async () => {
    const { arcId } = await arcWithReviews('keys')
    const { body } = await api.get('/api/learners/keys/export')
    const [open] = body.tables.arc_questions
    expect(open).toMatchObject({ arc_id: arcId, closed_at: null })
    expect(Object.keys(open)).not.toEqual(expect.arrayContaining(['answer_key']))
    expect(Object.keys(open)).not.toEqual(expect.arrayContaining(['expected']))
  })
})

test('the Anki file has the questions that were answered, and not the open one', async () => {
  const arcId = await api.begin({ learnerId: 'anki', settings: { skipDiagnosis: true } })
  const { pendingQuestion: check } = await api.until(arcId, (arc) => arc.pendingQuestion !== null)
  const empty = await api.get('/api/learners/anki/anki')
  expect(empty.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(empty.body).not.toContain(check.id)
  await api.post(`/api/arcs/${arcId}/messages`, { action: 'show' }, { Prefer: 'wait=60' })
  const { body } = await api.get('/api/learners/anki/anki')
  expect(body).toContain(`"${check.id}"\t`)
  const open = await api.until(arcId, (arc) => arc.pendingQuestion !== null)
  expect(body).not.toContain(open.pendingQuestion.id)
})

test.each(['forecast', 'calendar.ics', 'reviews.csv', 'retention', 'anki', 'export'])(
  '%s of an unknown learner is not found',
  async (what) => {
    expect((await api.get(`/api/learners/nobody/${what}`)).status).toBe(404)
  },
)
