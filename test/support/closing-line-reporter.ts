import { writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Prints, as the very last line of a run, how many tests passed and failed: `123 passed, 0 failed`,
 * with `, 4 skipped` where some were. A file that cannot be loaded, an error outside any test and a
 * check that failed before the tests each count as one failure.
 */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const brokenSuites = modules.flatMap((module) => [
      ...(module.errors().length > 0 ? [module] : []),
      ...[...module.children.allSuites()].filter((suite) => suite.errors().length > 0),
    ]).length
    const checks = (process.env.MENO_FAILED_CHECKS ?? '').split('\n').filter(Boolean)
    const failures = count('failed') + brokenSuites + errors.length + checks.length
    const skipped = count('skipped') + count('pending')
    process.once('exit', (code) => {
      // A run that did not get as far as its tests has failed too.
      const failed = code === 0 ? failures : Math.max(failures, 1)
      const tail = skipped > 0 ? `, ${skipped} skipped` : ''
      for (const check of checks) writeSync(1, `Failed before the tests: ${check}\n`)
      writeSync(1, `${count('passed')} passed, ${failed} failed${tail}\n`)
    })
  }
}
