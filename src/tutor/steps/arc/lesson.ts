import { Lesson, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { listBlock } from '../../data-block.ts'
import { anotherExample, lessonAgain, workedExample } from '../../offline/explanations.ts'
import { chooseQuestions } from '../../offline/question-choice.ts'
import { shortened, wordCount } from '../../shortened.ts'
import { arcStep } from './arc-step.ts'
import { languageOf, type StepContext, unitOf } from './context.ts'
import { alreadyAsked, conceptChances } from './context-blocks.ts'
import { helpMissing, questionFaults, tutorQuestions } from './questions.ts'

const PASSING = 3
const MAX_MISSED = 3
/** What is read before the first question, explanation and example together. */
const MAX_WORDS = 120

const fromCourse = (context: StepContext<'lesson'>) => {
  const unit = unitOf(context)
  const { showing } = context.input
  const language = languageOf(context)
  return {
    explanation: showing === 1 ? unit.lesson : lessonAgain(unit, context, language),
    example:
      showing === 1 ? workedExample(unit, language) : anotherExample(unit, showing, language),
    questions: chooseQuestions(unit, context.asked, ['easy'], context.seed),
  }
}

/** The check question, then the easier one. */
const questionsOf = ({ check_question, easier_question }: Lesson) => [
  check_question,
  ...(easier_question ? [easier_question] : []),
]

function lengthFaults({ explanation, example = '' }: Lesson): string[] {
  const words = wordCount(explanation) + wordCount(example)
  return words <= MAX_WORDS
    ? []
    : [`explanation and example have ${words} words together; at most ${MAX_WORDS} are allowed.`]
}

/** As much of a lesson as may be read before its question: an example only whole, because its end is its point. */
function inBounds({ explanation, example }: Lesson) {
  const kept = shortened(explanation, MAX_WORDS)
  const isRoom = example !== undefined && wordCount(kept) + wordCount(example) <= MAX_WORDS
  return { explanation: kept, example: isRoom ? example : null }
}

/** A concept that was asked about before has been shown before, in whatever cycle. */
const showing = ({ input, responses }: StepContext<'lesson'>): number =>
  Math.max(input.cycle, responses.length > 0 ? 2 : 1)

const missedQuestions = ({ asked }: StepContext<'lesson'>): string[] =>
  asked
    .filter(({ quality }) => quality !== null && quality < PASSING)
    .slice(-MAX_MISSED)
    .map(({ text }) => text)

/** A lesson on the concept in hand and its one check question (seed 003, learning cycle). */
export const lesson = arcStep('lesson', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  shown: 'explanation',
  schema: Lesson,
  request: (context) => [
    listBlock(
      'errors_of_the_last_cycle',
      context.input.errors.map(
        (error) =>
          `${error.patternType}: ${error.description} | remedy: ${error.suggestedRemediation}`,
      ),
    ),
    conceptChances(context),
    listBlock('missed_questions', missedQuestions(context)),
    alreadyAsked(context),
    `This is showing ${showing(context)} of the concept. Teach the concept in hand.`,
  ],
  check: (wire) => questionFaults(questionsOf(wire)),
  reserve: (wire) => [...lengthFaults(wire), ...helpMissing(questionsOf(wire))],
  toOutput: (wire, { concept }) => ({
    ...inBounds(wire),
    questions: tutorQuestions(questionsOf(wire), concept?.label ?? null),
  }),
  offline: fromCourse,
  fallback: (context) => (context.unit ? fromCourse(context) : null),
})
