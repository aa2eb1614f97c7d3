import { unzipSync } from 'fflate'
import ICAL from 'ical.js'
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
    const [event] = eventsOf(body)
    expect(event?.startDate.toString()).toBe(date(1))
    expect(event?.description).toContain(`Sums: ${labels[0]}\n`)
  })
})

const eventsOf = (calendar: string) =>
  new ICAL.Component(ICAL.parse(calendar))
    .getAllSubcomponents('vevent')
    .map((event) => new ICAL.Event(event))

describe('the private address of the calendar', () => {
  const remove = (path: string) => fetch(api.url + path, { method: 'DELETE' })
  const feedOf = async (learner: string) => {
    const { status, body } = await api.post(`/api/learners/${learner}/calendar-feed`)
    expect(status).toBe(201)
    return new URL(body.url).pathname
  }

  test('leads there until it is renewed or revoked', async () => {
    await arcWithReviews('feed', 1)
    await api.world.db
      .updateTable('learners')
      .set({ study_time: '18:00', time_zone: 'Asia/Tokyo' })
      .where('handle', '=', 'feed')
      .execute()
    const first = await feedOf('feed')
    const { status, headers, body } = await api.get(first)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/calendar/)
    const [event] = eventsOf(body)
    expect(event?.startDate.toJSDate().toISOString()).toMatch(/T09:00:00/)
    const second = await feedOf('feed')
    expect(second).not.toBe(first)
    expect((await api.get(first)).status).toBe(404)
    expect(eventsOf((await api.get(second)).body)[0]?.uid).toBe(event?.uid)
    const feed = async () => (await api.get('/api/learners/feed/calendar-feed')).body
    expect(Date.now() - Date.parse((await feed()).since)).toBeLessThan(120_000)
    expect((await remove('/api/learners/feed/calendar-feed')).status).toBe(204)
    expect(await feed()).toEqual({ since: null })
    expect((await api.get(second)).status).toBe(404)
  })

  test('is long, of its learner alone, and kept as a digest', async () => {
    await api.begin({ learnerId: 'one' })
    await api.begin({ learnerId: 'two' })
    const [one, two] = [await feedOf('one'), await feedOf('two')]
    expect(one).toMatch(/^\/calendar\/[\w-]{43}\.ics$/)
    expect(one).not.toBe(two)
    const kept = JSON.stringify(
      await api.world.db.selectFrom('calendar_feeds').selectAll().execute(),
    )
    expect(kept).not.toContain(one.slice(10, -4))
  })

  test.each(['x.ics', `${'A'.repeat(43)}.ics`, `${'A'.repeat(43)}`, '%00.ics'])(
    'another one (%j) is not found',
    async (file) => {
      expect((await api.get(`/calendar/${file}`)).status).toBe(404)
    },
  )
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

  test('holds no key of what is still to be answered', async () => {
    const { arcId } = await arcWithReviews('keys')
    await api.post(`/api/arcs/${arcId}/messages`, { action: 'skip' }, { Prefer: 'wait=60' })
    const { body } = await api.get('/api/learners/keys/export')
    const open = body.tables.arc_questions.find((row: { closed_at: unknown }) => !row.closed_at)
    expect(open).toMatchObject({ arc_id: arcId, kind: 'quiz', expected: '', solution: null })
    const { state } = body.tables.entities.find(({ id }: { id: string }) => id === arcId)
    expect(state.lesson.quiz.questions).toHaveLength(3)
    for (const question of state.lesson.quiz.questions) {
      expect(Object.keys(question).sort()).toEqual(
        ['concept', 'text', 'format', 'options', 'difficulty', 'source'].sort(),
      )
    }
  })
})

describe('DELETE /api/learners/:id', () => {
  const remove = (id: string) => fetch(`${api.url}/api/learners/${id}`, { method: 'DELETE' })

  test('ends what runs, and leaves nothing to be found', async () => {
    const { arcId } = await arcWithReviews('leaver')
    const { body: learner } = await api.get('/api/learners/leaver')
    expect((await remove('leaver')).status).toBe(204)
    expect((await remove('leaver')).status).toBe(404)
    for (const path of [`/api/learners/${learner.id}`, `/api/arcs/${arcId}`]) {
      expect((await api.get(path)).status).toBe(404)
    }
    const workflow = api.world.env.client.workflow.getHandle(`arc-${arcId}`)
    await workflow.result()
    expect((await workflow.describe()).status.name).toBe('COMPLETED')
  })

  test('of the local learner leaves an installation that starts afresh', async () => {
    const first = await api.begin()
    const { body: before } = await api.get('/api/learners/me')
    expect((await remove('me')).status).toBe(204)
    const { status, body: after } = await api.get('/api/learners/me')
    expect(status).toBe(200)
    expect(after.id).not.toBe(before.id)
    expect((await api.get(`/api/arcs/${first}`)).status).toBe(404)
    const again = await api.begin()
    expect((await api.get(`/api/arcs/${again}`)).body.phase).toBe('DIAGNOSING')
  })
})

test('the Anki deck has the questions that were answered, and not the open one', async () => {
  const arcId = await api.begin({ learnerId: 'anki', settings: { skipDiagnosis: true } })
  const { pendingQuestion: check } = await api.until(arcId, (arc) => arc.pendingQuestion !== null)
  const textOf = async () => (await api.get('/api/learners/anki/anki?format=text')).body as string
  const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('"'))
  const { headers } = await api.get('/api/learners/anki/anki?format=text')
  expect(headers.get('content-type')).toMatch(/^text\/plain/)
  expect(rowsOf(await textOf())).toEqual([])
  await api.post(`/api/arcs/${arcId}/messages`, { action: 'show' }, { Prefer: 'wait=60' })
  const rows = rowsOf(await textOf())
  expect(rows).toHaveLength(1)
  const plain = (text: string) => text.replace(/<[^>]*>|[\\()$"]|&quot;/g, '')
  expect(plain(rows[0] ?? '')).toContain(plain(check.text))
  const { pendingQuestion: open } = await api.until(arcId, (arc) => arc.pendingQuestion !== null)
  expect(plain(rows[0] ?? '')).not.toContain(plain(open.text))

  const answer = await fetch(`${api.url}/api/learners/anki/anki`)
  expect(answer.headers.get('content-disposition')).toContain('meno.apkg')
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  expect(Object.keys(files)).toEqual(['collection.anki2', 'media'])
  expect((await api.get('/api/learners/anki/anki?format=else')).status).toBe(422)
})

test.each(['forecast', 'calendar.ics', 'reviews.csv', 'retention', 'anki', 'export'])(
  '%s of an unknown learner is not found',
  async (what) => {
    expect((await api.get(`/api/learners/nobody/${what}`)).status).toBe(404)
  },
)
