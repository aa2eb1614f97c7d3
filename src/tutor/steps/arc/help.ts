import { OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { dataBlock } from '../../data-block.ts'
import { definitionFor } from '../../offline/definitions.ts'
import { anotherExample, explainedAgain, methodOf, passageFor } from '../../offline/explanations.ts'
import { lessonWords } from '../../offline/lesson-words.ts'
import { unitByLabel } from '../../offline/question-choice.ts'
import { PlainText } from '../../step.ts'
import { arcStep } from './arc-step.ts'
import { courseOf, languageOf, type StepContext } from './context.ts'
import { chanceInHand, learnerMessage, openQuestion } from './context-blocks.ts'
import { givesAway } from './giving-away.ts'

/** The open question is the learner's to answer; other numbers in an example are none of its business. */
const isFit = (text: string, context: StepContext<'help'>) =>
  !givesAway(context, text, 'beside-examples')

/** An answer to a question of the learner's own; the place in the arc is kept by code. */
export const help = arcStep('help', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  shown: 'text',
  // What has been read cannot be taken back: each sentence is looked at before it is shown.
  mayShow: (context) => (context.questions.length > 0 ? (text) => isFit(text, context) : null),
  schema: PlainText,
  request: (context) => [
    chanceInHand(context),
    openQuestion(context.questions[0]),
    context.input.concept ? dataBlock('asked_about', context.input.concept) : '',
    learnerMessage(context),
    "Answer the learner's message.",
  ],
  check: (text, context) =>
    isFit(text, context)
      ? []
      : ['it gives the answer of the open question away: help without it, with other numbers.'],
  toOutput: (text) => ({ text }),
  fallback: (context) => (context.course ? fromCourse(context) : null),
  offline: fromCourse,
})

function fromCourse(context: StepContext<'help'>) {
  const course = courseOf(context)
  const { concept, wish, times } = context.input
  const named = concept ? unitByLabel(course, concept) : null
  const unit = named ?? context.unit
  const text = context.message?.text ?? ''
  const open = context.questions[0]?.source ?? null
  const language = languageOf(context)
  const telling = { language, times, open }
  if (wish === 'question' || !unit) {
    return {
      text:
        definitionFor(course, text, unit, language) ??
        passageFor(course, unit, text, language) ??
        lessonWords(language).nothingFound(course.title),
    }
  }
  if (wish === 'method') return { text: methodOf(unit, telling) }
  if (wish === 'example') return { text: anotherExample(unit, times + 2, language, open) }
  return { text: explainedAgain(unit, telling) }
}
