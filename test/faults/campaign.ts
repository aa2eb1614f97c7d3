/**
 * The campaign against faults: `npm run campaign -- <seeds> <rounds>` takes that many arcs through drawn faults of their
 * steps (2,000), runs every test of kills for so many rounds (3), and a hundred hostile programs in the sandbox. In the
 * tests of every day all of them are few.
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
const FILES = [
  'test/domain/arc/faults.test.ts',
  ...['arc', 'practice', 'course', 'curriculum', 'program'].map(
    (name) => `test/faults/${name}-kills.test.ts`,
  ),
  'test/sandbox/hostile-programs.test.ts',
]

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

const [seeds = '2000', rounds = '3'] = process.argv.slice(2)
Object.assign(process.env, { MENO_CAMPAIGN_SEEDS: seeds, MENO_CAMPAIGN_ROUNDS: rounds })
const { startVitest } = await import('vitest/node')
const reporter = new CampaignReporter()
const vitest = await startVitest('test', FILES, {
  root: ROOT,
  watch: false,
  // Each has a whole Meno beside it.
  maxWorkers: 2,
  reporters: [reporter],
})
await vitest.close()
process.exitCode = reporter.failed === 0 ? 0 : 1
