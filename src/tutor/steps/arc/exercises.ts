import { OUTPUT_TOKENS, type QuizQuestion, QuizQuestions } from '../../../contracts/llm.ts'
import { MOST_PROBLEMS } from '../../../domain/arc/practising.ts'
import { listBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import type { StepContext } from './context.ts'
import { alreadyAsked, conceptChances } from './context-blocks.ts'
import { helpMissing, questionFaults, tutorQuestions } from './questions.ts'

/** The concepts to practise, in the order in which they were named. */
const practised = ({ concepts, input }: StepContext<'exercises'>) =>
  input.nodeIds.flatMap((wanted) => concepts.find(({ id }) => id === wanted) ?? [])

const isWritten = ({ format }: QuizQuestion) => format === 'short_answer'

/** Problems to practise on one concept or on several, all with a written answer: a choice is no practice. */
export const exercises = arcStep('exercises', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  schema: QuizQuestions,
  request: (context) => [
    listBlock(
      'concepts_to_practise',
      practised(context).map(({ label }) => label),
    ),
    conceptChances(context),
    alreadyAsked(context),
    `Write ${MOST_PROBLEMS} problems, from easy to hard, spread over the concepts to practise; each names its concept in "concept_name".`,
  ],
  // One that can be used is a session: those that cannot are left out.
  check: ({ questions }) => {
    const written = questions.filter(isWritten)
    if (written.length === 0) return ['every problem is a short_answer; none of them was.']
    return tutorQuestions(written, null).length > 0 ? [] : questionFaults(written)
  },
  reserve: ({ questions }) => helpMissing(questions.filter(isWritten).slice(0, MOST_PROBLEMS)),
  toOutput: ({ questions }) => ({
    questions: tutorQuestions(questions.filter(isWritten).slice(0, MOST_PROBLEMS), null),
  }),
  // A course has its own problems, and code chooses them.
  offline: () => ({ questions: [] }),
  fallback: () => ({ questions: [] }),
})
