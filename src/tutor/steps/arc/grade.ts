import { Grade, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import type { StepOutputs } from '../../../domain/arc/steps.ts'
import { arcStep } from './arc-step.ts'
import { gradedQuestion, learnerMessage } from './context-blocks.ts'

const PASSING = 3

type Graded = StepOutputs['grade']

const UNGRADED: Graded = { isAnswer: true, quality: null, is_correct: false, feedback_text: '' }

/** Says of what code cannot judge whether it is an answer, and grades it, 0 to 5, by the question's criteria. */
export const grade = arcStep('grade', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: Grade,
  request: (context) => [
    gradedQuestion(context.questions[0]),
    learnerMessage(context),
    context.input.again
      ? 'The learner contests the first grade. Grade the answer afresh.'
      : 'Say whether the message is an answer to the question, and grade it if it is.',
  ],
  toOutput: ({ is_answer: isAnswer, quality, ...wire }): Graded =>
    isAnswer
      ? { ...wire, isAnswer, quality, is_correct: quality >= PASSING }
      : { isAnswer, quality: null, is_correct: false, feedback_text: wire.feedback_text },
  offline: () => UNGRADED,
  fallback: () => UNGRADED,
})
