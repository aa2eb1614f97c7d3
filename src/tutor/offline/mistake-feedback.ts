import type { Unit } from '../../contracts/course-pack.ts'
import type { Feedback } from '../../contracts/llm.ts'
import type { StepContext } from '../tutor.ts'

const folded = (text: string) => text.toLowerCase().replace(/\s+/g, '').replace(/^x=/, '')

/**
 * Feedback on a quiz from the course's own list of telling mistakes: a wrong answer that gives a misconception away
 * names it; other mistakes are answered with the key ideas.
 */
export function mistakeFeedback(context: StepContext<'feedback'>, unit: Unit): Feedback {
  const given = new Map(context.responses.map(({ question, answer }) => [question, answer]))
  const affected = new Map<string, string[]>()
  for (const question of context.questions) {
    const answer = given.get(question.text)
    if (answer === undefined) continue
    const telling = question.mistakes.find((mistake) => folded(mistake.answer) === folded(answer))
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
