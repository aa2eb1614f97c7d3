import { OUTPUT_TOKENS, QuizQuestion } from '../../../contracts/llm.ts'
import { chooseQuestions } from '../../offline/question-choice.ts'
import { arcStep } from './arc-step.ts'
import { type StepContext, unitOf } from './context.ts'
import { alreadyAsked } from './context-blocks.ts'
import { questionFaults, tutorQuestions } from './questions.ts'

const fromCourse = (context: StepContext<'review'>) => {
  const { purpose } = context.input
  const level = purpose === 'easier' || purpose === 'check' ? 'easy' : 'medium'
  return { questions: chooseQuestions(unitOf(context), context.asked, [level], context.seed) }
}

/** One question for a due review. */
export const review = arcStep('review', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: QuizQuestion,
  request: (context) => [
    alreadyAsked(context),
    'Write one review question on the concept in hand; with all its parts, at most 200 words.',
  ],
  check: (wire) => questionFaults([wire]),
  toOutput: (wire, { concept }) => ({ questions: tutorQuestions([wire], concept?.label ?? null) }),
  offline: fromCourse,
  fallback: (context) => (context.unit ? fromCourse(context) : null),
})
