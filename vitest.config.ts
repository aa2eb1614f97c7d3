import { defineConfig } from 'vitest/config'
import { ClosingLineReporter } from './test/support/closing-line-reporter.ts'

/** Tests that start the whole product or a browser: they wait more than they work, and bring their own servers. */
const PRODUCT = [
  'test/e2e/**/*.test.ts',
  'test/faults/*-{kills,outage}.test.ts',
  // The long trials: `npm run campaign`.
  ...(process.env.MENO_CAMPAIGN ? ['test/{faults,e2e}/*.campaign.ts'] : []),
]

/** Tests on the PostgreSQL and the Temporal of the run. */
const STACK = [
  'test/spec/**/*.spec.ts',
  ...[
    ...['store', 'activities', 'api', 'workflows', 'faults', 'replay', 'mcp', 'bench'],
    ...['channels', 'retrieval', 'exams', 'dev', 'spine'],
  ].map((folder) => `test/${folder}/**/*.test.ts`),
]

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share their worker's modules: whatever a test changes there, it puts back.
    isolate: false,
    // A deadline for hangs, not a measure of speed: two cores may be shared with much else.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // One more than there are cores: kills, silences and restarts are waited for.
    maxWorkers: 3,
    // Where nobody watches, only what failed is printed.
    reporters: [process.env.CI ? 'minimal' : 'default', new ClosingLineReporter()],
    // They start in the order of their names, so that the longest waits begin first.
    projects: [
      { extends: true, test: { name: 'product', include: PRODUCT } },
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...PRODUCT, ...STACK],
        },
      },
      {
        extends: true,
        test: {
          name: 'stack',
          include: STACK,
          exclude: PRODUCT,
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
})
