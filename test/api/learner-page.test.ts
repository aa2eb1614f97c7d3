import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type ArcApi, createArcApi } from '../support/arc-api.ts'
import { smallCourse } from '../support/small-course.ts'

let api: ArcApi

beforeAll(async () => {
  const pictures = [{ name: 'two-heaps.svg', svg: '<svg/>' }]
  api = await createArcApi({ ...smallCourse(), pictures })
}, 120_000)

afterAll(() => api.stop())

async function change(path: string, body: unknown): Promise<Answer> {
  const response = await fetch(api.url + path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** An arc of a learner with a fact that was noticed in it. */
async function remembered(learnerId: string, fact: string) {
  const arcId = await api.begin({ learnerId, settings: { level: 'beginner' } })
  const { db } = api.world
  const { learner_id } = await db
    .selectFrom('arcs')
    .select('learner_id')
    .where('id', '=', arcId)
    .executeTakeFirstOrThrow()
  await db.insertInto('learner_facts').values({ learner_id, arc_id: arcId, fact }).execute()
  return arcId
}

describe('what is remembered', () => {
  test('says where it was noticed, can be corrected, and by nobody for another', async () => {
    const arcId = await remembered('mona', 'likes pictures')
    const { body } = await api.get('/api/learners/mona/memory')
    expect(body.items).toMatchObject([{ fact: 'likes pictures', arcId, topic: 'Sums' }])
    expect(body.levels).toEqual([{ arcId, topic: 'Sums', level: 'beginner', source: 'said' }])
    const path = `/memory/${body.items[0].id}`
    const corrected = await change(`/api/learners/mona${path}`, { fact: 'likes number lines' })
    expect(corrected).toMatchObject({
      status: 200,
      body: { fact: 'likes number lines', arcId, source: 'learner' },
    })
    await remembered('nora', 'is fast')
    expect((await change(`/api/learners/nora${path}`, { fact: 'is slow' })).status).toBe(404)
    expect((await change(`/api/learners/mona${path}`, { fact: ' ' })).status).toBe(422)
    const after = await api.get('/api/learners/mona/memory')
    expect(after.body.items).toMatchObject([{ fact: 'likes number lines' }])
  })
})

describe('settings', () => {
  test('are marked as chosen once somebody sets them, and only those', async () => {
    expect((await api.get('/api/learners/me')).body).toMatchObject({ timeZone: 'UTC', chosen: [] })
    await change('/api/learners/me', { timeZone: 'UTC' })
    for (const timeZone of ['+09:00', '-0300', 'Mars/X']) {
      const { status, body } = await change('/api/learners/me', { timeZone })
      expect([status, body.errors]).toMatchObject([422, [{ pointer: '/timeZone' }]])
    }
    const { body } = await change('/api/learners/me', { language: 'de', timeZone: 'Asia/Tokyo' })
    expect(body).toMatchObject({ timeZone: 'Asia/Tokyo', chosen: ['language', 'timeZone'] })
  })
})

describe('activity', () => {
  test('counts answers by the learner’s own date, each once however often a topic is revived', async () => {
    const arcId = await api.begin({ learnerId: 'abel', settings: { skipDiagnosis: true } })
    const { body: map } = await api.get(`/api/arcs/${arcId}/mind-map`)
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
    const answer = (
      hour: string,
      quality: number,
      response_type: 'review' | 'teach' | 'diagnostic',
      time_taken_seconds: number | null = 20,
      user_answer = '7',
    ) => ({
      node_id: map.nodes[0].id,
      mind_map_id: map.mindMap.id,
      question_text: `asked at ${hour}`,
      responded_at: new Date(`${day}T${hour}:00Z`),
      ...{ quality, response_type, time_taken_seconds, user_answer },
    })
    await api.world.db
      .insertInto('quiz_responses')
      .values([
        answer('09:00', 5, 'review'),
        answer('10:00', 1, 'review', 40_000),
        // Answered beside the topic, where nobody took the time; what was said is no answer.
        answer('11:00', 0, 'teach', null, 'show me the solution'),
        answer('12:00', 5, 'diagnostic'),
        // Past midnight in Tokyo.
        answer('15:30', 5, 'review'),
      ])
      .execute()
    await change('/api/learners/abel', { timeZone: 'Asia/Tokyo' })
    await api.post(`/api/arcs/${arcId}/abandon`)
    await api.until(arcId, ({ phase }) => phase === 'ABANDONED')
    expect((await api.post(`/api/arcs/${arcId}/revive`)).status).toBe(201)
    const { body } = await api.get('/api/learners/abel/activity')
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    expect(body.days).toEqual([
      { date: day, answers: 3, reviews: 2, recalled: 1, seconds: 620 },
      { date: next, answers: 1, reviews: 1, recalled: 1, seconds: 20 },
    ])
    expect(body.missed).toMatchObject([
      { label: map.nodes[0].label, misses: 2, question: 'asked at 11:00', answer: null },
    ])
  })
})

describe('what a topic will become', () => {
  test('is the course it would be taught from, and of it what the goal needs', async () => {
    const { body: all } = await api.get('/api/courses')
    const course = all.items[0]
    expect(course.needed).toEqual(course.units.map(({ unitId }: { unitId: string }) => unitId))
    const last = course.units.findLast(
      ({ prerequisites }: { prerequisites: string[] }) => prerequisites.length > 0,
    )
    const wanted = encodeURIComponent(last.title)
    const { body: found } = await api.get(`/api/courses?topic=${wanted}`)
    expect(found.items[0].needed).toEqual(
      expect.arrayContaining([last.unitId, ...last.prerequisites]),
    )
    const { body: one } = await api.get(`/api/courses/${course.courseId}?goal=${wanted}`)
    expect(one.needed).toEqual(found.items[0].needed)
    expect((await api.get('/api/courses?topic=weaving')).body.items).toEqual([])
  })
})

describe('a picture of a course', () => {
  const at = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${api.url}/api/courses/${path}`, { headers })

  test('is sent as what it is, may run nothing, and is not sent again unchanged', async () => {
    const path = `${smallCourse().courseId}/pictures/two-heaps.svg`
    const answer = await at(path)
    expect([answer.status, await answer.text()]).toEqual([200, '<svg/>'])
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const mark = answer.headers.get('etag') ?? ''
    expect((await at(path, { 'if-none-match': mark })).status).toBe(304)
  })

  test.each([
    'sums/pictures/none.svg',
    'none/pictures/two-heaps.svg',
    'sums/pictures/..%2Fcourse.yml',
  ])('there is none at %s', async (path) => {
    const answer = await at(path.replace('sums', smallCourse().courseId))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ])
  })
})
