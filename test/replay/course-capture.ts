/**
 * Captures golden histories of the course tutor from a development server of its own: `node
 * test/replay/course-capture.ts`, or with the names of scenarios. See the README for when to run it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TASK_QUEUE, WORKFLOW, workflowId } from '../../src/contracts/temporal.ts'
import { startLocalStack } from '../../src/dev/local-stack.ts'
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
  reach(world: CourseWorld, student: Student, mind: HeldMind): Promise<void>
}

interface HeldMind extends Mind {
  /** What its next answer waits for; null: nothing. */
  held: Promise<void> | null
}

const SCENARIOS: Record<string, Scenario> = {
  'graded-by-code': {
    async reach(world, student) {
      await student.say(STUDENT_SAYS)
      await drill(world, student, true)
      await drill(world, student, false)
    },
  },

  'running-step': {
    asksModel: true,
    async reach(_world, student, mind) {
      await student.say(STUDENT_SAYS)
      mind.held = new Promise(() => {})
      student.say(STUDENT_SAYS).catch(() => {})
      await sleep(1_000)
    },
  },

  'silent-step': {
    asksModel: true,
    async reach(_world, student, mind) {
      mind.held = new Promise(() => {})
      await student.say(STUDENT_SAYS)
      mind.held = null
      await student.say(STUDENT_SAYS)
    },
  },

  asleep: {
    async reach(world, student) {
      const exam = await examOf(world, student)
      await student.submit(exam, optionOf(world, exam, false))
      await student.say(STUDENT_SAYS)
      await student.view(exam)
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

  'continued-as-new': {
    async reach(world, student) {
      await drill(world, student, true)
      const { id } = await world.own.db
        .selectFrom('course_snapshots')
        .select('id')
        .executeTakeFirstOrThrow()
      const { workflow } = world.env.client
      const workflowId = courseWorkflow(world)
      await workflow.getHandle(workflowId).terminate('begun anew as after a quiet hour')
      const shown = { generation: 0, think: [], wakeAt: null, more: false, over: false }
      await workflow.start(WORKFLOW.courseTutor, {
        workflowId,
        taskQueue: TASK_QUEUE,
        args: [{ id, shown: { ...shown, view: null, fault: null } }],
      })
      await drill(world, student, true)
    },
  },
}

const courseWorkflow = ({ learnerId }: CourseWorld) => workflowId.course(courseId, learnerId)

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

function heldMind(): HeldMind {
  const offline = createOfflineMind()
  const mind: HeldMind = {
    ...offline,
    name: 'anthropic',
    held: null,
    async run(step, context, live) {
      await mind.held
      return offline.run(step, context, live)
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
      const mind = heldMind()
      const options = { servers, ...(dayMs ? { dayMs } : {}) }
      const world = await createCourseWorld('development', asksModel ? mind : null, options)
      await reach(world, await newStudent(world.api), mind)
      const id = courseWorkflow(world)
      write(scenario, (await allRuns(world.env.client.workflow, id)).filter(hasSteps))
      // One whose mind is held for ever does not end by itself.
      await Promise.race([world.stop(), sleep(5_000)])
    }
  } finally {
    await stack.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

await captureAll(process.argv.slice(2))
process.exit(0)
