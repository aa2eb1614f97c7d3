import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TutorMessage } from '../../src/contracts/course-tutor.ts'
import { workflowId } from '../../src/contracts/temporal.ts'
import { readStoredCourse } from '../../src/store/course/snapshots.ts'
import {
  type CourseWorld,
  cardOf,
  createCourseWorld,
  newStudent,
  optionOf,
  readEvidence,
  rightAnswer,
  type Student,
} from '../support/course-world.ts'
import { allRuns } from '../support/histories.ts'
import { recomputeSnapshot } from '../support/recompute-snapshot.ts'

const courseId = 'algebra-basics'
const unitId = 'ENTRY-00'
const BURSTS = 4
const TURNS_OF_BURST = 10
let world: CourseWorld

beforeAll(async () => {
  world = await createCourseWorld()
})
afterAll(() => world.stop())

const runs = () => allRuns(world.env.client.workflow, workflowId.course(courseId, world.learnerId))

async function stored() {
  const course = await readStoredCourse(world.own.db, world.learnerId, courseId)
  if (!course) throw new Error('nothing is stored')
  return course
}

async function drill(student: Student) {
  const card = cardOf(await student.press({ type: 'REQUEST_DRILL', unitId }), 'DRILL')
  const graded = await student.grade(card, rightAnswer(world, card))
  expect(graded).toMatchObject({ status: 200, body: { isCorrect: true } })
}

it('keeps the snapshot, the locks and their call-back over many short runs', async () => {
  const [student, other] = [await newStudent(world.api), await newStudent(world.api)]
  await drill(student)
  await drill(other)
  const goOn = { type: 'DRILL_CONTINUE', unitId, lastResult: 'correct' } as const
  const exam = cardOf(await student.press(goOn), 'EXAM')
  const wrong = await student.submit(exam, optionOf(world, exam, false))
  expect(wrong.body.status).toBe('locked')

  for (let burst = 0; burst < BURSTS; burst += 1) {
    const before = (await runs()).length
    const turns = Array.from({ length: TURNS_OF_BURST }, (_, turn) =>
      (turn % 2 ? student : other).say(`negative numbers ${turn}`),
    )
    const statuses = (await Promise.all(turns)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map(() => 200))
    // After a quiet hour a run is continued as new.
    await world.env.sleep('61 minutes')
    const count = async () => (await runs()).length
    await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(before)
  }

  expect((await student.submit(exam, optionOf(world, exam, true))).status).toBe(409)
  const { snapshot, startedAt } = await stored()
  const log = await readEvidence(world.own.db, world.learnerId, courseId)
  const start = { studentId: world.learnerId, courseId, entryUnitId: unitId, startedAt }
  expect(recomputeSnapshot(start, log)).toEqual(snapshot)
  expect(log.filter(({ type }) => type === 'turn_taken')).toHaveLength(BURSTS * TURNS_OF_BURST + 3)

  await world.env.sleep('25 hours')
  const { body } = await student.get<{ items: TutorMessage[] }>('messages')
  expect(body.items.filter(({ role }) => role === 'system')).toHaveLength(1)
  expect((await stored()).locks[exam.questionId]).toMatchObject({ calledBack: true })
}, 120_000)
