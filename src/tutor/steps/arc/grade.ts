import { Grade, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import type { StepOutputs } from '../../../domain/arc/steps.ts'
import { arcStep } from './arc-step.ts'
import type { StepContext } from './context.ts'
import { chanceInHand, gradedQuestion, learnerMessage } from './context-blocks.ts'
import { givesAway } from './giving-away.ts'

const PASSING = 3

type Graded = StepOutputs['grade']

const UNGRADED: Graded = { isAnswer: true, quality: null, is_correct: false, feedback_text: '' }

/**
 * The words to the learner; none where they give away the answer of a question that stays open. The verdict stands all
 * the same, and code has words of its own. Nothing of a grade is shown while it streams in, so nobody has seen them.
 */
function feedbackTo(context: StepContext<'grade'>, { is_answer, quality, feedback_text }: Grade) {
  const isDoneWith = is_answer && (quality >= PASSING || !context.input.secondTry)
  return isDoneWith || !givesAway(context, feedback_text) ? feedback_text : ''
}

/** Says of what code cannot judge whether it is an answer, and grades it, 0 to 5, by the question's criteria. */
export const grade = arcStep('grade', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: Grade,
  request: (context) => [
    chanceInHand(context),
    gradedQuestion(context.questions[0]),
    learnerMessage(context),
    context.input.again
      ? 'The learner contests the first grade. Grade the answer afresh.'
      : 'Say whether the message is an answer to the question, and grade it if it is.',
    context.input.secondTry
      ? 'If it is wrong, the learner may try once more: "feedback_text" must not tell the answer then.'
      : '',
  ],
  toOutput: ({ is_answer: isAnswer, quality, ...wire }, context): Graded => {
    const feedback_text = feedbackTo(context, { is_answer: isAnswer, quality, ...wire })
    return isAnswer
      ? { ...wire, isAnswer, quality, is_correct: quality >= PASSING, feedback_text }
      : { isAnswer, quality: null, is_correct: false, feedback_text }
  },
  offline: () => UNGRADED,
  fallback: () => UNGRADED,
})
