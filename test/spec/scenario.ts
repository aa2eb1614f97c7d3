import { type TestContext, test } from 'vitest'
import type { Requirement, SCENARIOS, ScenarioName } from './scenarios.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The scenarios of the seeds that are met where this test passes. */
    proves?: readonly ScenarioName[]
    /** Where the domain rules decide against the seed's letter on purpose, and how. */
    onPurpose?: string
  }
}

/**
 * Options of a test, or of a whole `describe`, whose passing proves scenarios of the seeds:
 * `test('…', proves('000 D8 Quiz response storage: …'), () => …)`. `npm run spec` reads them.
 */
export const proves = (...scenarios: ScenarioName[]) => ({ meta: { proves: scenarios } })

type Titles<R extends Requirement> = (typeof SCENARIOS)[R][number]
export type Scenario<R extends Requirement> = (
  title: Titles<R>,
  run: (context: TestContext) => void | Promise<void>,
  onPurpose?: string,
) => void

/** Tests that are scenarios of one requirement themselves, under the scenarios' titles. */
export function requirement<R extends Requirement>(
  name: R,
  scenarios: (scenario: Scenario<R>) => void,
) {
  scenarios((title, run, onPurpose) => {
    const proven = `${name}: ${title}` as ScenarioName
    const meta = { proves: [proven], ...(onPurpose === undefined ? {} : { onPurpose }) }
    test(`seed ${proven}`, { meta }, run)
  })
}
