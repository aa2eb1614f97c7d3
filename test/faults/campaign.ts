/**
 * The long trials: `npm run campaign -- [trials] [seeds] [rounds]`. Without names all trials are run:
 *
 * - `drawn`: that many arcs live through drawn faults of their steps (2,000), and every test of kills is run for so many
 *   rounds (3). In the tests of every day both are few.
 * - `kills`: all products at once in one Meno through 50 kills; `MENO_KILLS` and `MENO_SEED` say otherwise.
 * - `changed-rules`: the worker is replaced by one with other rules while everything is open.
 * - `nudges`: the worker is killed between sending a nudge and noting it, 100 times; `MENO_NUDGE_KILLS` says otherwise.
 * - `programs`: a hundred hostile programs in the sandbox.
 * - `screens`: every screen of the page in a browser, by axe, by a pointer on every control, at two sizes and in both
 *   themes; `MENO_PICTURES=folder` keeps what was seen.
 * - `wire`: every kind of model step with every fault of a model server, with real waits.
 */
import path from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** What a test of the campaign counted, by its name: arcs, kills. */
    counted?: Record<string, number>
  }
}

const ROOT = path.resolve(import.meta.dirname, '../..')
const PRODUCTS = ['arc', 'practice', 'course', 'curriculum', 'program']
/** The trials that are test files. */
const FILES: Record<string, string[]> = {
  drawn: [
    'test/domain/arc/faults.test.ts',
    ...PRODUCTS.map((name) => `test/faults/${name}-kills.test.ts`),
  ],
  kills: ['test/faults/all-products.campaign.ts'],
  nudges: ['test/faults/agenda-kills.test.ts'],
  programs: ['test/sandbox/hostile-programs.test.ts'],
  'changed-rules': ['test/faults/changed-rules.campaign.ts'],
  screens: ['first', 'today', 'topic', 'map', 'desks'].map(
    (name) => `test/e2e/screens-${name}.campaign.ts`,
  ),
}
const TRIALS = [...Object.keys(FILES), 'wire']

/** Prints each test as it ends, and what all of them came to. */
class CampaignReporter implements Reporter {
  readonly #startedAt = Date.now()
  /** Faults that steps met, by their kind and the fault. */
  readonly #met: Record<string, Record<string, number>> = {}
  failed = 0

  onTestCaseResult(test: TestCase): void {
    const seconds = Math.round((Date.now() - this.#startedAt) / 1000)
    const { state, errors } = test.result()
    const counted = Object.entries(test.meta().counted ?? {}).map(([what, n]) => `${n} ${what}`)
    console.log([`${seconds} s`, state, test.fullName, ...counted].join('  '))
    for (const { message } of errors ?? []) console.log(message)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map((module) => {
      const tests = [...module.children.allTests()]
      const failures = tests.filter((test) => !test.ok()).length + module.errors().length
      for (const error of module.errors()) console.log(error.message)
      this.failed += failures
      const sums: Record<string, number> = {}
      for (const test of tests) {
        this.#add(test.meta().met ?? {})
        for (const [what, count] of Object.entries(test.meta().counted ?? {})) {
          sums[what] = (sums[what] ?? 0) + count
        }
      }
      const seconds = Math.round(module.diagnostic().duration / 1000)
      return { file: module.relativeModuleId, tests: tests.length, failures, seconds, ...sums }
    })
    console.table(this.#met)
    console.table(rows)
  }

  #add(met: Record<string, Record<string, number>>): void {
    for (const [kind, faults] of Object.entries(met)) {
      const sums = this.#met[kind] ?? {}
      for (const [fault, count] of Object.entries(faults)) sums[fault] = (sums[fault] ?? 0) + count
      this.#met[kind] = sums
    }
  }
}

/** Runs test files, with a whole Meno beside each; returns how many tests failed. */
async function runTests(files: string[], maxWorkers: number): Promise<number> {
  const { startVitest } = await import('vitest/node')
  const reporter = new CampaignReporter()
  const options = { root: ROOT, watch: false, maxWorkers, reporters: [reporter] }
  const vitest = await startVitest('test', files, options)
  await vitest.close()
  return reporter.failed
}

const given = process.argv.slice(2)
const [seeds = '2000', rounds = '3'] = given.filter((word) => /^\d+$/.test(word))
const named = given.filter((word) => !/^\d+$/.test(word))
const unknown = named.filter((name) => !TRIALS.includes(name))
if (unknown.length > 0) {
  console.error(`There is no trial ${unknown.join(', ')}. There are: ${TRIALS.join(', ')}.`)
  process.exit(1)
}
Object.assign(process.env, {
  MENO_CAMPAIGN: '1',
  MENO_CAMPAIGN_SEEDS: seeds,
  MENO_CAMPAIGN_ROUNDS: rounds,
  MENO_NUDGE_KILLS: process.env.MENO_NUDGE_KILLS || '100',
})
let failed = 0
for (const name of named.length > 0 ? named : TRIALS) {
  console.log(`\n${name}`)
  const files = FILES[name]
  // What waits for itself to come back leaves room for another; what is measured is alone.
  if (files) failed += await runTests(files, name === 'drawn' ? 2 : 1)
  else failed += await (await import('./wire/campaign.ts')).run()
}
process.exit(failed === 0 ? 0 : 1)
