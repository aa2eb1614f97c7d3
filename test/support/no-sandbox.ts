import type { Sandbox } from '../../src/sandbox/sandbox.ts'

/** A sandbox that cannot start. */
export const noSandbox: Sandbox = {
  test: async () => ({ verdict: 'unavailable' }),
  stop: async () => {},
}
