import { LearningPath, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { arcStep } from './arc-step.ts'

/** What comes next and why (seed 003, path planner). */
export const path = arcStep('path', {
  tier: 'fast',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: LearningPath,
  request: () => ['Show the learner the path ahead.'],
  toOutput: (wire) => wire,
  offline: ({ input, concepts, frontier: [next] }) => {
    const ahead = concepts.filter(({ status }) => status !== 'mastered')
    const names = ahead.slice(0, 6).map(({ label }, i) => `${i + 1}. ${label}`)
    const needs = concepts.find(({ label }) => label === next?.label)?.prerequisites ?? []
    const why = needs.length > 0 ? ` because what it needs (${needs.join(', ')}) is in place` : ''
    return {
      learning_path: ahead.map(({ label }) => label),
      next_topic: next?.label ?? '',
      path_reasoning: next
        ? `Next comes **${next.label}**${why}. Your path from here:\n\n${names.join('\n')}`
        : input.purpose === 'completed'
          ? 'Nothing is due here any more. If you keep the topic fresh, I go on asking before you forget.'
          : 'Everything on your path has been taught; what remains is to review it when it is due.',
    }
  },
})
