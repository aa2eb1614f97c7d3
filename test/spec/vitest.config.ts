import { defineConfig } from 'vitest/config'

/** The seeds' scenarios, run by themselves for `npm run spec`. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    include: ['test/spec/**/*.spec.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
