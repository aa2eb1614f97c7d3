import { OUTPUT_TOKENS, QuizQuestion } from '../../../contracts/llm.ts'
import { chooseProgram } from '../../offline/program-choice.ts'
import { chooseQuestions } from '../../offline/question-choice.ts'
import { arcStep } from './arc-step.ts'
import { type StepContext, unitOf } from './context.ts'
import { alreadyAsked, chanceInHand } from './context-blocks.ts'
import { helpMissing, questionFaults, tutorQuestions } from './questions.ts'

/** Of so many reviews of a unit that has programs, one asks for a program. */
const PROGRAM_EVERY = 3

const fromCourse = (context: StepContext<'review'>) => {
  const unit = unitOf(context)
  const { asked, seed, input } = context
  const { purpose } = input
  const level = purpose === 'easier' || purpose === 'check' ? 'easy' : 'medium'
  const isForProgram = purpose === 'review' && seed % PROGRAM_EVERY === 0
  const program = isForProgram ? chooseProgram(unit, asked, 'medium', seed) : null
  return { questions: program ? [program] : chooseQuestions(unit, asked, [level], seed) }
}

/** One question for a due review. */
export const review = arcStep('review', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: QuizQuestion,
  request: (context) => [
    chanceInHand(context),
    alreadyAsked(context),
    'Write one review question on the concept in hand; with all its parts, at most 200 words.',
  ],
  check: (wire) => questionFaults([wire]),
  reserve: (wire) => helpMissing([wire]),
  toOutput: (wire, { concept }) => ({ questions: tutorQuestions([wire], concept?.label ?? null) }),
  offline: fromCourse,
  fallback: (context) => (context.unit ? fromCourse(context) : null),
})
