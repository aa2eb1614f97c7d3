import { clipped, dataBlock, listBlock, oneLine, paragraphs } from '../../data-block.ts'
import type { AskedQuestion, StepContext } from './context.ts'

const MAX_RESPONSES = 10
const MAX_FACTS = 10
const MAX_MATERIAL = 8
const MAX_MATERIAL_LENGTH = 4_000
const MAX_MESSAGE_LENGTH = 8_000

/**
 * What every step is told, bounded and in the order of seed 000 (cross-session coherence): flow state, frontier, the
 * last responses on the concept, what is remembered of the learner, course material. Never the transcript.
 */
export function contextBlocks(context: StepContext): string {
  return paragraphs(
    flowState(context),
    listBlock(
      'frontier',
      context.frontier.map(({ label, status }) => `${label} (${status})`),
    ),
    listBlock('recent_responses', recentResponses(context)),
    listBlock('remembered_facts', context.facts.slice(0, MAX_FACTS)),
    courseMaterial(context),
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

/** Every concept of the map with its status, score and prerequisites. */
export function conceptMap({ concepts }: StepContext): string {
  return listBlock(
    'concept_map',
    concepts.map(({ label, status, score, prerequisites }) => {
      const needs = prerequisites.length > 0 ? `, needs: ${prerequisites.join('; ')}` : ''
      return `${label} (${status}, score ${score.toFixed(2)}${needs})`
    }),
  )
}

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
