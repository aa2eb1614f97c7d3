import { createHash, randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importLearner } from '../../src/commands/learner/import.ts'
import type { Course } from '../../src/contracts/course-pack.ts'
import { LearnerExport } from '../../src/contracts/taking-along.ts'
import { beginCourse } from '../../src/store/course/snapshots.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'
import { smallCourse } from '../support/small-course.ts'

const DAY_MS = 86_400_000

let from: ArcApi
let to: ArcApi

beforeAll(async () => {
  from = await createArcApi()
  to = await createArcApi()
}, 240_000)

afterAll(async () => {
  await Promise.all([from.stop(), to.stop()])
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Json = any

const exportOf = async (api: ArcApi, learner: string): Promise<Json> =>
  (await api.get(`/api/learners/${learner}/export`)).body
/** Changes with anything that is kept of the learner. */
const digestOf = async (api: ArcApi, learner: string): Promise<string> =>
  createHash('sha256')
    .update(JSON.stringify((await exportOf(api, learner)).tables))
    .digest('hex')
const bring = (api: ArcApi, learner: string, file: unknown) =>
  api.post(`/api/learners/${learner}/import`, file)
const send = async (api: ArcApi, arcId: string, message: object) => {
  const { status, body } = await api.post(`/api/arcs/${arcId}/messages`, message, {
    Prefer: 'wait=60',
  })
  expect(status).toBe(200)
  return body
}
const arcsOf = async (api: ArcApi, learner: string): Promise<Json[]> => {
  const { body } = await api.get(`/api/learners/${learner}`)
  const { body: page } = await api.get(`/api/arcs?learnerId=${body.id}`)
  return page.items
}
/** The right answer of the open question, from where its key is. */
const rightAnswer = async (api: ArcApi, arcId: string): Promise<string> => {
  const { pendingQuestion } = await api.until(arcId, (arc) => arc.pendingQuestion !== null)
  const row = await api.world.db
    .selectFrom('arc_questions')
    .select('expected')
    .where('id', '=', pendingQuestion.id)
    .executeTakeFirstOrThrow()
  return row.expected
}

/** A map as a learner sees it, without the ids. */
async function mapOf(api: ArcApi, arcId: string) {
  const { mindMap, nodes, edges } = (await api.get(`/api/arcs/${arcId}/mind-map`)).body
  const labels = new Map(nodes.map((node: Json) => [node.id, node.label]))
  return {
    title: mindMap.title,
    status: mindMap.status,
    root: labels.get(mindMap.rootNodeId),
    nodes: nodes.map(({ id: _, ...node }: Json) => node),
    edges: edges
      .map((edge: Json) => [labels.get(edge.parentNodeId), labels.get(edge.childNodeId)])
      .sort(),
  }
}

/** An arc in the middle of its first quiz: one question answered, the second one open. */
async function inQuiz(learnerId: string): Promise<string> {
  const arcId = await from.begin({ learnerId, settings: { skipDiagnosis: true } })
  await send(from, arcId, { action: 'skip' })
  await send(from, arcId, { text: await rightAnswer(from, arcId) })
  const { phase } = await from.until(arcId, (arc) => arc.pendingQuestion !== null)
  expect(phase).toBe('QUIZZING')
  return arcId
}

/** An arc that sleeps until a review: everything else is set aside. */
async function inReviews(learnerId: string): Promise<string> {
  const arcId = await inQuiz(learnerId)
  for (let guard = 0; guard < 30; guard += 1) {
    const arc = await from.until(
      arcId,
      ({ pendingQuestion, phase }) => pendingQuestion !== null || phase === 'REVIEWING',
    )
    if (arc.phase === 'REVIEWING' && arc.pendingQuestion === null) return arcId
    const isLesson = arc.phase === 'TEACHING'
    await send(
      from,
      arcId,
      isLesson ? { action: 'skip_concept' } : { text: await rightAnswer(from, arcId) },
    )
  }
  throw new Error('it does not come to rest')
}

async function completed(learnerId: string): Promise<string> {
  const arcId = await from.begin({ learnerId, settings: { skipDiagnosis: true } })
  for (let guard = 0; guard < 30; guard += 1) {
    const arc = await from.until(
      arcId,
      ({ pendingQuestion, phase }) => pendingQuestion !== null || phase === 'COMPLETED',
    )
    if (arc.phase === 'COMPLETED') return arcId
    await send(from, arcId, { action: 'skip_concept' })
  }
  throw new Error('it does not end')
}

/** The entity of the file's first arc. */
const arcEntity = ({ tables }: Json): Json =>
  tables.entities.find(({ product }: Json) => product === 'arc')

describe('a plan that is taken to another installation', () => {
  let arcs: { quiz: string; reviews: string; completed: string }
  let file: Json

  beforeAll(async () => {
    arcs = {
      quiz: await inQuiz('mover'),
      reviews: await inReviews('mover'),
      completed: await completed('mover'),
    }
    await fetch(`${from.url}/api/learners/mover`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ timeZone: 'Asia/Tokyo', studyTime: '18:30' }),
    })
    file = await exportOf(from, 'mover')
    // Somebody is there already.
    await to.begin({ learnerId: 'mover' })
  }, 120_000)

  /** The arc of the other installation that came from this one. */
  const hereOf = async (arcId: string) => {
    const there = (await from.get(`/api/arcs/${arcId}`)).body
    return (await arcsOf(to, 'mover')).find(({ startedAt }) => startedAt === there.startedAt)
  }

  test('is brought whole', async () => {
    const { status, body } = await bring(to, 'mover', file)
    expect(status).toBe(200)
    expect(body).toEqual({ arcs: 3, maps: 0, courses: 0, unchanged: 0 })
    expect((await arcsOf(to, 'mover')).length).toBe(4)
    expect((await to.get('/api/learners/mover')).body).toMatchObject({
      timeZone: 'Asia/Tokyo',
      studyTime: '18:30',
      chosen: ['studyTime', 'timeZone'],
    })
  })

  test.each(['quiz', 'reviews', 'completed'] as const)(
    'has the same map, reviews, dates and words (%s)',
    async (which) => {
      const there = (await from.get(`/api/arcs/${arcs[which]}`)).body
      const here = await hereOf(arcs[which])
      expect(here.arcId).not.toBe(there.arcId)
      for (const field of [
        'topic',
        'phase',
        'sessionCount',
        'nextReviewAt',
        'mastery',
        'settings',
      ]) {
        expect(here[field]).toEqual(there[field])
      }
      expect(here.currentNode?.label).toBe(there.currentNode?.label)
      expect(await mapOf(to, here.arcId)).toEqual(await mapOf(from, there.arcId))
      const part = async (api: ArcApi, arcId: string, what: string) =>
        (await api.get(`/api/arcs/${arcId}/${what}?limit=100`)).body
      const words = (body: Json) => body.items.map(({ role, text }: Json) => [role, text])
      expect(words(await part(to, here.arcId, 'messages'))).toEqual(
        words(await part(from, there.arcId, 'messages')),
      )
      const dates = ({ upcoming, due, forecast }: Json) =>
        [...due, ...upcoming, ...forecast].map(({ nodeId: _, ...review }) => review)
      // The forecast is by date of the learner's zone, which has come along.
      expect(dates(await part(to, here.arcId, 'reviews'))).toEqual(
        dates(await part(from, there.arcId, 'reviews')),
      )
      const grades = (body: Json) =>
        body.items.map(({ questionText, quality }: Json) => [questionText, quality])
      expect(grades(await part(to, here.arcId, 'responses'))).toEqual(
        grades(await part(from, there.arcId, 'responses')),
      )
    },
  )

  test('twice, or where it came from, changes nothing', async () => {
    const [here, there] = [await digestOf(to, 'mover'), await digestOf(from, 'mover')]
    const again = await bring(to, 'mover', file)
    expect(again.body).toEqual({ arcs: 0, maps: 0, courses: 0, unchanged: 3 })
    expect((await bring(from, 'mover', file)).body).toEqual(again.body)
    expect(await digestOf(to, 'mover')).toBe(here)
    expect(await digestOf(from, 'mover')).toBe(there)
  })

  test('leaves alone what somebody else has brought from the same file', async () => {
    const before = await digestOf(to, 'mover')
    await to.begin({ learnerId: 'second' })
    expect((await bring(to, 'second', file)).body.arcs).toBe(3)
    expect(await digestOf(to, 'mover')).toBe(before)
  })

  test('goes on with the question that was open', async () => {
    const there = (await from.get(`/api/arcs/${arcs.quiz}`)).body
    const { arcId } = await hereOf(arcs.quiz)
    const here = await to.until(arcId, (arc) => arc.pendingQuestion !== null)
    const { id, nodeId: _, ...question } = here.pendingQuestion
    const { id: old, nodeId: __, ...asked } = there.pendingQuestion
    expect(question).toEqual(asked)
    expect(id).not.toBe(old)
    const { replies, pendingQuestion } = await send(to, arcId, {
      text: await rightAnswer(from, arcs.quiz),
      questionId: id,
    })
    expect(replies.length).toBeGreaterThan(0)
    expect(pendingQuestion.kind).toBe('quiz')
    await send(to, arcId, { text: await rightAnswer(to, arcId) })
    const { body } = await to.get(`/api/arcs/${arcId}/responses`)
    expect(body.items.map(({ quality }: Json) => quality)).toEqual([5, 5, 5])
    const map = (await to.get(`/api/arcs/${arcId}/mind-map`)).body
    expect(map.nodes[0].masteryStatus).toBe('reviewing')
  })

  test('keeps the date of the next review, and reviews there', async () => {
    const { arcId, nextReviewAt } = await hereOf(arcs.reviews)
    expect(Date.parse(nextReviewAt)).toBeGreaterThan(Date.now() + DAY_MS / 2)
    const { wake_at } = await to.world.db
      .selectFrom('entities')
      .select('wake_at')
      .where('id', '=', arcId)
      .executeTakeFirstOrThrow()
    expect(wake_at?.toISOString()).toBe(nextReviewAt)
    expect((await to.post(`/api/arcs/${arcId}/reviews/start`)).status).toBe(202)
    await to.world.db
      .updateTable('mind_map_nodes')
      .set({ next_review_at: new Date() })
      .where('next_review_at', 'is not', null)
      .where('mind_map_id', '=', (await to.get(`/api/arcs/${arcId}`)).body.mindMapId)
      .execute()
    expect((await to.post(`/api/arcs/${arcId}/reviews/start`)).status).toBe(202)
    const review = await to.until(arcId, (arc) => arc.pendingQuestion !== null)
    expect(review.pendingQuestion.kind).toBe('review')
  })
})

describe('a question whose key is not known where it comes to', () => {
  /** The same course, with other questions. */
  const rewritten = (course: Course): Course =>
    JSON.parse(JSON.stringify(course), (key, value) =>
      key === 'text' && typeof value === 'string' ? `Now: ${value}` : value,
    )

  test('is replaced by another one', async () => {
    const other = await createArcApi(rewritten(smallCourse()))
    try {
      const quiz = await inQuiz('anew')
      const file = await exportOf(from, 'anew')
      expect((await bring(other, 'me', file)).body.arcs).toBe(1)
      const [{ arcId }] = (await arcsOf(other, 'me')) as [Json]
      const { pendingQuestion, phase } = await other.until(
        arcId,
        (arc) => arc.pendingQuestion !== null,
      )
      expect(phase).toBe('QUIZZING')
      expect(pendingQuestion.text).toMatch(/^Now: /)
      expect((await from.get(`/api/arcs/${quiz}`)).body.pendingQuestion.text).not.toMatch(/^Now/)
      for (let question = 0; question < 2; question += 1) {
        await send(other, arcId, { text: await rightAnswer(other, arcId) })
      }
      const { body } = await other.get(`/api/arcs/${arcId}/mind-map`)
      expect(body.nodes[0].masteryStatus).toBe('reviewing')
    } finally {
      await other.stop()
    }
  }, 120_000)
})

describe('what is not a topic', () => {
  /** A course that was begun, a map without a topic, and a practice session that is over. */
  async function studied(handle: string) {
    const { db } = from.world
    const arcId = await from.begin({ learnerId: handle, settings: { skipDiagnosis: true } })
    const { id: learnerId } = (await from.get(`/api/learners/${handle}`)).body
    const [courseRow, threadId, sessionId, mapId] = Array.from({ length: 4 }, () => randomUUID())
    const now = Date.parse('2026-03-01T10:00:00Z')
    await beginCourse(
      db,
      { learnerId, courseId: 'sums' },
      { id: courseRow ?? '', entryUnitId: 'SUM-00', now },
    )
    await sql`insert into course_threads (id, learner_id, course_id, title)
      values (${threadId}, ${learnerId}, 'sums', 'Questions')`.execute(db)
    await sql`insert into course_messages (thread_id, id, role, text, card, created_at)
      values (${threadId}, gen_random_uuid(), 'assistant', 'Try this', ${JSON.stringify({ type: 'DRILL', unitId: 'SUM-00', prompt: 'p', questionLatex: 'q', token: 'sealed' })}, now())`.execute(
      db,
    )
    await sql`insert into exam_states values (${learnerId}, 'sums', 'E1', now(), null)`.execute(db)
    await sql`insert into mind_maps (id, title, learner_id) values (${mapId}, 'Loose', ${learnerId})`.execute(
      db,
    )
    await sql`insert into mind_map_nodes (mind_map_id, label) values (${mapId}, 'Alone')`.execute(
      db,
    )
    await sql`insert into entities (id, product, workflow_id, learner_id, version, state, is_over)
      values (${sessionId}, 'practice', ${`practice-${sessionId}`}, ${learnerId}, 2,
        ${JSON.stringify({ v: 2, progress: { v: 1, status: 'completed' }, smaller: { question: 'q', expected: 'KEY' } })}, true)`.execute(
      db,
    )
    await sql`insert into tutoring_sessions (session_id, external_session_id, student_id, arc_id, question_set_id,
        tutor, problems_total, status, completed_at)
      values (${sessionId}, ${`arc_${arcId}_9`}, ${handle}, ${arcId}, 'SUM-00', 'offline', 1, 'completed', now())`.execute(
      db,
    )
    await sql`insert into problem_attempts (session_id, problem_id, problem_index, problem_text, correct_answer, status)
      values (${sessionId}, 'p1', 0, 'What is 1 + 1?', 'KEY', 'completed')`.execute(db)
    await sql`insert into conversation_turns (session_id, turn, message_id, problem_id, problem_index,
        student_message, tutor_response, category, action, is_main_attempt, "timestamp")
      values (${sessionId}, 1, 'm1', 'p1', 0, '2', 'Right.', 'correct', 'ADVANCE', true, now())`.execute(
      db,
    )
  }

  test('comes along too: courses, maps and practice', async () => {
    await studied('student')
    const file = await exportOf(from, 'student')
    expect(JSON.stringify(file)).not.toContain('KEY')
    const learner = await ensureLearner(to.world.db, 'student')
    const woken: string[] = []
    const bringHere = () =>
      importLearner(
        {
          ...to.world.dependencies,
          wake: async ({ product }) => {
            woken.push(product)
          },
        },
        learner,
        async () => LearnerExport.parse(file),
      )
    expect(await bringHere()).toEqual({ arcs: 1, maps: 1, courses: 1, unchanged: 0 })
    expect(woken.sort()).toEqual(['agenda', 'arc', 'course'])
    const { tables } = await exportOf(to, 'student')
    for (const table of [
      ...['course_snapshots', 'course_threads', 'course_messages', 'exam_states'],
      ...['tutoring_sessions', 'problem_attempts', 'conversation_turns', 'mind_maps'],
    ]) {
      expect([table, tables[table].length]).toEqual([table, file.tables[table].length])
    }
    const [course] = tables.course_snapshots
    expect(course.snapshot).toEqual({
      ...file.tables.course_snapshots[0].snapshot,
      studentId: learner.id,
    })
    const session = tables.entities.find(({ product }: Json) => product === 'practice')
    expect(session).toMatchObject({ is_over: true, wake_at: null, state: { smaller: null } })
    const before = await digestOf(to, 'student')
    expect(await bringHere()).toEqual({ arcs: 0, maps: 0, courses: 0, unchanged: 3 })
    expect(await digestOf(to, 'student')).toBe(before)
  })
})

describe('a file that is damaged or hostile', () => {
  let file: Json
  let victim: string

  beforeAll(async () => {
    await inQuiz('source')
    file = await exportOf(from, 'source')
    victim = await to.begin({ learnerId: 'victim', settings: { skipDiagnosis: true } })
    await to.begin({ learnerId: 'target' })
  }, 60_000)

  const changed = (change: (copy: Json) => void): Json => {
    const copy = structuredClone(file)
    change(copy)
    return copy
  }
  const NESTED = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  const DAMAGES: [string, (copy: Json) => void, RegExp][] = [
    ['no export', (copy) => delete copy.format, /format/],
    ['of another version', (copy) => (copy.version = 2), /another version/],
    ['without its tables', (copy) => delete copy.tables, /tables/],
    ['with a table that is none', (copy) => (copy.tables.arcs = {}), /tables/],
    ['with a date that is none', (copy) => (copy.tables.arcs[0].started_at = 'soon'), /started_at/],
    ['with a row cut off', (copy) => delete copy.tables.mind_map_nodes[0].label, /nodes\/0\/label/],
    ['without its maps', (copy) => (copy.tables.mind_maps = []), /mind_map_id/],
    ['without its entities', (copy) => (copy.tables.entities = []), /entities|entity/],
    ['with half a state', (copy) => delete arcEntity(copy).state.lesson.cycle, /cycle/],
    ['with a state of no version', (copy) => (arcEntity(copy).state.v = 99), /version/],
    ['of a newer state', (copy) => (arcEntity(copy).version = 99), /newer/],
    [
      'with a concept that its map does not have',
      (copy) => (arcEntity(copy).state.lesson.nodeId = randomUUID()),
      /no concept/,
    ],
    [
      'with a map that goes round in circles',
      (copy) => {
        const [{ parent_node_id, child_node_id, ...edge }] = copy.tables.mind_map_edges
        copy.tables.mind_map_edges.push({
          ...{ ...edge, parent_node_id: child_node_id, child_node_id: parent_node_id },
        })
      },
      /circles/,
    ],
    ['with a row twice', (copy) => copy.tables.arcs.push(copy.tables.arcs[0]), /contradicts/],
    [
      'with a review of what nobody has learned',
      (copy) => (copy.tables.mind_map_nodes[2].next_review_at = copy.exportedAt),
      /only_learned_nodes/,
    ],
    ['with an unstorable text', (copy) => (copy.tables.arcs[0].topic = 'a\0b'), /NUL/],
    [
      'with a message for somebody else’s topic',
      (copy) => (copy.tables.arc_messages[0].arc_id = victim),
      /belongs to nothing/,
    ],
    [
      'with an answer to somebody else’s question',
      (copy) => (copy.tables.quiz_responses[0].node_id = randomUUID()),
      /belongs to nothing/,
    ],
    [
      'nested without end',
      (copy) => (copy.tables.mind_maps[0].metadata = { deep: 'NESTED' }),
      /deep|contradicts/,
    ],
  ]

  test.each(DAMAGES)('%s is refused whole', async (_, damage, detail) => {
    const before = [await digestOf(to, 'target'), await digestOf(to, 'victim')]
    const text = JSON.stringify(changed(damage))
    const { status, body } = await bring(to, 'target', text.replace('"NESTED"', NESTED))
    expect(status).toBe(422)
    expect(body.detail).toMatch(detail)
    expect([await digestOf(to, 'target'), await digestOf(to, 'victim')]).toEqual(before)
  })

  test('that names somebody else’s ids brings things of one’s own', async () => {
    const theirs = await exportOf(to, 'victim')
    const before = await digestOf(to, 'victim')
    const { status, body } = await bring(to, 'target', theirs)
    expect(status).toBe(200)
    expect(body.arcs).toBe(1)
    expect(await digestOf(to, 'victim')).toBe(before)
    expect((await arcsOf(to, 'target')).map(({ arcId }) => arcId)).not.toContain(victim)
  })

  /** The file as a stream, with so many events more, and rows of a table; pieces end anywhere. */
  function* large(events: number, { table = 'events', row = '' } = {}): Generator<Uint8Array> {
    const encoder = new TextEncoder()
    const text = JSON.stringify({ ...file, tables: { ...file.tables, [table]: [] } })
    const [before = '', after = ''] = text.split(`"${table}":[]`)
    yield encoder.encode(`${before}"${table}":[`)
    for (let first = 0; first < events; first += 1_000) {
      const rows = Array.from({ length: Math.min(1_000, events - first) }, (_, index) =>
        row === ''
          ? JSON.stringify({
              ...{ stream: randomUUID(), seq: first + index, type: 'message' },
              data: { id: randomUUID(), role: 'tutor', text: 'Was ist $2 + 3$? 🎯 '.repeat(20) },
              created_at: '2026-03-01T10:00:00Z',
            })
          : row,
      )
      yield encoder.encode((first === 0 ? '' : ',') + rows.join(','))
    }
    yield encoder.encode(`]${after}`)
  }
  const stream = async (learner: string, pieces: Generator<Uint8Array>) => {
    const response = await fetch(`${to.url}/api/learners/${learner}/import`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ReadableStream.from(pieces),
      duplex: 'half',
    } as RequestInit)
    return { status: response.status, body: (await response.json()) as Json }
  }

  test('with a record of 200,000 events is brought, and they are not held in memory', async () => {
    await to.begin({ learnerId: 'long' })
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    let bytes = 0
    const held: number[] = []
    function* counted() {
      let index = 0
      for (const piece of large(200_000)) {
        bytes += piece.length
        index += 1
        if (index % 25 === 10) {
          gc()
          held.push(process.memoryUsage().heapUsed)
        }
        yield piece
      }
    }
    const { status, body } = await stream('long', counted())
    expect([status, body.arcs]).toEqual([200, 1])
    expect(bytes).toBeGreaterThan(100_000_000)
    expect(held.length).toBeGreaterThan(6)
    // What is under way between the two ends comes and goes; what is kept would be there to the end.
    const half = Math.floor(held.length / 2)
    expect(Math.min(...held.slice(half)) - Math.min(...held.slice(0, half))).toBeLessThan(
      bytes / 10,
    )
    expect((await arcsOf(to, 'long')).length).toBe(2)
  }, 300_000)

  test('with more rows to bring than fit is refused, and nothing of it is written', async () => {
    const before = await digestOf(to, 'target')
    const row = JSON.stringify({ ...file.tables.arc_messages[0], text: 'x'.repeat(10_000) })
    const { status, body } = await stream('target', large(8_000, { table: 'arc_messages', row }))
    expect([status, body.detail]).toEqual([413, 'What is brought here has at most 64 MB.'])
    expect(await digestOf(to, 'target')).toBe(before)
  }, 300_000)

  test('that breaks off in the middle is refused, and nothing of it is written', async () => {
    const before = await digestOf(to, 'target')
    const text = JSON.stringify(file)
    for (const share of [0.2, 0.5, 0.99]) {
      const cut = text.slice(0, Math.floor(text.length * share))
      const { status, body } = await bring(to, 'target', cut)
      expect([status, body.detail]).toEqual([400, expect.stringContaining('ends too early')])
    }
    expect(await digestOf(to, 'target')).toBe(before)
  })

  test('that is no JSON, or too large, is told so', async () => {
    expect((await bring(to, 'target', '{"format":')).status).toBe(400)
    const { status, body } = await bring(to, 'target', `"${'x'.repeat(64_000_001)}"`)
    expect(status).toBe(413)
    expect(body.detail).toContain('64 MB')
  })
})
