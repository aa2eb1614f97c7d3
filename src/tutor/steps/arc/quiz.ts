import type { Unit } from '../../../contracts/course-pack.ts'
import { OUTPUT_TOKENS, QuizQuestions } from '../../../contracts/llm.ts'
import { listBlock } from '../../data-block.ts'
import { chooseProgram } from '../../offline/program-choice.ts'
import { askedAnew, chooseQuestions } from '../../offline/question-choice.ts'
import { arcStep } from './arc-step.ts'
import { type StepContext, type TutorQuestion, unitOf } from './context.ts'
import { alreadyAsked, conceptChances, questionText } from './context-blocks.ts'
import { helpMissing, questionFaults, tutorQuestions } from './questions.ts'

const fromCourse = (context: StepContext<'quiz'>) => {
  const unit = unitOf(context)
  const { count, easier } = context.input
  const again = missedAnew(context, unit).slice(0, count)
  const levels = (['easy', 'medium', 'hard'] as const).map((level) => (easier ? 'easy' : level))
  const fresh = chooseQuestions(
    unit,
    [...context.asked, ...again.map(asAsked)],
    levels.slice(0, count - again.length),
    context.seed,
    again.flatMap(({ source }) => source ?? []),
  )
  const last = levels[count - 1] ?? 'easy'
  // The last question of several may be to write a program.
  const program =
    count > 1 && fresh.length > 0 ? chooseProgram(unit, context.asked, last, context.seed) : null
  return { questions: [...again, ...(program ? [...fresh.slice(0, -1), program] : fresh)] }
}

/** The missed questions, each with other numbers or as a sibling. */
function missedAnew({ questions, asked, seed }: StepContext<'quiz'>, unit: Unit): TutorQuestion[] {
  const anew: TutorQuestion[] = []
  for (const [index, missed] of questions.entries()) {
    const question = askedAnew(unit, missed, [...asked, ...anew.map(asAsked)], seed + index)
    if (question) anew.push(question)
  }
  return anew
}

const asAsked = ({ source, text }: TutorQuestion) => ({ id: '', source, text, quality: null })

/** The questions of a cycle's quiz, one to three on one concept (seed 003, quiz question limits). */
export const quiz = arcStep('quiz', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  schema: QuizQuestions,
  request: (context) => [
    listBlock('missed_questions', context.questions.map(questionText)),
    conceptChances(context),
    alreadyAsked(context),
    context.input.easier
      ? 'The learner has had a hard time with this concept: easier questions than before, in small steps.'
      : '',
    `Write ${context.input.count} questions on the concept in hand.`,
  ],
  check: ({ questions }, { input: { count } }) =>
    questions.length < count
      ? [`${count} questions were asked for and ${questions.length} came.`]
      : questionFaults(questions.slice(0, count)),
  reserve: ({ questions }, { input: { count } }) => helpMissing(questions.slice(0, count)),
  toOutput: ({ questions }, { concept, input }) => ({
    questions: tutorQuestions(questions.slice(0, input.count), concept?.label ?? null),
  }),
  offline: fromCourse,
  fallback: (context) => (context.unit ? fromCourse(context) : null),
})
