import { LearningPath, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { arcStep } from './arc-step.ts'
import { conceptMap } from './context-blocks.ts'
import { PLANNER } from './house-rules.ts'

const SYSTEM = `${PLANNER}

Tell the learner where they are and what comes next.
- "learning_path": the next three to six concepts of the map in a good order, by label; when all is mastered, topics that follow on from this one.
- "next_topic": the first of them.
- "path_reasoning": to the learner, at most 100 words: how far they are, what comes next and why, and what it leads to. Encouraging, concrete, true to the statuses of the map. No promises about time.`

/** What comes next and why (seed 003, path planner). */
export const path = arcStep('path', {
  tier: 'fast',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: LearningPath,
  system: SYSTEM,
  request: (context) => [conceptMap(context), 'Show the learner the path ahead.'],
  toOutput: (wire) => wire,
  offline: ({ concepts, frontier: [next] }) => {
    const ahead = concepts.filter(({ status }) => status !== 'mastered')
    const names = ahead.slice(0, 6).map(({ label }, i) => `${i + 1}. ${label}`)
    const needs = concepts.find(({ label }) => label === next?.label)?.prerequisites ?? []
    const why = needs.length > 0 ? ` because what it needs (${needs.join(', ')}) is in place` : ''
    return {
      learning_path: ahead.map(({ label }) => label),
      next_topic: next?.label ?? '',
      path_reasoning: next
        ? `Next comes **${next.label}**${why}. Your path from here:\n\n${names.join('\n')}`
        : 'Everything on your path has been taught; what remains is to review it when it is due.',
    }
  },
})
