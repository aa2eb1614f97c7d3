import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TutorMessage } from '../../src/contracts/course-tutor.ts'
import { readStoredCourse } from '../../src/store/course-snapshots.ts'
import {
  type CourseWorld,
  cardOf,
  createCourseWorld,
  newStudent,
  rightAnswer,
  type Student,
} from '../support/course-world.ts'

let world: CourseWorld
let student: Student

beforeAll(async () => {
  world = await createCourseWorld('development')
  student = await newStudent(world.api)
})
afterAll(() => world.stop())

async function stored() {
  const course = await readStoredCourse(world.own.db, world.learnerId, 'algebra-basics')
  if (!course) throw new Error('nothing is stored')
  return course
}

describe('the course tutor when workers come and go', { timeout: 60_000 }, () => {
  it('answers', async () => {
    expect((await student.say('negative numbers')).status).toBe(200)
  })

  it('says that no worker is there, and then nothing has happened', async () => {
    await world.workersDown()
    const turn = await student.say('is anybody there?')
    expect(turn.status).toBe(503)
    expect(Number(turn.headers.get('Retry-After'))).toBeGreaterThan(0)
    await world.workersUp()
    expect((await student.say('and now?')).status).toBe(200)
    const { body } = await student.get<{ items: TutorMessage[] }>('messages')
    expect(body.items.some(({ text }) => text === 'is anybody there?')).toBe(false)
  })

  it('survives a worker that breaks between the commit and its acknowledgement', async () => {
    const card = cardOf(await student.press({ type: 'REQUEST_DRILL', unitId: 'ENTRY-00' }), 'DRILL')
    const before = (await stored()).snapshot.unitProgress['ENTRY-00']?.drill.attempts ?? 0
    let breaks = 1
    world.afterCommit = () => {
      if (breaks > 0) {
        breaks -= 1
        throw new Error('the connection broke')
      }
    }
    const graded = await student.grade(card, rightAnswer(world, card))
    world.afterCommit = null
    expect(graded).toMatchObject({ status: 200, body: { isCorrect: true } })
    expect((await stored()).snapshot.unitProgress['ENTRY-00']?.drill.attempts).toBe(before + 1)
  })
})
