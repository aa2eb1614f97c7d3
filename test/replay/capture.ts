/**
 * Captures golden histories from servers of its own: `node test/replay/capture.ts` writes those of all products,
 * `node test/replay/capture.ts learning-arc asleep paused` two of the learning arc's. See the README for when to run it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalStack } from '../../src/dev/local-stack.ts'
import { workflowBundle } from '../../src/workflow-bundle.ts'
import type { HistoryJson } from '../support/histories.ts'
import { findTestServer } from '../support/test-server.ts'
import { agendaHistories } from './scenarios/agenda.ts'
import { arcHistories } from './scenarios/arc.ts'
import { courseHistories } from './scenarios/course.ts'
import { curriculumHistories } from './scenarios/curriculum.ts'
import { practiceHistories } from './scenarios/practice.ts'

/** The runs of a workflow, oldest first, by the scenario that led to them. */
export type Captured = AsyncGenerator<[scenario: string, runs: HistoryJson[]]>

const PRODUCTS = {
  'learning-arc': arcHistories,
  'practice-session': practiceHistories,
  'course-tutor': courseHistories,
  'curriculum-job': curriculumHistories,
  'study-agenda': agendaHistories,
}

const log = (line: string) => process.stderr.write(`${line}\n`)

/** Every run of a workflow in a file; one that has no successor keeps the scenario's name. */
function write(product: string, scenario: string, runs: HistoryJson[]): void {
  const packageJson = '../../node_modules/@temporalio/worker/package.json'
  const { version } = JSON.parse(readFileSync(new URL(packageJson, import.meta.url), 'utf8'))
  const folder = join(import.meta.dirname, 'histories', product)
  mkdirSync(folder, { recursive: true })
  for (const [index, run] of runs.entries()) {
    const name = runs.length > 1 ? `${scenario}-run-${index + 1}` : scenario
    const date = new Date().toISOString().slice(0, 10)
    writeFileSync(join(folder, `${name}.${version}.${date}.json`), `${JSON.stringify(run)}\n`)
    log(`${product} ${name}: ${run.events.length} events`)
  }
}

/** A run that has just begun has nothing to replay. */
const hasSteps = ({ events }: HistoryJson) =>
  events.some(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED')

async function captureAll([wanted, ...scenarios]: string[]): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'meno-capture-'))
  const stack = await startLocalStack({
    menoHome: home,
    env: { ...process.env, DATABASE_URL: '', TEMPORAL_ADDRESS: '' },
    log,
    ports: { postgres: 0, temporal: 0, temporalUi: 0 },
  })
  try {
    const servers = {
      postgresUrl: stack.databaseUrl,
      temporalAddress: stack.temporal.address,
      testServerPath: await findTestServer({ log }),
      workflowBundlePath: await workflowBundle(),
    }
    const isWanted = (name: string) => scenarios.length === 0 || scenarios.includes(name)
    for (const [product, histories] of Object.entries(PRODUCTS)) {
      if (wanted !== undefined && wanted !== product) continue
      for await (const [scenario, runs] of histories(servers, isWanted)) {
        write(product, scenario, runs.filter(hasSteps))
      }
    }
  } finally {
    await stack.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

await captureAll(process.argv.slice(2))
process.exit(0)
