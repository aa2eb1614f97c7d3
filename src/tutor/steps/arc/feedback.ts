import type { Unit } from '../../../contracts/course-pack.ts'
import { Feedback, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { programOf } from '../../../domain/answers/program.ts'
import { listBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import { type StepContext, unitOf } from './context.ts'
import { questionText } from './context-blocks.ts'
import { HOUSE_RULES } from './house-rules.ts'

const SYSTEM = `${HOUSE_RULES}

Your role: feedback. A quiz was not passed. Find out why, so that the next lesson can put it right.
- "error_patterns": at most three, the most telling first. "conceptual": the idea is misunderstood. "procedural": the idea is there, the method goes wrong. "careless": both are there. "description": what the learner does, one sentence. "suggested_remediation": what the next lesson should do about it, one sentence. "affected_questions": the ids in square brackets of the questions that show it.
- No pattern without evidence in the answers. A skipped question is no evidence of any.
- "feedback_text": to the learner, at most 90 words: first what went well, then what to look at, concretely, without blame and without giving away answers of questions that will come again.
- "improvement_areas": at most three, a few words each.
- "facts_to_remember": at most three short facts about how this learner learns (what kind of explanation works, which confusions return, their pace or interests), each under 200 characters, true beyond today and not yet among the remembered facts. No grades, nothing private, nothing that the learner asked to have written down word for word. None is fine.`

/** Patterns in the mistakes of a quiz that was not passed (seed 003, feedback agent). */
export const feedback = arcStep('feedback', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: Feedback,
  system: SYSTEM,
  request: (context) => [
    listBlock(
      'quiz',
      context.questions.map(
        (question) =>
          `[${question.id}] ${questionText(question)} | right answer: ${question.expected} | quality ${question.quality ?? 'none'} of 5`,
      ),
    ),
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
  offline: (context) => mistakeFeedback(context, unitOf(context)),
})

const folded = (text: string) => text.toLowerCase().replace(/\s+/g, '').replace(/^x=/, '')

/**
 * Feedback on a quiz from the course's own list of telling mistakes: a wrong answer that gives a misconception away
 * names it; other mistakes are answered with the key ideas.
 */
function mistakeFeedback(context: StepContext<'feedback'>, unit: Unit): Feedback {
  const given = new Map(context.responses.map(({ question, answer }) => [question, answer]))
  const affected = new Map<string, string[]>()
  for (const question of context.questions) {
    const answer = given.get(question.text)
    if (answer === undefined) continue
    const telling = question.mistakes.find(
      (mistake) => folded(mistake.answer) === folded(programOf(answer)),
    )
    if (telling) affected.set(telling.tag, [...(affected.get(telling.tag) ?? []), question.id])
  }
  const patterns = unit.misconceptions.flatMap((misconception) => {
    const questions = affected.get(misconception.tag)
    if (!questions) return []
    return [
      {
        pattern_type: 'conceptual' as const,
        description: misconception.description,
        suggested_remediation: misconception.remedy,
        affected_questions: questions,
      },
    ]
  })
  const remedies = patterns.map(
    ({ description, suggested_remediation }) => `- ${description} ${suggested_remediation}`,
  )
  return {
    error_patterns: patterns,
    feedback_text:
      remedies.length > 0
        ? `What I saw in your answers:\n\n${remedies.join('\n')}`
        : 'Have a look at the worked example again, and at each step of your own answers.',
    improvement_areas: patterns.map(({ description }) => description),
  }
}
