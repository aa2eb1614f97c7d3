import {
  ConceptInventory,
  DiagnosticSummary,
  OUTPUT_TOKENS,
  ProbeQuestion,
  type QuizQuestion,
} from '../../contracts/llm.ts'
import { contextBlocks } from '../anthropic/context-blocks.ts'
import { dataBlock, listBlock, paragraphs } from '../anthropic/data-block.ts'
import { HOUSE_RULES, QUESTION_RULES } from '../anthropic/house-rules.ts'
import { readQuestions } from '../anthropic/questions.ts'
import { structuredStep } from '../anthropic/step.ts'
import type { StepContext } from '../tutor.ts'

const ROLE = `Your role: the diagnostician. You find out what the learner already knows before anything is planned. You judge nobody; you locate a starting point.`

const INVENTORY = `${HOUSE_RULES}

${ROLE}

List the concepts by which a person's knowledge of the topic can be located.
- 10 to 15 concepts, from what a beginner meets first to what an expert masters; all three difficulties occur, in balance. Fewer than 10 only when the topic has no more.
- Each is one teachable idea, not a chapter and not a fact, and can be tested with one question. The topic itself is not one of them.
- Labels are short noun phrases of two to five words, no two alike. They become the nodes of the learner's map, so choose them for reuse.
- Descriptions are one sentence.
- With a goal, choose the concepts that matter for it. With a course, use its unit titles as labels where they fit.`

const PROBE = `${HOUSE_RULES}

${ROLE}

${QUESTION_RULES}

Write one probe question for one concept, answerable in under a minute.
- It separates those who have the concept from those who do not: no trick, no trivia, no long computation.
- It needs only this concept and what comes before it.
- It takes nothing for granted that the question does not say, and it does not teach.`

const SUMMARY = `${HOUSE_RULES}

${ROLE}

Sum up a diagnosis from the results of its probes (quality 0 to 5; 3 and more means known).
- "learner_level": the level at which teaching should begin.
- "prerequisite_gaps": labels of concepts, as given, that were missed although others build on them; at most five.
- "recommendations": at most three, one short sentence each, about where to start and what to pass over quickly.
Claim nothing that the probes do not show.`

/** The concepts of the topic, from which probes are drawn (seed 000 D4). */
export const inventory = structuredStep<'inventory', ConceptInventory>({
  role: 'diagnostic',
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.planning,
  system: INVENTORY,
  schema: ConceptInventory,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      courseUnits(context),
      'List the concept inventory of the topic.',
    ),
  toOutput: ({ concepts }) => ({
    ok: true,
    output: { concepts: concepts.map((concept) => ({ ...concept, prerequisites: [] })) },
  }),
})

/** One calibration question on one concept (seed 000 D4). */
export const probe = structuredStep<'probe', QuizQuestion>({
  role: 'diagnostic',
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  system: PROBE,
  schema: ProbeQuestion,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      listBlock('probes_so_far', probeResults(context.probes)),
      dataBlock('probed_concept', context.input.label),
      'Write the probe question for the probed concept.',
    ),
  toOutput: (wire, { input }) => {
    const reading = readQuestions([wire], input.label)
    return reading.ok ? { ok: true, output: { questions: reading.output } } : reading
  },
})

/** What the diagnosis showed, in words (seed 003, diagnostic state). */
export const summary = structuredStep<'summary', DiagnosticSummary>({
  role: 'diagnostic',
  tier: 'fast',
  maxTokens: OUTPUT_TOKENS.reply,
  system: SUMMARY,
  schema: DiagnosticSummary,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      listBlock('inventory', context.inventory),
      listBlock('probe_results', probeResults(context.input.probes)),
      'Sum up the diagnosis.',
    ),
  toOutput: (wire) => ({ ok: true, output: wire }),
})

const probeResults = (probes: readonly { label: string; quality: number }[]): string[] =>
  probes.map(({ label, quality }) => `${label}: quality ${quality}`)

function courseUnits({ course }: StepContext): string {
  return listBlock('course_units', course?.units.map((unit) => unit.title) ?? [])
}
