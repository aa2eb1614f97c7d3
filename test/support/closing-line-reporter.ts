import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/** What a whole run hands to the run after it, in which the files that failed are tried by themselves. */
export interface FirstRun {
  /** Of the files that are not tried again. */
  passed: number
  skipped: number
  /** The files to be tried again, from the project's folder; null where not every failure belongs to a file. */
  failedFiles: string[] | null
  /** Each failed test with its reason, a line each. */
  failures: string[]
}

const FILES_BETWEEN_NEWS = 50

/**
 * Prints, as the very last line of a run, how many tests passed and failed: `123 passed, 0 failed`,
 * with `, 4 skipped` where some were. A file that cannot be loaded, an error outside any test and a
 * check that failed before the tests each count as one failure. What failed is named just before, so that the end of a
 * long run's output tells it. Where nobody watches (`CI`), a line every 50 files tells that it goes on.
 *
 * `MENO_TEST_RECORD` names a file that is to hold this run's `FirstRun`; `MENO_FIRST_RUN` the one of the run before:
 * then the last line tells of both together, and what failed only there is named as unsteady.
 */
export class ClosingLineReporter implements Reporter {
  private endedFiles = 0

  onTestModuleEnd(): void {
    this.endedFiles += 1
    if (process.env.CI && this.endedFiles % FILES_BETWEEN_NEWS === 0) {
      writeSync(1, `${this.endedFiles} test files done\n`)
    }
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const brokenSuites = modules.flatMap((module) => [
      ...(module.errors().length > 0 ? [module] : []),
      ...[...module.children.allSuites()].filter((suite) => suite.errors().length > 0),
    ]).length
    const checks = (process.env.MENO_FAILED_CHECKS ?? '').split('\n').filter(Boolean)
    const failures = count(tests, 'failed') + brokenSuites + errors.length + checks.length
    const named = namedFailures(modules, tests, errors)
    const record = process.env.MENO_TEST_RECORD
    if (record) writeFileSync(record, JSON.stringify(firstRun(modules, errors, named)))
    const before = earlierRun()
    const passed = count(tests, 'passed') + (before?.passed ?? 0)
    const skipped = count(tests, 'skipped') + count(tests, 'pending') + (before?.skipped ?? 0)
    process.once('exit', (code) => {
      // A run that did not get as far as its tests has failed too.
      const failed = code === 0 ? failures : Math.max(failures, 1)
      for (const line of before?.failures ?? []) writeSync(1, `Failed in the whole run: ${line}\n`)
      for (const line of named) writeSync(1, `Failed: ${line}\n`)
      for (const check of checks) writeSync(1, `Failed before the tests: ${check}\n`)
      if (before && code === 0)
        writeSync(1, 'By themselves they passed: they are unsteady and want mending.\n')
      const tail = skipped > 0 ? `, ${skipped} skipped` : ''
      writeSync(1, `${passed} passed, ${failed} failed${tail}\n`)
    })
  }
}

function count(tests: readonly TestCase[], state: string): number {
  return tests.filter((test) => test.result().state === state).length
}

function namedFailures(
  modules: readonly TestModule[],
  tests: readonly TestCase[],
  errors: readonly SerializedError[],
): string[] {
  const reason = (error?: { message?: string }) => (error?.message ?? '').split('\n')[0]
  return [
    ...tests
      .filter((test) => test.result().state === 'failed')
      .map(
        (test) =>
          `${test.module.relativeModuleId} > ${test.fullName}: ${reason(test.result().errors?.[0])}`,
      ),
    ...modules.flatMap((module) => [
      ...module
        .errors()
        .slice(0, 1)
        .map((error) => `${module.relativeModuleId}: ${reason(error)}`),
      ...[...module.children.allSuites()]
        .filter((suite) => suite.errors().length > 0)
        .map(
          (suite) => `${module.relativeModuleId} > ${suite.fullName}: ${reason(suite.errors()[0])}`,
        ),
    ]),
    ...errors.map((error) => `outside any test: ${reason(error)}`),
  ]
}

function firstRun(
  modules: readonly TestModule[],
  errors: readonly SerializedError[],
  failures: string[],
): FirstRun {
  const good = new Set(['passed', 'skipped'])
  // An error outside any test belongs to the file that ran meanwhile.
  const strayIn = new Set(errors.map((error) => error.VITEST_TEST_PATH))
  const failed = new Set(
    modules.filter((module) => !good.has(module.state()) || strayIn.has(module.moduleId)),
  )
  const others = modules
    .filter((module) => !failed.has(module))
    .flatMap((module) => [...module.children.allTests()])
  const files = new Set([...failed].map((module) => module.relativeModuleId))
  return {
    passed: count(others, 'passed'),
    skipped: count(others, 'skipped') + count(others, 'pending'),
    failedFiles: strayIn.has(undefined) ? null : [...files],
    failures,
  }
}

function earlierRun(): FirstRun | null {
  const path = process.env.MENO_FIRST_RUN
  return path ? JSON.parse(readFileSync(path, 'utf8')) : null
}
