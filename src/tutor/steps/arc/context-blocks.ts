import { clipped, dataBlock, listBlock, oneLine, paragraphs } from '../../data-block.ts'
import type { AskedQuestion, StepContext } from './context.ts'

const MAX_RESPONSES = 10
const MAX_FACTS = 10
const MAX_MATERIAL = 8
const MAX_MATERIAL_LENGTH = 4_000
const MAX_MESSAGE_LENGTH = 8_000

/**
 * What stays the same from step to step, the longest-lived first: the map of concepts, then the course's material on the
 * concept in hand. Each is cached with all that stands before it, so that a change of concept leaves the map in the cache.
 */
export const stableBlocks = (context: StepContext): string[] =>
  [conceptMap(context), courseMaterial(context)].filter((block) => block !== '')

/**
 * What every step is told besides, bounded and in the order of seed 000 (cross-session coherence): flow state, how the
 * concepts stand, frontier, the last responses on the concept, what is remembered of the learner. Never the transcript.
 */
export function contextBlocks(context: StepContext): string {
  return paragraphs(
    flowState(context),
    standing(context),
    listBlock(
      'frontier',
      context.frontier.map(({ label, status }) => `${label} (${status})`),
    ),
    listBlock('recent_responses', recentResponses(context)),
    listBlock('remembered_facts', context.facts.slice(0, MAX_FACTS)),
  )
}

function flowState({ arc, concept }: StepContext): string {
  const lines = [
    `topic: ${oneLine(arc.topic)}`,
    ...(arc.goal ? [`goal: ${oneLine(arc.goal)}`] : []),
    `phase: ${arc.phase}`,
    `learner level: ${arc.level}`,
    `language: ${arc.language}`,
    ...(concept ? [`concept in hand: ${oneLine(concept.label)}`] : []),
    ...(concept?.description ? [`about the concept: ${oneLine(concept.description)}`] : []),
  ]
  return dataBlock('flow_state', lines.join('\n'))
}

function recentResponses({ responses }: StepContext): string[] {
  return responses
    .slice(-MAX_RESPONSES)
    .map(
      ({ question, answer, quality }) =>
        `question: ${oneLine(question, 300)} | answer: ${oneLine(answer, 300)} | quality ${quality} of 5`,
    )
}

function courseMaterial({ material, unit }: StepContext): string {
  const pieces = material
    .slice(0, MAX_MATERIAL)
    .map(({ source, text }) => `[${oneLine(source)}]\n${clipped(text, MAX_MATERIAL_LENGTH)}`)
  if (unit) {
    const ideas = unit.keyIdeas.map((idea) => `- ${oneLine(idea)}`)
    const traps = unit.misconceptions.map(({ description }) => `- ${oneLine(description)}`)
    pieces.unshift(
      [`[${unit.unitId} ${unit.title}]`, 'Key ideas:', ...ideas, 'Misconceptions:', ...traps].join(
        '\n',
      ),
    )
  }
  return pieces.length === 0 ? '' : dataBlock('course_material', pieces.join('\n\n'))
}

/** The learner's message, word for word. */
export function learnerMessage({ message }: StepContext): string {
  return message ? dataBlock('learner_message', clipped(message.text, MAX_MESSAGE_LENGTH)) : ''
}

/** Every concept of the map with what it needs; how far the learner is with it is told apart, because that changes. */
function conceptMap({ concepts }: StepContext): string {
  return listBlock(
    'concept_map',
    concepts.map(({ label, prerequisites }) =>
      prerequisites.length > 0 ? `${label} (needs: ${prerequisites.join('; ')})` : label,
    ),
  )
}

/** How far the learner is with each concept that was begun. */
function standing({ concepts }: StepContext): string {
  return listBlock(
    'concept_standing',
    concepts
      .filter(({ status, score }) => status !== 'unseen' || score > 0)
      .map(({ label, status, score }) => `${label} (${status}, score ${score.toFixed(2)})`),
  )
}

/** What the diagnosis says of each concept: how likely it is known, and whether that was measured or is inferred. */
export function conceptChances({ chances }: Pick<StepContext, 'chances'>): string {
  return listBlock(
    'concept_chances',
    chances.map(({ label, chance, measured }) => {
      const how = measured === null ? 'inferred' : `measured: quality ${measured} of 5`
      return `${label}: known with a chance of ${Math.round(chance * 100)} % (${how})`
    }),
  )
}

/** What the diagnosis says of the concept in hand. */
export const chanceInHand = ({ chances, concept }: StepContext): string =>
  conceptChances({ chances: chances.filter(({ label }) => label === concept?.label) })

/** A question as the learner saw it, for the learner's side of the conversation: without its answer. */
export function openQuestion(question: AskedQuestion | undefined): string {
  return question ? dataBlock('open_question', questionText(question)) : ''
}

/** A question's text with its options, a letter each. */
export function questionText({ text, options }: Pick<AskedQuestion, 'text' | 'options'>): string {
  return [text, ...(options ?? []).map((option) => `${option.id}) ${option.text}`)].join('\n')
}

/** The last questions already asked on the concept. */
export function alreadyAsked({ asked }: StepContext): string {
  return listBlock(
    'questions_already_asked',
    asked.slice(-20).map(({ text }) => text),
  )
}

/** The results of a diagnosis, a line a concept. */
export const probeResults = (probes: readonly { label: string; quality: number }[]): string[] =>
  probes.map(({ label, quality }) => `${label}: quality ${quality}`)

/** A question with its answer and criteria, for those who judge. */
export function gradedQuestion(question: AskedQuestion | undefined): string {
  if (!question) return ''
  const { expected, criteria } = question
  return dataBlock(
    'question',
    [questionText(question), `right answer: ${expected}`, `criteria: ${criteria}`].join('\n'),
  )
}
