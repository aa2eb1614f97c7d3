/**
 * Captures golden histories of the course tutor from a development server of its own: `node
 * test/replay/course-capture.ts`, or with the names of scenarios. See the README for when to run it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TASK_QUEUE, WORKFLOW, workflowId } from '../../src/contracts/temporal.ts'
import { startLocalStack } from '../../src/dev/local-stack.ts'
import { ExamAuthorityError } from '../../src/exams/exam-authority.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import { createOfflineMind } from '../../src/tutor/offline/offline-mind.ts'
import { workflowBundle } from '../../src/workflow-bundle.ts'
import {
  type CourseWorld,
  cardOf,
  createCourseWorld,
  type ExamCard,
  newStudent,
  optionOf,
  rightAnswer,
  type Student,
} from '../support/course-world.ts'
import { allRuns, type HistoryJson } from '../support/histories.ts'

const FOLDER = join(import.meta.dirname, 'histories/course-tutor')
const courseId = 'algebra-basics'
const unitId = 'ENTRY-00'
/** A day of four seconds: a lock ends while one waits. */
const DAY_MS = 4_000

/** What a student says here, so that the histories can be searched for it. */
const STUDENT_SAYS = 'is a xylophone a negative number?'
const goOn = { type: 'DRILL_CONTINUE', unitId, lastResult: 'correct' } as const

interface Scenario {
  /** On the path of a model, with what the offline mind says. */
  asksModel?: boolean
  /** The learner's day; without, a lock does not end here. */
  dayMs?: number
  /** Takes a course to a state and leaves it there; the history is what it looks like from that state. */
  reach(world: CourseWorld, student: Student, mind: BreakableMind): Promise<void>
}

interface BreakableMind extends Mind {
  breaks: number
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
    asksModel: true,
    async reach(world, student, mind) {
      await student.say(STUDENT_SAYS)
      await drill(world, student, true)
      mind.breaks = 2
      await student.say(STUDENT_SAYS)
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

  'memo-viewed': {
    async reach(world, student) {
      const exam = await examOf(world, student)
      await student.view(exam)
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

  'two-threads': {
    asksModel: true,
    async reach(world, student) {
      const other = await newStudent(world.api)
      for (let round = 0; round < 3; round += 1) {
        await Promise.all([
          student.say(STUDENT_SAYS),
          other.say(STUDENT_SAYS),
          drill(world, student, round < 2),
          drill(world, other, true),
        ])
      }
    },
  },

  superseded: {
    async reach(world, student) {
      await student.say(STUDENT_SAYS)
      await world.own.db
        .updateTable('course_snapshots')
        .set((row) => ({ generation: row('generation', '+', 1) }))
        .execute()
      await student.say(STUDENT_SAYS)
    },
  },

  'continued-as-new': {
    asksModel: true,
    async reach(world, student) {
      await startWithFewEvents(world)
      const exam = await examOf(world, student)
      await student.submit(exam, optionOf(world, exam, false))
      for (let turn = 0; turn < 4; turn += 1) await student.say(STUDENT_SAYS)
    },
  },
}

async function drill(world: CourseWorld, student: Student, right: boolean): Promise<void> {
  const card = cardOf(await student.press({ type: 'REQUEST_DRILL', unitId }), 'DRILL')
  await student.grade(card, right ? rightAnswer(world, card) : '987654')
}

async function examOf(world: CourseWorld, student: Student): Promise<ExamCard> {
  for (let streak = 0; streak < 2; streak += 1) await drill(world, student, true)
  return cardOf(await student.press(goOn), 'EXAM')
}

async function calledBack({ own }: CourseWorld): Promise<void> {
  for (;;) {
    const row = await own.db
      .selectFrom('course_messages')
      .select('id')
      .where('role', '=', 'system')
      .executeTakeFirst()
    if (row) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function startWithFewEvents({ env, learnerId }: CourseWorld): Promise<void> {
  await env.client.workflow.start(WORKFLOW.courseTutor, {
    workflowId: workflowId.course(courseId, learnerId),
    taskQueue: TASK_QUEUE,
    args: [{ courseId, learnerId, maxEvents: 40 }],
  })
}

async function breakableMind(): Promise<BreakableMind> {
  const offline = createOfflineMind()
  const mind: BreakableMind = {
    ...offline,
    name: 'anthropic',
    breaks: 0,
    async run(step, context, live) {
      if (mind.breaks === 0) return offline.run(step, context, live)
      mind.breaks -= 1
      throw new Error('the worker was killed')
    },
  }
  return mind
}

/** Every run of the course; one that has no successor keeps the scenario's name. */
function write(scenario: string, runs: HistoryJson[]): void {
  const { version } = JSON.parse(
    readFileSync(
      new URL('../../node_modules/@temporalio/worker/package.json', import.meta.url),
      'utf8',
    ),
  )
  const date = new Date().toISOString().slice(0, 10)
  mkdirSync(FOLDER, { recursive: true })
  for (const [index, run] of runs.entries()) {
    const name = runs.length > 1 ? `${scenario}-run-${index + 1}` : scenario
    writeFileSync(join(FOLDER, `${name}.${version}.${date}.json`), `${JSON.stringify(run)}\n`)
    process.stderr.write(`${name}: ${run.events.length} events\n`)
  }
}

const hasSteps = ({ events }: HistoryJson) =>
  events.some(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED')

async function captureAll(wanted: string[]): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'meno-capture-'))
  const stack = await startLocalStack({
    menoHome: home,
    env: { ...process.env, DATABASE_URL: '', TEMPORAL_ADDRESS: '' },
    log: (line) => process.stderr.write(`${line}\n`),
    ports: { postgres: 0, temporal: 0, temporalUi: 0 },
  })
  try {
    const servers = {
      postgresUrl: stack.databaseUrl,
      temporalAddress: stack.temporal.address,
      workflowBundlePath: await workflowBundle(),
    }
    for (const [scenario, { asksModel, dayMs, reach }] of Object.entries(SCENARIOS)) {
      if (wanted.length > 0 && !wanted.includes(scenario)) continue
      const mind = await breakableMind()
      const options = { servers, ...(dayMs ? { dayMs } : {}) }
      const world = await createCourseWorld('development', asksModel ? mind : null, options)
      await reach(world, await newStudent(world.api), mind)
      const id = workflowId.course(courseId, world.learnerId)
      write(scenario, (await allRuns(world.env.client.workflow, id)).filter(hasSteps))
      await world.stop()
    }
  } finally {
    await stack.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

await captureAll(process.argv.slice(2))
process.exit(0)
