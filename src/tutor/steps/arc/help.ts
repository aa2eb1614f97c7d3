import { OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { dataBlock } from '../../data-block.ts'
import { aboutUnit } from '../../offline/explanations.ts'
import { unitByLabel } from '../../offline/question-choice.ts'
import { PlainText } from '../../step.ts'
import { arcStep } from './arc-step.ts'
import { courseOf } from './context.ts'
import { learnerMessage, openQuestion } from './context-blocks.ts'

/** An answer to a question of the learner's own; the place in the arc is kept by code. */
export const help = arcStep('help', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  shown: 'text',
  schema: PlainText,
  request: (context) => [
    openQuestion(context.questions[0]),
    context.input.concept ? dataBlock('asked_about', context.input.concept) : '',
    learnerMessage(context),
    "Answer the learner's message.",
  ],
  toOutput: (text) => ({ text }),
  offline: (context) => {
    const course = courseOf(context)
    const named = context.input.concept ? unitByLabel(course, context.input.concept) : null
    const unit = named ?? context.unit
    return {
      text: unit
        ? aboutUnit(unit, course.title)
        : `I teach from the course *${course.title}* and can answer what is in it. Ask about one of its concepts, or say “plan” to see what comes next.`,
    }
  },
})
