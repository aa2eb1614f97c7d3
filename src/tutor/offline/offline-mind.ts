import type { Mind } from '../mind.ts'

/** The mind that needs no key: every step's answer comes from code and the course pack, and nothing is made up. */
export function createOfflineMind(): Mind {
  return {
    name: 'offline',
    run: async (step, context) => ({
      output: step.offline(context),
      model: 'offline',
      inputTokens: 0,
      outputTokens: 0,
    }),
  }
}
