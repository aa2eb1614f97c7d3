import { OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { dataBlock } from '../../data-block.ts'
import {
  aboutUnit,
  anotherExample,
  explainedAgain,
  methodOf,
  passageFor,
} from '../../offline/explanations.ts'
import { unitByLabel } from '../../offline/question-choice.ts'
import { PlainText } from '../../step.ts'
import { arcStep } from './arc-step.ts'
import { courseOf } from './context.ts'
import { conceptMap, learnerMessage, openQuestion } from './context-blocks.ts'
import { TUTOR } from './house-rules.ts'

const SYSTEM = `${TUTOR}

The learner asks something in between. Answer it in at most 180 words, as text, and stop: what they were doing is put before them again right after your answer.
- Answer the question that was asked. If it is about another concept of the topic, answer it shortly and say where it comes in the plan, if it does.
- While a question is open, never give its answer, nor the step that leaves only arithmetic to do. Give the idea, a smaller parallel case, or the first step.
- If they are stuck and ask nothing in particular, ask what they have so far in one short question, after one useful hint.
- If it is not about learning this topic, say so in one friendly sentence and lead back.
- Do not ask the open question again yourself.`

/** An answer to a question of the learner's own; the place in the arc is kept by code. */
export const help = arcStep('help', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  shown: 'text',
  schema: PlainText,
  system: SYSTEM,
  request: (context) => [
    conceptMap(context),
    openQuestion(context.questions[0]),
    context.input.concept ? dataBlock('asked_about', context.input.concept) : '',
    learnerMessage(context),
    "Answer the learner's message.",
  ],
  toOutput: (text) => ({ text }),
  offline: (context) => {
    const course = courseOf(context)
    const { concept, wish, times } = context.input
    const named = concept ? unitByLabel(course, concept) : null
    const unit = named ?? context.unit
    const text = context.message?.text ?? ''
    if (wish === 'question' || !unit) {
      return {
        text: passageFor(course, unit, text) ?? (unit ? aboutUnit(unit) : nothingFound(course)),
      }
    }
    if (wish === 'method') return { text: methodOf(unit) }
    if (wish === 'example') return { text: anotherExample(unit, times + 2, context.seed) }
    return { text: explainedAgain(unit, times, context.seed) }
  },
})

const nothingFound = ({ title }: { title: string }) =>
  `I found nothing about that in the course *${title}*. Ask about one of its concepts, or say “plan” to see what comes next.`
