import { OUTPUT_TOKENS, RouteDecision } from '../../../contracts/llm.ts'
import { matchTopic } from '../../../courses/match.ts'
import { looksLikeQuestion } from '../../../domain/talk/commands.ts'
import { arcStep } from './arc-step.ts'
import { courseOf, type StepContext } from './context.ts'
import { learnerMessage, openQuestion } from './context-blocks.ts'

/** Tells what a message is for that code could not tell (seed 003, routing). */
export const route = arcStep('route', {
  tier: 'fast',
  maxTokens: OUTPUT_TOKENS.classification,
  schema: RouteDecision,
  request: (context) => [
    openQuestion(context.questions[0]),
    learnerMessage(context),
    context.input.remark
      ? 'A question is open, and the message was found to be no answer to it. Classify the message; it is not "answer".'
      : context.questions[0]
        ? 'A question is open. Classify the message.'
        : 'No question is open. Classify the message.',
  ],
  toOutput: (decision) => decision,
  offline: byCode,
  fallback: (): RouteDecision => ({ intent: 'answer', reason: 'the message is not classified' }),
})

function byCode(context: StepContext<'route'>): RouteDecision {
  const text = context.message?.text ?? ''
  const course = courseOf(context)
  const [unitId] = matchTopic(text, [course])?.unitIds ?? []
  const concept = course.units.find((unit) => unit.unitId === unitId)?.title
  const named = concept ? { concept } : {}
  if (concept && /^(please\s+)?(teach|learn|explain|show)\b/i.test(text.trim())) {
    return { intent: 'learn', concept, reason: 'names a concept' }
  }
  if (looksLikeQuestion(text)) return { intent: 'help', ...named, reason: 'asks a question' }
  return context.input.questionId
    ? { intent: 'answer', reason: 'a question is open' }
    : { intent: 'help', ...named, reason: 'nothing is open' }
}
