import { ConceptInventory, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { courseInventory } from '../../../courses/course-graph.ts'
import { listBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import { conceptFaults } from './concepts.ts'
import { courseOf } from './context.ts'
import { DIAGNOSTICIAN } from './house-rules.ts'

const SYSTEM = `${DIAGNOSTICIAN}

List the concepts by which a person's knowledge of the topic can be located.
- 10 to 15 concepts, from what a beginner meets first to what an expert masters; all three difficulties occur, in balance. Fewer than 10 only when the topic has no more.
- Each is one teachable idea, not a chapter and not a fact, and can be tested with one question. The topic itself is not one of them.
- Labels are short noun phrases of two to five words, no two alike. They become the nodes of the learner's map, so choose them for reuse.
- Descriptions are one sentence.
- With a goal, choose the concepts that matter for it. With a course, use its unit titles as labels where they fit.`

/** The concepts of the topic, from which probes are drawn (seed 000 D4). */
export const inventory = arcStep('inventory', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.planning,
  schema: ConceptInventory,
  system: SYSTEM,
  request: (context) => [
    listBlock('course_units', context.course?.units.map((unit) => unit.title) ?? []),
    'List the concept inventory of the topic.',
  ],
  check: ({ concepts }) => conceptFaults(concepts),
  toOutput: ({ concepts }) => ({
    concepts: concepts.map((concept) => ({ ...concept, prerequisites: [] as string[] })),
  }),
  offline: (context) => ({ concepts: courseInventory(courseOf(context), context.goalUnitIds) }),
})
