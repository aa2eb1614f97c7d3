import type { Unit } from '../../../contracts/course-pack.ts'
import { Feedback, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { refutation } from '../../../courses/refutation.ts'
import { foreseenMistake } from '../../../domain/answers/foreseen-mistake.ts'
import { programOf } from '../../../domain/answers/program.ts'
import { listBlock } from '../../data-block.ts'
import { lessonWords } from '../../offline/lesson-words.ts'
import { arcStep } from './arc-step.ts'
import { type AskedQuestion, languageOf, type StepContext, unitOf } from './context.ts'
import { questionText } from './context-blocks.ts'

const NOTHING_SEEN: Feedback = { error_patterns: [], feedback_text: '', improvement_areas: [] }

/** Patterns in the mistakes of a quiz that was not passed (seed 003, feedback agent). */
export const feedback = arcStep('feedback', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: Feedback,
  request: (context) => [
    listBlock(
      'quiz',
      context.questions.map(
        (question) =>
          `[${question.id}] ${questionText(question)} | right answer: ${question.expected} | quality ${question.quality ?? 'none'} of 5`,
      ),
    ),
    context.input.passed
      ? 'The quiz was passed. Name what was missed all the same, and how to get it right.'
      : 'The quiz was not passed.',
    "The learner's answers are among the recent responses. Read the quiz and give feedback.",
  ],
  toOutput: (wire, { questions }) => {
    const known = new Set(questions.map((question) => question.id))
    const error_patterns = wire.error_patterns.map((pattern) => ({
      ...pattern,
      affected_questions: pattern.affected_questions.filter((id) => known.has(id)),
    }))
    return { ...wire, error_patterns }
  },
  offline: (context) =>
    context.input.passed ? NOTHING_SEEN : mistakeFeedback(context, unitOf(context)),
})

/** The mistake of those its author foresaw that an answer is, in whatever way it is written. */
function mistakeIn({ mistakes, key, text, options }: AskedQuestion, answer: string) {
  if (!key) return null
  if (key.type !== 'program') {
    return foreseenMistake(mistakes, answer, key, { text, ...(options ? { options } : {}) })
  }
  const program = withoutBlanks(programOf(answer))
  return mistakes.find((mistake) => withoutBlanks(mistake.answer) === program) ?? null
}

const withoutBlanks = (program: string) => program.replace(/\s+/g, '')

/**
 * Feedback on a quiz from the course's own list of telling mistakes: a wrong answer that gives a misconception away
 * names it; other mistakes are answered with the key ideas.
 */
function mistakeFeedback(context: StepContext<'feedback'>, unit: Unit): Feedback {
  const language = languageOf(context)
  const words = lessonWords(language)
  const given = new Map(context.responses.map(({ question, answer }) => [question, answer]))
  const affected = new Map<string, string[]>()
  for (const question of context.questions) {
    const answer = given.get(question.text)
    if (answer === undefined) continue
    const tag = mistakeIn(question, answer)?.tag
    if (tag) affected.set(tag, [...(affected.get(tag) ?? []), question.id])
  }
  const seen = unit.misconceptions.filter(({ tag }) => affected.has(tag))
  const patterns = seen.map((misconception) => ({
    pattern_type: 'conceptual' as const,
    description: misconception.description,
    suggested_remediation: misconception.remedy,
    affected_questions: affected.get(misconception.tag) ?? [],
  }))
  return {
    error_patterns: patterns,
    feedback_text:
      seen.length > 0
        ? `${words.seenInAnswers}\n\n${seen.map((each) => `- ${refutation(each, language)}`).join('\n')}`
        : words.lookAgain,
    improvement_areas: patterns.map(({ description }) => description),
  }
}
