import { defineConfig } from 'vitest/config'
import { ClosingLineReporter } from './test/support/closing-line-reporter.ts'

/** Folders whose tests use PostgreSQL or Temporal; all others run without starting anything. */
const STACK = [
  'test/spec/**/*.spec.ts',
  ...[
    ...['store', 'activities', 'api', 'workflows', 'e2e', 'faults', 'replay', 'mcp', 'bench'],
    ...['channels', 'retrieval', 'exams', 'dev', 'spine'],
  ].map((folder) => `test/${folder}/**/*.test.ts`),
]

export default defineConfig({
  test: {
    pool: 'forks',
    // A deadline for hangs, not a measure of speed: two cores may be shared with much else.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: ['test/**/*.test.{ts,tsx}'], exclude: STACK },
      },
      {
        extends: true,
        test: {
          name: 'stack',
          include: STACK,
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
})
