/**
 * Captures golden histories of the learning arc from a development server of its own: `node test/replay/capture.ts`
 * writes a file for every scenario below, named by scenario, SDK version and date; `node test/replay/capture.ts
 * teaching asleep` writes those two. See the README for when to run it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { PRACTICE_MESSAGE } from '../../src/contracts/practice-messages.ts'
import { SIGNAL, workflowId } from '../../src/contracts/temporal.ts'
import { startLocalStack } from '../../src/dev/local-stack.ts'
import { receiveMessage } from '../../src/store/practice-messages.ts'
import { TutorFailure } from '../../src/tutor/tutor.ts'
import type { ArcHand } from '../support/arc-hand.ts'
import { type ArcWorld, createArcWorld } from '../support/arc-world.ts'
import type { HistoryJson } from '../support/histories.ts'
import { smallCourse } from '../support/small-course.ts'
import { bundleWorkflows } from '../support/workflow-bundle.ts'

const FOLDER = join(import.meta.dirname, 'histories/learning-arc')
const PRACTICE_FOLDER = join(import.meta.dirname, 'histories/practice-session')
/** A day of four seconds: reviews come while one waits. */
const DAY_MS = 4_000
const SETTINGS = { settings: { skipDiagnosis: true, learningSteps: [1, 1.5] } }
const BY_MODEL = { ...SETTINGS, tutor: 'model' } as const

/** What a learner says here, so that the histories can be searched for it. */
const LEARNER_SAYS = 'is a xylophone a number?'

/** Each takes an arc to a state and leaves it there; the history is what it looks like from that state. */
const SCENARIOS: Record<string, (world: ArcWorld) => Promise<ArcHand>> = {
  async diagnosing(world) {
    const arc = await world.begin()
    await arc.question('diagnostic')
    await arc.answer()
    await arc.act('dont_know')
    await arc.question('diagnostic')
    return arc
  },

  async 'planning-blocked'(world) {
    world.faults.afterStep = ({ kind }, output) =>
      kind === 'graph' ? { ...(output as object), root: 'Nowhere' } : output
    const arc = await world.begin({ tutor: 'model' })
    await arc.act('skip')
    await arc.until(({ phase, blocked }) => phase === 'PLANNING' && blocked !== null)
    return arc
  },

  async teaching(world) {
    const arc = await world.begin(SETTINGS)
    await arc.question('teach')
    await arc.say(LEARNER_SAYS)
    await arc.act('show')
    await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === 'quiz')
    await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === 'teach')
    return arc
  },

  async quizzing(world) {
    const arc = await world.begin(SETTINGS)
    await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === 'quiz')
    await arc.answer(false)
    await arc.act('contest')
    await arc.answer()
    await arc.say('hint')
    return arc
  },

  async 'second-cycle'(world) {
    const arc = await world.begin(SETTINGS)
    await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === 'quiz')
    for (let question = 0; question < 3; question += 1) await arc.answer(false)
    await arc.question('teach')
    return arc
  },

  async asleep(world) {
    const arc = await world.begin({ settings: { skipDiagnosis: true, learningSteps: [20] } })
    await arc.answerUntil(() => false)
    return arc
  },

  async 'woken-early'(world) {
    const arc = await SCENARIOS.asleep?.(world)
    if (!arc) throw new Error('no arc')
    await arc.say('plan')
    await arc.say(LEARNER_SAYS)
    await arc.reviewNow()
    return arc
  },

  async 'review-open-after-continue-as-new'(world) {
    const arc = await world.begin(SETTINGS)
    await arc.answerUntil(() => false)
    await arc.question('review')
    return arc
  },

  async paused(world) {
    const arc = await world.begin(SETTINGS)
    await arc.question('teach')
    await arc.pause()
    await arc.until(({ paused }) => paused)
    return arc
  },

  async practising(world) {
    const arc = await world.begin(SETTINGS)
    await arc.question('teach')
    await arc.act('practice')
    return arc
  },

  async practised(world) {
    const arc = await world.begin(SETTINGS)
    await arc.question('teach')
    await arc.act('practice')
    const { generation } = await arc.view()
    await practiseAndEnd(world, arc)
    await arc.until((view) => view.generation > generation)
    await arc.answer()
    return arc
  },

  async 'practised-when-over'(world) {
    const arc = await world.begin(SETTINGS)
    await arc.question('teach')
    await arc.act('practice')
    await arc.abandon()
    await arc.until(({ phase }) => phase === 'ABANDONED')
    await arc.status()
    const { generation } = await arc.view()
    await practiseAndEnd(world, arc)
    await arc.until((view) => view.generation > generation)
    await arc.status()
    return arc
  },

  async 'planned-again'(world) {
    const arc = await world.begin(SETTINGS)
    await arc.question('teach')
    const { generation } = await arc.view()
    await arc.replan()
    await arc.until((view) => view.generation > generation)
    await arc.say('skip')
    return arc
  },

  async 'written-again'(world) {
    const arc = await world.begin(BY_MODEL)
    await arc.question('teach')
    const lesson = (await arc.transcript()).findLast(({ step_key }) => step_key !== null)
    await arc.signal(SIGNAL.regenerate, { messageId: lesson?.id ?? '' })
    const isReplaced = async () =>
      (await arc.transcript()).some(({ replaces }) => replaces === lesson?.id)
    while (!(await isReplaced())) await arc.flowState()
    return arc
  },

  async 'abandoned-in-mid-step'(world) {
    let started = false
    world.faults.beforeStep = async ({ kind }, { signal }) => {
      if (kind !== 'lesson') return
      started = true
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error())))
    }
    const arc = await world.begin(BY_MODEL)
    await arc.until(() => started)
    await arc.abandon()
    await arc.until(({ phase }) => phase === 'ABANDONED')
    await arc.status()
    return arc
  },

  async 'model-down'(world) {
    let down = true
    world.faults.beforeStep = async ({ kind }) => {
      if (kind === 'quiz' && down) throw new TutorFailure('refused', 'no credit')
    }
    const arc = await world.begin(BY_MODEL)
    await arc.question('teach')
    await arc.send(await arc.rightAnswer())
    await arc.until(({ blocked }) => blocked !== null)
    down = false
    await arc.send('hello')
    await arc.question('quiz')
    return arc
  },

  async 'model-silent'(world) {
    world.faults.beforeStep = async ({ kind }) => {
      if (kind === 'lesson') await new Promise((resolve) => setTimeout(resolve, 9_500))
    }
    const arc = await world.begin(BY_MODEL)
    await arc.until(({ blocked }) => blocked !== null)
    await arc.question('teach')
    return arc
  },

  async superseded(world) {
    const arc = await world.begin(SETTINGS)
    await arc.question('teach')
    await world.db
      .updateTable('arcs')
      .set((row) => ({ generation: row('generation', '+', 1), commit_key: 'another' }))
      .where('id', '=', arc.arcId)
      .execute()
    await arc.answer()
    await arc.question('quiz')
    return arc
  },

  async completed(world) {
    const arc = await world.begin(SETTINGS)
    for (let batch = 0; batch < 20; batch += 1) {
      const { phase } = await arc.answerUntil(() => false)
      if (phase === 'COMPLETED') break
      await arc.until(({ pendingQuestion }) => pendingQuestion !== null, 'a review is due')
    }
    await arc.status()
    return arc
  },
}

const practiceOf = async (world: ArcWorld, { arcId }: ArcHand) => {
  const session = await world.db
    .selectFrom('tutoring_sessions')
    .select(['session_id', 'external_session_id'])
    .where('arc_id', '=', arcId)
    .executeTakeFirst()
  const handle = (id: string) => world.env.client.workflow.getHandle(workflowId.practice(id))
  return session ? { ...session, handle: handle(session.session_id) } : null
}

/** Says something in the practice session of the arc, skips its first problem, and ends it. */
async function practiseAndEnd(world: ArcWorld, arc: ArcHand): Promise<void> {
  const session = await practiceOf(world, arc)
  if (!session) throw new Error('no session')
  for (const text of [LEARNER_SAYS, 'skip']) {
    const received = await receiveMessage(world.db, {
      ...{ integrationId: null, externalSessionId: session.external_session_id },
      ...{ messageId: text, text, studentId: null, learnerId: null, problem: null },
    })
    const messageId = received?.message?.id ?? ''
    await session.handle.executeUpdate(PRACTICE_MESSAGE.turn, { args: [{ messageId }] })
  }
  await session.handle.executeUpdate(PRACTICE_MESSAGE.complete, { args: [{}] })
}

/** The session's own history, beside those of `practice-capture.ts`. */
async function writePractice(world: ArcWorld, arc: ArcHand): Promise<void> {
  const session = await practiceOf(world, arc)
  if (!session) return
  await session.handle.result()
  const history = JSON.parse(historyToJSON(await session.handle.fetchHistory()))
  write('in-an-arc', [history], PRACTICE_FOLDER)
}

/** Every run of the arc; one that has no successor keeps the scenario's name. */
function write(scenario: string, runs: HistoryJson[], folder = FOLDER): void {
  const sdk = JSON.parse(
    readFileSync(
      new URL('../../node_modules/@temporalio/worker/package.json', import.meta.url),
      'utf8',
    ),
  ).version
  const date = new Date().toISOString().slice(0, 10)
  mkdirSync(folder, { recursive: true })
  runs.forEach((run, index) => {
    const name = runs.length > 1 ? `${scenario}-run-${index + 1}` : scenario
    writeFileSync(join(folder, `${name}.${sdk}.${date}.json`), `${JSON.stringify(run)}\n`)
    process.stderr.write(`${name}: ${run.events.length} events\n`)
  })
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
      workflowBundlePath: await bundleWorkflows(home),
    }
    const world = await createArcWorld(smallCourse(), {
      server: 'development',
      servers,
      dayMs: DAY_MS,
    })
    for (const [scenario, reach] of Object.entries(SCENARIOS)) {
      if (wanted.length > 0 && !wanted.includes(scenario)) continue
      Object.assign(world.faults, { beforeStep: null, afterStep: null, afterCommit: null })
      const arc = await reach(world)
      await arc.flowState()
      // A run that has just begun has nothing to replay.
      write(scenario, (await arc.runs()).filter(hasSteps))
      if (scenario === 'practised') await writePractice(world, arc)
    }
    await world.stop()
  } finally {
    await stack.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

await captureAll(process.argv.slice(2))
process.exit(0)
