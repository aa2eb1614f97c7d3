import type { Unit } from '../../../contracts/course-pack.ts'
import { OUTPUT_TOKENS, QuizQuestions } from '../../../contracts/llm.ts'
import { listBlock } from '../../data-block.ts'
import { askedAnew, chooseQuestions } from '../../offline/question-choice.ts'
import { arcStep } from './arc-step.ts'
import { type StepContext, type TutorQuestion, unitOf } from './context.ts'
import { alreadyAsked, questionText } from './context-blocks.ts'
import { QUIZMASTER } from './house-rules.ts'
import { questionFaults, tutorQuestions } from './questions.ts'

const SYSTEM = `${QUIZMASTER}

Write the quiz of one learning cycle on the concept in hand. The questions are put one at a time.
- Exactly as many questions as asked for, in rising difficulty, with different numbers and settings; no question answers another.
- Each tests the concept in hand alone; what comes later in the plan is not needed.
- Mix the formats. At least one question asks to apply the idea to a new case.
- Questions that were missed come first: ask each again in the same sense, with other numbers or wording. Then new ones, unlike those already asked.`

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
  return { questions: [...again, ...fresh] }
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
  system: SYSTEM,
  request: (context) => [
    listBlock('missed_questions', context.questions.map(questionText)),
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
  toOutput: ({ questions }, { concept, input }) => ({
    questions: tutorQuestions(questions.slice(0, input.count), concept?.label ?? null),
  }),
  offline: fromCourse,
  fallback: (context) => (context.unit ? fromCourse(context) : null),
})
