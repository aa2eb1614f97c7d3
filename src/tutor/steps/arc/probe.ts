import { OUTPUT_TOKENS, ProbeQuestion } from '../../../contracts/llm.ts'
import { dataBlock, listBlock } from '../../data-block.ts'
import { chooseQuestions, unitByLabel } from '../../offline/question-choice.ts'
import { arcStep } from './arc-step.ts'
import { courseOf, type StepContext } from './context.ts'
import { probeResults } from './context-blocks.ts'
import { questionFaults, tutorQuestions } from './questions.ts'

const fromCourse = (context: StepContext<'probe'>) => {
  const unit = unitByLabel(courseOf(context), context.input.label)
  return unit ? chooseQuestions(unit, context.asked, ['medium'], context.seed) : []
}

/** One calibration question on one concept (seed 000 D4). */
export const probe = arcStep('probe', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  schema: ProbeQuestion,
  request: (context) => [
    listBlock('probes_so_far', probeResults(context.probes)),
    dataBlock('probed_concept', context.input.label),
    'Write the probe question for the probed concept.',
  ],
  check: (wire) => questionFaults([wire]),
  toOutput: (wire, { input }) => ({ questions: tutorQuestions([wire], input.label) }),
  offline: (context) => ({ questions: fromCourse(context) }),
  fallback: (context) => {
    const questions = context.course ? fromCourse(context) : []
    return questions.length > 0 ? { questions } : null
  },
})
