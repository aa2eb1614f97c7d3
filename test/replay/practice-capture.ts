/**
 * Captures golden histories of the practice session from a development server of its own: `node
 * test/replay/practice-capture.ts`, or with the names of scenarios. See the README for when to run it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { workflowId } from '../../src/contracts/temporal.ts'
import { startLocalStack } from '../../src/dev/local-stack.ts'
import { TutorFailure } from '../../src/tutor/mind.ts'
import { workflowBundle } from '../../src/workflow-bundle.ts'
import { createPracticeWorld, type PracticeWorld, studentOf } from '../support/practice-world.ts'
import { type ScriptedMind, scriptedMind } from '../support/scripted-mind.ts'

const FOLDER = join(import.meta.dirname, 'histories/practice-session')

/** What a student says here, so that the histories can be searched for it. */
const STUDENT_SAYS = 'my xylophone says it is around seventy'

/** Each takes a session to a state and leaves it there; the history is what it looks like from that state. */
const SCENARIOS: Record<string, (worlds: Worlds) => Promise<Left>> = {
  async 'waiting-for-the-first-message'({ offline }) {
    return { world: offline, sessionId: (await offline.student()).sessionId }
  },

  async 'judged-by-code'({ offline }) {
    const student = await offline.student(['p1', 'p2'])
    for (const message of ['9', 'stuck', '2', 'skip', '-4']) await student.say(message)
    await offline.post(`/sessions/${student.sessionId}/complete`, '')
    return { world: offline, sessionId: student.sessionId }
  },

  async 'scaffolded-by-a-model'({ modelled }) {
    const student = await modelled.student(['p1', 'p2'])
    for (const message of ['stuck', '11', '70', STUDENT_SAYS]) await student.say(message)
    return { world: modelled, sessionId: student.sessionId }
  },

  async 'explanation-wanted'({ modelled }) {
    const student = await modelled.student(['p1', 'p2'])
    for (const message of ['9', '2', 'what does that mean?']) await student.say(message)
    return { world: modelled, sessionId: student.sessionId }
  },

  async 'unjudged-then-judged-late'({ modelled, mind }) {
    const open = Promise.withResolvers<void>()
    mind.extraction = async () => {
      await open.promise
      return { is_answer: true, category: 'answer', extracted_value: 'seventy' }
    }
    const student = await modelled.student(['p1', 'p2'])
    await student.say(STUDENT_SAYS)
    open.resolve()
    await new Promise((resolve) => setTimeout(resolve, 500))
    await student.say('2')
    return { world: modelled, sessionId: student.sessionId }
  },

  async 'model-down'({ modelled, mind }) {
    const down = () => {
      throw new TutorFailure('refused', 'no credit')
    }
    Object.assign(mind, { extraction: down, words: down })
    const student = await modelled.student(['p1', 'p2'])
    for (const message of [STUDENT_SAYS, '9']) await student.say(message)
    return { world: modelled, sessionId: student.sessionId }
  },

  async 'implicit-with-an-appended-problem'({ offline }) {
    const student = studentOf(offline, 'implicit', 'someone')
    for (const id of ['first', 'second']) {
      await offline.post('/webhook/tutor/message', {
        session_id: student.sessionId,
        student_id: student.studentId,
        message: '2',
        current_problem: { id, text: 'How much is 1 + 1?', correct_answer: '2' },
      })
    }
    return { world: offline, sessionId: student.sessionId }
  },

  async superseded({ offline }) {
    const student = await offline.student(['p1', 'p2'])
    await student.say('9')
    await offline.own.db
      .updateTable('tutoring_sessions')
      .set((row) => ({ generation: row('generation', '+', 1), commit_key: 'another' }))
      .where('external_session_id', '=', student.sessionId)
      .execute()
    await student.say('2')
    return { world: offline, sessionId: student.sessionId }
  },

  async 'report-not-delivered-yet'({ offline }) {
    const student = await offline.student(['p1'])
    await student.say('2')
    return { world: offline, sessionId: student.sessionId }
  },
}

interface Worlds {
  offline: PracticeWorld
  modelled: PracticeWorld
  mind: ScriptedMind
}

interface Left {
  world: PracticeWorld
  sessionId: string
}

async function write(scenario: string, { world, sessionId }: Left): Promise<void> {
  const { session_id } = await world.own.db
    .selectFrom('tutoring_sessions')
    .select('session_id')
    .where('external_session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const handle = world.env.client.workflow.getHandle(workflowId.practice(session_id))
  const history = historyToJSON(await handle.fetchHistory())
  const { version } = JSON.parse(
    readFileSync(
      new URL('../../node_modules/@temporalio/worker/package.json', import.meta.url),
      'utf8',
    ),
  )
  mkdirSync(FOLDER, { recursive: true })
  const file = `${scenario}.${version}.${new Date().toISOString().slice(0, 10)}.json`
  writeFileSync(join(FOLDER, file), `${JSON.stringify(JSON.parse(history))}\n`)
  process.stderr.write(`${file}\n`)
}

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
    const mind = scriptedMind()
    // Nobody listens there: reports wait.
    const lms = { url: 'http://127.0.0.1:9/reports', secret: null }
    const worlds = {
      mind,
      offline: await createPracticeWorld({ servers, lms }),
      modelled: await createPracticeWorld({ servers, mind }),
    }
    for (const [scenario, reach] of Object.entries(SCENARIOS)) {
      if (wanted.length > 0 && !wanted.includes(scenario)) continue
      mind.reset()
      await write(scenario, await reach(worlds))
    }
  } finally {
    await stack.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

await captureAll(process.argv.slice(2))
process.exit(0)
