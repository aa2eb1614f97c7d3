import { OUTPUT_TOKENS, VerdictExplanation } from '../../../contracts/llm.ts'
import { dataBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import { chanceInHand, gradedQuestion, learnerMessage } from './context-blocks.ts'
import { givesAway } from './giving-away.ts'

/** The learner waits for it, and hears a hint or the solution where it does not come. */
const DEADLINE_MS = 15_000

const UNEXPLAINED = { feedback_text: '' }

/** Why an answer has the verdict that code gave it. The verdict is not the model's to change: it returns words only. */
export const explain = arcStep('explain', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  deadlineMs: DEADLINE_MS,
  schema: VerdictExplanation,
  request: (context) => [
    chanceInHand(context),
    gradedQuestion(context.questions[0]),
    dataBlock('verdict_of_code', context.input.codeVerdict),
    learnerMessage(context),
    'Tell the learner why.',
  ],
  check: ({ feedback_text }, context) =>
    givesAway(context, feedback_text) ? ['feedback_text gives the answer away.'] : [],
  toOutput: ({ feedback_text }) => ({ feedback_text }),
  offline: () => UNEXPLAINED,
  fallback: () => UNEXPLAINED,
})
