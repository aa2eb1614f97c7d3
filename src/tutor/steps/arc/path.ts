import { LearningPath, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { arcStep } from './arc-step.ts'
import { languageOf, type StepContext } from './context.ts'

/** What comes next and why (seed 003, path planner). */
export const path = arcStep('path', {
  tier: 'fast',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: LearningPath,
  request: () => ['Show the learner the path ahead.'],
  toOutput: (wire) => wire,
  offline(context) {
    const { concepts, frontier, input } = context
    return {
      learning_path: ahead(context).map(({ label }) => label),
      next_topic: frontier[0]?.label ?? '',
      path_reasoning:
        input.purpose === 'completed'
          ? afterwards(
              context,
              concepts.some(({ status }) => status === 'mastered'),
            )
          : onTheWay(context),
    }
  },
})

type Context = StepContext<'path'>

const ahead = ({ concepts }: Context) => concepts.filter(({ status }) => status !== 'mastered')

const isGerman = (context: Context) => languageOf(context) === 'de'

/** A completed arc asks for nothing by itself; what was mastered there can be kept fresh. */
function afterwards(context: Context, isMastered: boolean): string {
  if (!isMastered) return ''
  return isGerman(context)
    ? 'Von selbst kommt hier nichts mehr. Mit „Frisch halten“ frage ich dich weiter von Zeit zu Zeit danach, damit es bleibt.'
    : 'Nothing comes up here by itself any more. With “Keep it fresh” I go on asking you from time to time, so that it stays.'
}

function onTheWay(context: Context): string {
  const { concepts, frontier } = context
  const [next] = frontier
  const names = ahead(context)
    .slice(0, 6)
    .map(({ label }, i) => `${i + 1}. ${label}`)
  const needs = concepts.find(({ label }) => label === next?.label)?.prerequisites ?? []
  if (isGerman(context)) {
    if (!next) return 'Auf deinem Weg ist alles gelernt; was bleibt, sind die Wiederholungen.'
    const why =
      needs.length > 0 ? `, denn was es braucht (${needs.join(', ')}), hattest du schon` : ''
    return `Als Nächstes kommt **${next.label}**${why}. Dein Weg von hier:\n\n${names.join('\n')}`
  }
  if (!next) {
    return 'Everything on your path has been taught; what remains is to review it when it is due.'
  }
  const why = needs.length > 0 ? ` because what it needs (${needs.join(', ')}) is in place` : ''
  return `Next comes **${next.label}**${why}. Your path from here:\n\n${names.join('\n')}`
}
