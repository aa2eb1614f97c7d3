import { ConceptInventory, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { courseInventory } from '../../../courses/course-graph.ts'
import { validateInventory } from '../../../domain/diagnosis/inventory.ts'
import { listBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import { conceptFaults } from './concepts.ts'
import { courseOf } from './context.ts'

const withoutPrerequisites = <Concept>(concept: Concept) => ({
  ...concept,
  prerequisites: [] as string[],
})

/** The concepts of the topic, from which probes are drawn (seed 000 D4). */
export const inventory = arcStep('inventory', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.planning,
  schema: ConceptInventory,
  request: (context) => [
    listBlock('course_units', context.course?.units.map((unit) => unit.title) ?? []),
    'List the concept inventory of the topic.',
  ],
  check: ({ concepts }) => conceptFaults(concepts),
  reserve: ({ concepts }) => validateInventory(concepts.map(withoutPrerequisites)),
  toOutput: ({ concepts }) => ({ concepts: concepts.map(withoutPrerequisites) }),
  offline: (context) => ({ concepts: courseInventory(courseOf(context), context.goalUnitIds) }),
})
