import { workflowId } from '../../../src/contracts/temporal.ts'
import { ExamAuthorityError } from '../../../src/exams/exam-authority.ts'
import type { Mind } from '../../../src/tutor/mind.ts'
import { createOfflineMind } from '../../../src/tutor/offline/offline-mind.ts'
import {
  type CourseWorld,
  cardOf,
  createCourseWorld,
  type ExamCard,
  newStudent,
  optionOf,
  rightAnswer,
  type Student,
} from '../../support/course-world.ts'
import { allRuns } from '../../support/histories.ts'
import type { Servers } from '../../support/house.ts'
import type { Captured } from '../capture.ts'

const courseId = 'algebra-basics'
const unitId = 'ENTRY-00'
/** A day of four seconds: a lock ends while one waits. */
const DAY_MS = 4_000

/** What a student says here, so that the histories can be searched for it. */
const STUDENT_SAYS = 'is a xylophone a negative number?'
const goOn = { type: 'DRILL_CONTINUE', unitId, lastResult: 'correct' } as const

interface Scenario {
  /** On the path of a model: what the offline mind says, or nothing at all. */
  model?: 'well' | 'silent'
  /** The learner's day; without, a lock does not end here. */
  dayMs?: number
  /** On a server whose time can be let pass. */
  skipsTime?: boolean
  /** Takes a course to a state and leaves it there; the history is what it looks like from that state. */
  reach(world: CourseWorld, student: Student): Promise<void>
}

const SCENARIOS: Record<string, Scenario> = {
  'graded-by-code': {
    async reach(world, student) {
      await student.say(STUDENT_SAYS)
      await drill(world, student, true)
      await drill(world, student, false)
    },
  },

  'turn-with-a-model': {
    model: 'well',
    async reach(world, student) {
      await student.say(STUDENT_SAYS)
      await drill(world, student, true)
    },
  },

  'running-step': {
    model: 'silent',
    async reach(world, student) {
      student.say(STUDENT_SAYS).catch(() => {})
      while ((await world.own.db.selectFrom('inbox').select('taken_at').execute()).length === 0) {
        await sleep(50)
      }
      await sleep(1_000)
    },
  },

  'told-without-a-model': {
    model: 'silent',
    async reach(_, student) {
      await student.say(STUDENT_SAYS)
    },
  },

  'exam-failed-and-locked': {
    async reach(world, student) {
      const exam = await examOf(world, student)
      await student.submit(exam, optionOf(world, exam, false))
      await student.say(STUDENT_SAYS)
    },
  },

  'called-back-after-a-lock': {
    dayMs: DAY_MS,
    async reach(world, student) {
      const exam = await examOf(world, student)
      await student.submit(exam, optionOf(world, exam, false))
      await calledBack(world)
      await student.submit(exam, optionOf(world, exam, true))
    },
  },

  'authority-away': {
    async reach(world, student) {
      const exam = await examOf(world, student)
      const away = async () => {
        throw new ExamAuthorityError('down')
      }
      world.parts.exams = { status: away, attempt: away, supportView: away }
      await student.submit(exam, optionOf(world, exam, true))
      await student.say(STUDENT_SAYS)
    },
  },

  'asleep-for-days': {
    skipsTime: true,
    async reach(world, student) {
      const exam = await examOf(world, student)
      await student.submit(exam, optionOf(world, exam, false))
      await world.env.sleep(2 * 3_600_000)
      await student.say(STUDENT_SAYS)
    },
  },
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function drill(world: CourseWorld, student: Student, right: boolean): Promise<void> {
  const card = cardOf(await student.press({ type: 'REQUEST_DRILL', unitId }), 'DRILL')
  await student.grade(card, right ? rightAnswer(world, card) : '987654')
}

async function examOf(world: CourseWorld, student: Student): Promise<ExamCard> {
  for (let streak = 0; streak < 2; streak += 1) await drill(world, student, true)
  return cardOf(await student.press(goOn), 'EXAM')
}

async function calledBack({ own }: CourseWorld): Promise<void> {
  const calls = own.db.selectFrom('course_messages').select('id').where('role', '=', 'system')
  while (!(await calls.executeTakeFirst())) await sleep(200)
}

/** What the offline mind says, on the path of a model; or nothing, until it is told to stop. */
function mindOf(model: 'well' | 'silent'): Mind {
  const offline = createOfflineMind()
  if (model === 'well') return { ...offline, name: 'anthropic' }
  return {
    name: 'anthropic',
    run: (_, __, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error()))),
  }
}

/** The course tutor's histories; steps that run in them are left running. */
export async function* courseHistories(
  servers: Servers,
  isWanted: (scenario: string) => boolean,
): Captured {
  for (const [scenario, { model, dayMs, skipsTime, reach }] of Object.entries(SCENARIOS)) {
    if (!isWanted(scenario)) continue
    const server = skipsTime ? 'skipping' : 'development'
    const options = { servers, ...(dayMs ? { dayMs } : {}) }
    const world = await createCourseWorld(server, model ? mindOf(model) : null, options)
    await reach(world, await newStudent(world.api))
    const id = workflowId.course(courseId, world.learnerId)
    yield [scenario, await allRuns(world.env.client.workflow, id)]
    if (skipsTime) await world.stop()
  }
}
