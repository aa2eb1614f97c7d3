import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StudentSnapshot } from '../../src/contracts/course-tutor.ts'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import { readStoredCourse } from '../../src/store/course/snapshots.ts'
import { proves } from '../spec/scenario.ts'
import {
  type CourseWorld,
  createCourseWorld,
  newStudent,
  optionOf,
  readEvidence,
  rightAnswer,
  type Student,
} from '../support/course-world.ts'
import { recomputeSnapshot } from '../support/recompute-snapshot.ts'

const courseId = 'algebra-basics'
let world: CourseWorld

beforeAll(async () => {
  world = await createCourseWorld()
})
afterAll(() => world.stop())

async function stored() {
  const course = await readStoredCourse(world.own.db, world.learnerId, courseId)
  if (!course) throw new Error('nothing is stored')
  return course
}

/** Whatever the tutor shows is answered, now and then wrong; where all is locked, the student comes back another day. */
async function learnUnit(student: Student, unitId: string, random: () => number) {
  const seen = { drills: 0, exams: 0, locks: 0, nights: 0, violations: [] as string[] }
  for (let step = 0; step < 120; step += 1) {
    const turn = await student.press({ type: 'DRILL_CONTINUE', unitId, lastResult: 'correct' })
    const card = turn.body.messages.at(-1)?.card
    if (card && card.unitId !== unitId) seen.violations.push(`${card.type} of ${card.unitId}`)
    if (card?.type === 'DRILL') {
      const right = random() < 0.85
      seen.drills += 1
      const graded = await student.grade(card, right ? rightAnswer(world, card) : '987654')
      if (graded.body.isCorrect !== right) {
        seen.violations.push(`${card.prompt} ${card.questionLatex} ${rightAnswer(world, card)}`)
      }
      const { streakCorrect = 0 } = (await stored()).snapshot.unitProgress[unitId]?.drill ?? {}
      const { nextEligibleAt } = graded.body.snapshotLite.revisit
      if (streakCorrect >= 2 && nextEligibleAt !== null && step % 3 === 0) {
        seen.nights += 1
        await world.env.sleep('24h')
      }
    }
    if (card?.type === 'EXAM') {
      seen.exams += 1
      const answered = await student.submit(card, optionOf(world, card, random() < 0.75))
      if (answered.body.status === 'locked') seen.locks += 1
      if (answered.body.masteryTier === 'gold') return seen
    }
  }
  throw new Error(`${unitId} is not in gold: ${JSON.stringify(seen)}`)
}

it('takes a student from nothing to gold in every unit', {
  timeout: 400_000,
  ...proves('004 Exam tiers (PF-5.1): A student is led from nothing to gold in every unit'),
}, async () => {
  const course = world.courses.find((one) => one.courseId === courseId)
  const random = seededRandom(11)
  const student = await newStudent(world.api)
  const total = { locks: 0, nights: 0 }
  const violations: string[] = []
  for (const { unitId } of course?.units ?? []) {
    const seen = await learnUnit(student, unitId, random)
    total.locks += seen.locks
    total.nights += seen.nights
    violations.push(...seen.violations)
  }
  expect(violations).toEqual([])
  expect(total.locks).toBeGreaterThan(5)
  expect(total.nights).toBeGreaterThan(0)

  const { snapshot, startedAt } = await stored()
  const tiers = course?.units.map(({ unitId }) => snapshot.unitProgress[unitId]?.masteryTier)
  expect(new Set(tiers)).toEqual(new Set(['gold']))
  expect(snapshot.unitsInProgress).toEqual([])
  const start = { studentId: world.learnerId, courseId, entryUnitId: 'ENTRY-00', startedAt }
  const log = await readEvidence(world.own.db, world.learnerId, courseId)
  const audited: StudentSnapshot = recomputeSnapshot(start, log)
  expect(audited).toEqual(snapshot)
})
