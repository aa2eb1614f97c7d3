import { OUTPUT_TOKENS, QuizQuestion, QuizQuestions } from '../../contracts/llm.ts'
import { contextBlocks, questionText } from '../anthropic/context-blocks.ts'
import { listBlock, paragraphs } from '../anthropic/data-block.ts'
import { HOUSE_RULES, QUESTION_RULES } from '../anthropic/house-rules.ts'
import { readQuestions } from '../anthropic/questions.ts'
import { structuredStep } from '../anthropic/step.ts'
import type { StepContext } from '../tutor.ts'

const ROLE = `Your role: the quizmaster. Your questions show whether the learner can use the concept, not whether they remember a sentence.

${QUESTION_RULES}`

const QUIZ = `${HOUSE_RULES}

${ROLE}

Write the quiz of one learning cycle on the concept in hand. The questions are put one at a time.
- Exactly as many questions as asked for, in rising difficulty, with different numbers and settings; no question answers another.
- Each tests the concept in hand alone; what comes later in the plan is not needed.
- Mix the formats. At least one question asks to apply the idea to a new case.
- Questions that were missed come first: ask each again in the same sense, with other numbers or wording. Then new ones, unlike those already asked.`

const REVIEW = `${HOUSE_RULES}

${ROLE}

Write one review question on a concept learned some time ago.
- It asks to recall and use the central idea without any reminder of it. Medium difficulty unless the last responses were weak.
- It is unlike the questions already asked.`

/** The questions of a cycle's quiz, one to three on one concept (seed 003, quiz question limits). */
export const quiz = structuredStep<'quiz', QuizQuestions>({
  role: 'quiz',
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  system: QUIZ,
  schema: QuizQuestions,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      listBlock('missed_questions', context.questions.map(questionText)),
      alreadyAsked(context),
      context.input.easier
        ? 'The learner has had a hard time with this concept: easier questions than before, in small steps.'
        : '',
      `Write ${context.input.count} questions on the concept in hand.`,
    ),
  toOutput: ({ questions }, { concept, input }) => {
    if (questions.length < input.count) {
      const violation = `${input.count} questions were asked for and ${questions.length} came.`
      return { ok: false, violations: [violation] }
    }
    const reading = readQuestions(questions.slice(0, input.count), concept?.label ?? null)
    return reading.ok ? { ok: true, output: { questions: reading.output } } : reading
  },
})

/** One question for a due review. */
export const review = structuredStep<'review', QuizQuestion>({
  role: 'quiz',
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  system: REVIEW,
  schema: QuizQuestion,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      alreadyAsked(context),
      'Write one review question on the concept in hand.',
    ),
  toOutput: (wire, { concept }) => {
    const reading = readQuestions([wire], concept?.label ?? null)
    return reading.ok ? { ok: true, output: { questions: reading.output } } : reading
  },
})

function alreadyAsked({ asked }: StepContext<'quiz'> | StepContext<'review'>): string {
  return listBlock(
    'questions_already_asked',
    asked.slice(-20).map(({ text }) => text),
  )
}
