import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type CourseDependencies,
  courseDependencies,
} from '../../src/activities/course/dependencies.ts'
import { courseProduct } from '../../src/activities/course/product.ts'
import { loadCourses } from '../../src/courses/load.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'
import { cardOf, newStudent } from '../support/course-world.ts'
import { openNudge, toldToAgenda } from '../support/open-nudge.ts'

let api: ArcApi
let parts: CourseDependencies

beforeAll(async () => {
  const coursesFolder = resolve('courses')
  const courses = await loadCourses(coursesFolder)
  const course = courses.find(({ courseId }) => courseId === 'algebra-basics')
  if (!course) throw new Error('the course is gone')
  const config = { coursesFolder, dayMs: 86_400_000 }
  const settings = { examApiUrl: null, encryptionKeys: [] }
  api = await createArcApi(course, {
    async beside(db) {
      const log = { error: () => {} }
      parts = await courseDependencies({ db, courses, config, settings, mind: null, log })
      return [courseProduct(parts)]
    },
  })
})
afterAll(() => api.stop())

const concept = async (arcId: string, unitId: string) => {
  const { id } = await api.world.db
    .selectFrom('mind_map_nodes')
    .innerJoin('arcs', 'arcs.mind_map_id', 'mind_map_nodes.mind_map_id')
    .select('mind_map_nodes.id')
    .where('arcs.id', '=', arcId)
    .where('unit_id', '=', unitId)
    .executeTakeFirstOrThrow()
  const { body } = await api.get(`/api/arcs/${arcId}/mind-map`)
  return body.nodes.find((node: { id: string }) => node.id === id)
}

it('a graded drill counts once for its concept in the open arc, and what the arc knows blocks nobody', async () => {
  const arcId = await api.begin({ courseId: 'algebra-basics', settings: { skipDiagnosis: true } })
  const before = await concept(arcId, 'ENTRY-00')
  const pending = (await api.get(`/api/arcs/${arcId}`)).body.pendingQuestion
  const student = await newStudent(api.app)
  const asked = await student.press({ type: 'REQUEST_DRILL', unitId: 'ENTRY-00' })
  const card = cardOf(asked, 'DRILL')
  const right = parts.sealer.open(card.token)?.expectedAnswer ?? ''
  expect((await student.grade(card, right)).body.isCorrect).toBe(true)
  expect((await student.grade(card, right)).status).toBe(409)
  const responses = async () => (await api.get(`/api/arcs/${arcId}/responses`)).body.items
  await expect.poll(responses, { timeout: 30_000 }).toHaveLength(1)
  expect((await responses())[0]).toMatchObject({
    nodeId: before.id,
    responseType: 'teach',
    quality: 5,
    userAnswer: right,
  })
  expect(await concept(arcId, 'ENTRY-00')).toMatchObject({
    masteryScore: 1,
    masteryStatus: before.masteryStatus,
    nextReviewAt: before.nextReviewAt,
  })
  expect((await api.get(`/api/arcs/${arcId}`)).body.pendingQuestion).toEqual(pending)

  const blocked = await student.say('linear equations')
  expect(blocked.body.snapshotLite.prereqNudge?.unitId).toBe('ENTRY-00')
  await api.world.db
    .updateTable('mind_map_nodes')
    .set({ mastery_status: 'reviewing', next_review_at: new Date(Date.now() + 86_400_000) })
    .where('unit_id', 'in', ['ENTRY-00', 'ALG-00'])
    .execute()
  const open = await student.say('linear equations')
  expect(open.body.snapshotLite.prereqNudge).toBeNull()
  expect(open.body.snapshotLite.focus).toMatchObject({ unitId: 'ALG-01', masteryTier: 'none' })
})

it('a message to the tutor of a course tells the agenda that a nudged learner is there', async () => {
  const arcId = await api.begin({ courseId: 'algebra-basics', settings: { skipDiagnosis: true } })
  const student = await newStudent(api.app)
  await student.say('hello')
  const { db } = api.world
  const learnerId = await openNudge(db, arcId)
  const seen = async () => (await toldToAgenda(db, learnerId)).filter((type) => type === 'seen')
  const before = await seen()
  await student.say('thanks')
  expect(await seen()).toHaveLength(before.length + 1)
  await db.deleteFrom('nudges').where('learner_id', '=', learnerId).execute()
  await student.say('thanks')
  expect(await seen()).toHaveLength(before.length + 1)
})
