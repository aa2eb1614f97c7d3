import { OUTPUT_TOKENS, QuizQuestion } from '../../../contracts/llm.ts'
import { chooseQuestions } from '../../offline/question-choice.ts'
import { arcStep } from './arc-step.ts'
import { type StepContext, unitOf } from './context.ts'
import { alreadyAsked } from './context-blocks.ts'
import { QUIZMASTER } from './house-rules.ts'
import { questionFaults, tutorQuestions } from './questions.ts'

const SYSTEM = `${QUIZMASTER}

Write one review question on a concept learned some time ago.
- It asks to recall and use the central idea without any reminder of it. Medium difficulty unless the last responses were weak.
- It is unlike the questions already asked.`

const fromCourse = (context: StepContext<'review'>) => {
  const { purpose } = context.input
  const level = purpose === 'easier' || purpose === 'check' ? 'easy' : 'medium'
  return { questions: chooseQuestions(unitOf(context), context.asked, [level], context.seed) }
}

/** One question for a due review. */
export const review = arcStep('review', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  schema: QuizQuestion,
  system: SYSTEM,
  request: (context) => [
    alreadyAsked(context),
    'Write one review question on the concept in hand.',
  ],
  check: (wire) => questionFaults([wire]),
  toOutput: (wire, { concept }) => ({ questions: tutorQuestions([wire], concept?.label ?? null) }),
  offline: fromCourse,
  fallback: (context) => (context.unit ? fromCourse(context) : null),
})
