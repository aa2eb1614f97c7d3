import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { SCENARIOS } from '../spec/scenarios.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** What the tests that prove a scenario came to. */
interface Proof {
  tests: TestCase[]
  notes: string[]
}

/** Gathers, from a normal run, the tests that say which scenarios they prove. */
class SpecReporter implements Reporter {
  readonly proofs = new Map<string, Proof>()
  /** Files that could not be run. */
  readonly broken: string[] = []

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      const errors = module.errors().map(({ message }) => message)
      const tests = [...module.children.allTests()]
      if (errors.length > 0 || tests.length === 0) {
        this.broken.push([module.relativeModuleId, ...errors].join('\n      '))
      }
      for (const test of tests) this.#take(test)
    }
  }

  #take(test: TestCase): void {
    const { proves = [], onPurpose } = test.meta()
    for (const scenario of proves) {
      const proof = this.proofs.get(scenario) ?? { tests: [], notes: [] }
      proof.tests.push(test)
      if (onPurpose !== undefined) proof.notes.push(onPurpose)
      this.proofs.set(scenario, proof)
    }
  }
}

type Verdict = 'pass' | 'FAIL' | 'UNPROVEN'

/** A scenario passes where all its tests do; one without a test, or with none that ran, is unproven. */
function verdictOf({ tests }: Proof): Verdict {
  const states = tests.map((test) => test.result().state)
  if (states.includes('failed')) return 'FAIL'
  return states.length > 0 && states.every((state) => state === 'passed') ? 'pass' : 'UNPROVEN'
}

/** Runs the files that prove scenarios of the seeds and prints each scenario; the exit code is 1 unless all pass. */
async function main(): Promise<void> {
  const { startVitest } = await import('vitest/node')
  const reporter = new SpecReporter()
  const vitest = await startVitest('test', provingFiles(), {
    root: ROOT,
    watch: false,
    reporters: [reporter],
  })
  await vitest.close()
  const counts: Record<Verdict, number> = { pass: 0, FAIL: 0, UNPROVEN: 0 }
  for (const [requirement, titles] of Object.entries(SCENARIOS)) {
    console.log(`\nseed ${requirement}`)
    for (const title of titles) {
      const proof = reporter.proofs.get(`${requirement}: ${title}`) ?? { tests: [], notes: [] }
      const verdict = verdictOf(proof)
      counts[verdict] += 1
      print(verdict, title, proof)
    }
  }
  for (const file of reporter.broken) console.log(`\nNot run: ${file}`)
  console.log(
    `\n${counts.pass} scenarios pass, ${counts.FAIL} fail, ${counts.UNPROVEN} are unproven`,
  )
  const isWhole = counts.FAIL + counts.UNPROVEN + reporter.broken.length === 0
  process.exitCode = isWhole ? 0 : 1
}

function provingFiles(): string[] {
  return globSync('test/**/*.{test,spec}.{ts,tsx}', { cwd: ROOT }).filter((file) =>
    /\b(proves|requirement)\(/.test(readFileSync(path.join(ROOT, file), 'utf8')),
  )
}

function print(verdict: Verdict, title: string, { tests, notes }: Proof): void {
  console.log(`${verdict.padEnd(8)}  ${title}`)
  for (const note of new Set(notes)) console.log(`          note: ${note}`)
  for (const [file, count] of countBy(tests, ({ module }) => module.relativeModuleId)) {
    console.log(`          ${file}${count > 1 ? ` (${count} tests)` : ''}`)
  }
  for (const test of tests) {
    const { errors } = test.result()
    if (errors?.[0]) console.log(`          ${test.name}: ${errors[0].message?.split('\n')[0]}`)
  }
}

function countBy<T>(all: readonly T[], key: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1)
  return counts
}

await main()
