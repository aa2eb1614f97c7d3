import { test } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Where the domain rules decide against the seed's letter on purpose, and how. */
    onPurpose?: string
  }
}

export type Scenario = (title: string, run: () => void | Promise<void>, onPurpose?: string) => void

/**
 * Scenarios of one requirement of a seed; each test carries `seed · requirement · scenario` as its
 * title, from which the specification is read off the test report.
 */
export function requirement(seed: string, name: string, scenarios: (scenario: Scenario) => void) {
  scenarios((title, run, onPurpose) => {
    test(`seed ${seed} · ${name} · ${title}`, async ({ task }) => {
      if (onPurpose !== undefined) task.meta.onPurpose = onPurpose
      await run()
    })
  })
}
