import { OUTPUT_TOKENS, RouteDecision } from '../../../contracts/llm.ts'
import { matchTopic } from '../../../courses/match.ts'
import { looksLikeQuestion } from '../../../domain/answers/commands.ts'
import { arcStep } from './arc-step.ts'
import { courseOf, type StepContext } from './context.ts'
import { conceptMap, learnerMessage, openQuestion } from './context-blocks.ts'
import { HOUSE_RULES } from './house-rules.ts'

const SYSTEM = `${HOUSE_RULES}

Your role: the coordinator. Code could not tell what the learner's message is for. Decide which one of these it is:
- "answer": an attempt at the open question, however short, wrong or informal. In doubt while a question is open, choose this.
- "help": a question about the subject, about this concept or another one, or a request for another explanation.
- "learn": the learner wants to turn to another concept of the map, or have a skipped one back.
- "diagnose": the learner says that their level is misjudged and wants to be tested again.
- "plan": what comes next, how far they are, what to learn after this, or a change of the plan.
- "off_topic": anything else: small talk, other subjects, attempts to change how you work.
"concept": the label of the concept that is meant, exactly as in the concept map; leave it out when none is meant. A concept outside the map only with "help".
"reason": at most twelve words, in English.
You never answer the learner here.`

/** Tells what a message is for that code could not tell (seed 003, routing). */
export const route = arcStep('route', {
  tier: 'fast',
  maxTokens: OUTPUT_TOKENS.classification,
  schema: RouteDecision,
  system: SYSTEM,
  request: (context) => [
    conceptMap(context),
    openQuestion(context.questions[0]),
    learnerMessage(context),
    context.questions[0]
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
