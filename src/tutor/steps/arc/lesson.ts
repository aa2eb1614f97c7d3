import { Lesson, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { listBlock } from '../../data-block.ts'
import { anotherExample, lessonAgain, workedExample } from '../../offline/explanations.ts'
import { chooseQuestions } from '../../offline/question-choice.ts'
import { arcStep } from './arc-step.ts'
import { type StepContext, unitOf } from './context.ts'
import { alreadyAsked } from './context-blocks.ts'
import { QUESTION_RULES, TUTOR } from './house-rules.ts'
import { questionFaults, tutorQuestions } from './questions.ts'

const SYSTEM = `${TUTOR}

${QUESTION_RULES}

Teach one concept, then ask one check question.
- "explanation": 150 to 300 words. Start with why the idea is needed or with a case the learner can picture; then the idea; then how to use it. Only this concept: what lies before it is known, what lies after it is not mentioned. No heading, no greeting, no question at the end.
- "example": one worked example, step by step, at most 120 words. Its numbers and wording differ from the check question's.
- "check_question": one question that shows whether the idea has arrived; easier than a quiz question. Neither explanation nor example contains its answer.
- In a later cycle do not repeat the earlier lesson: take another way in (a picture, a contrast, smaller steps) and aim at the errors that are listed, without naming them as the learner's failures.
- Use what is remembered of the learner where it helps, silently.`

const fromCourse = (context: StepContext<'lesson'>) => {
  const unit = unitOf(context)
  const { showing } = context.input
  return {
    explanation: showing === 1 ? unit.lesson : lessonAgain(unit, context),
    example: showing === 1 ? workedExample(unit) : anotherExample(unit, showing, context.seed),
    questions: chooseQuestions(unit, context.asked, ['easy'], context.seed),
  }
}

/** A lesson on the concept in hand and its one check question (seed 003, learning cycle). */
export const lesson = arcStep('lesson', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  shown: 'explanation',
  schema: Lesson,
  system: SYSTEM,
  request: (context) => [
    listBlock(
      'errors_of_the_last_cycle',
      context.input.errors.map(
        (error) =>
          `${error.patternType}: ${error.description} | remedy: ${error.suggestedRemediation}`,
      ),
    ),
    alreadyAsked(context),
    `Cycle ${context.input.cycle}. Teach the concept in hand.`,
  ],
  check: ({ check_question }) => questionFaults([check_question]),
  toOutput: ({ explanation, example, check_question }, { concept }) => ({
    explanation,
    example: example ?? null,
    questions: tutorQuestions([check_question], concept?.label ?? null),
  }),
  offline: fromCourse,
  fallback: (context) => (context.unit ? fromCourse(context) : null),
})
