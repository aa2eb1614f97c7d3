import { ConceptGraph, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { courseGraph } from '../../../courses/course-graph.ts'
import { dataBlock, listBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import { conceptFaults, mapLimits, NODE_RULES, plannedConcept } from './concepts.ts'
import { courseOf, type StepContext } from './context.ts'
import { PLANNER } from './house-rules.ts'

const SYSTEM = `${PLANNER}

Decompose the topic into a concept graph. A graph that breaks one of these rules is refused whole:
- No more concepts, with the root, and none deeper than the limits that are given: the depth of a concept is the number of edges in the longest chain from the root to it.
- The root is the topic itself, by name, and nothing comes before it. Every other concept is reached from it along edges; what needs nothing else hangs directly below it.
${NODE_RULES}

What makes it good:
- Each concept is one lesson: small enough to be taught in one sitting, large enough to be tested.
- Use every label of the inventory exactly as written, unless the goal makes it useless; add what is missing between them.
- Without a goal, cover the topic as a good first course would: 10 to 20 concepts for an ordinary topic, no concept optional, no goal_labels.
- With a goal, plan for the goal: name in "goal_labels" the concepts that reach it; keep to what they need, in fewer concepts than without a goal. Something helpful off that path is allowed only as supplementary, with "optional": true.
- Where the learner showed knowledge keep the concept: it is passed over quickly, not left out.
- Where a concept is a unit of the course, its label is the unit's title.`

/** The concept graph of the topic (seed 000 D5, phase 1; seed 001, topic decomposition). */
export const graph = arcStep('graph', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.planning,
  schema: ConceptGraph,
  system: SYSTEM,
  request: (context) => [
    mapLimits(context),
    context.input.goal ? dataBlock('goal', context.input.goal) : '',
    listBlock('inventory', context.inventory),
    listBlock(
      'probe_results',
      context.probes.map(({ label, quality }) => `${label}: quality ${quality} of 5`),
    ),
    courseUnits(context),
    listBlock('violations_of_the_refused_graph', context.input.violations),
    context.input.violations.length > 0
      ? 'Your last graph was refused for these violations. Decompose the topic again without them.'
      : 'Decompose the topic.',
  ],
  check: ({ nodes }) => conceptFaults(nodes),
  toOutput: ({ root, nodes, edges, goal_labels }, { course }) => ({
    root,
    nodes: nodes.map((node) => plannedConcept(node, course)),
    edges,
    goalLabels: goal_labels ?? [],
  }),
  offline: (context) => {
    const { root, nodes, edges, goalLabels } = courseGraph(courseOf(context), context.goalUnitIds)
    return {
      root,
      nodes: nodes.map(({ label, description = '', effortMinutes, unitId = null, position }) => ({
        ...{ label, description, effortMinutes, unitId },
        ...(position !== undefined && { position }),
      })),
      edges,
      goalLabels: goalLabels ?? [],
    }
  },
})

function courseUnits({ course }: StepContext): string {
  const titles = new Map(course?.units.map((unit) => [unit.unitId, unit.title]))
  return listBlock(
    'course_units',
    course?.units.map(({ title, effortMinutes, prerequisites }) => {
      const needs = prerequisites.map((unitId) => titles.get(unitId) ?? unitId).join('; ')
      return `${title} (${effortMinutes} minutes${needs ? `, needs: ${needs}` : ''})`
    }) ?? [],
  )
}
