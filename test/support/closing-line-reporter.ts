import { writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Prints, as the very last line of a run, how many tests passed and failed: `123 passed, 0 failed`,
 * with `, 4 skipped` where some were. A file that cannot be loaded, an error outside any test and a
 * check that failed before the tests each count as one failure. What failed is named just before, so that the end of a
 * long run's output tells it.
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
      const failedTests = tests.filter((test) => test.result().state === 'failed')
      for (const test of failedTests) {
        const [error] = test.result().errors ?? []
        const reason = (error?.message ?? '').split('\n')[0]
        writeSync(1, `Failed: ${test.module.relativeModuleId} > ${test.fullName}: ${reason}\n`)
      }
      for (const module of modules.filter((module) => module.errors().length > 0)) {
        const reason = (module.errors()[0]?.message ?? '').split('\n')[0]
        writeSync(1, `Failed: ${module.relativeModuleId}: ${reason}\n`)
      }
      for (const { message } of errors) writeSync(1, `Failed outside any test: ${message}\n`)
      const tail = skipped > 0 ? `, ${skipped} skipped` : ''
      for (const check of checks) writeSync(1, `Failed before the tests: ${check}\n`)
      writeSync(1, `${count('passed')} passed, ${failed} failed${tail}\n`)
    })
  }
}
