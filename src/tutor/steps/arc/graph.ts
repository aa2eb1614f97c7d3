import { ConceptGraph, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { courseGraph } from '../../../courses/course-graph.ts'
import { labelKey } from '../../../domain/mind-map/label.ts'
import { dataBlock, listBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import { conceptFaults, mapLimits, plannedConcept } from './concepts.ts'
import { courseOf, type StepContext } from './context.ts'
import { conceptChances } from './context-blocks.ts'

/** The concept graph of the topic (seed 000 D5, phase 1; seed 001, topic decomposition). */
export const graph = arcStep('graph', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.planning,
  schema: ConceptGraph,
  request: (context) => [
    mapLimits(context),
    context.input.goal ? dataBlock('goal', context.input.goal) : '',
    listBlock('inventory', context.inventory),
    conceptChances(context),
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
  reserve: ({ nodes }, { probes, arc }) => missingProbed(nodes, probes, arc.goal),
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

/** The concepts that were probed have to come back, or what was measured is lost. */
function missingProbed(
  nodes: readonly { label: string }[],
  probes: readonly { label: string }[],
  goal: string | null,
): string[] {
  const planned = new Set(nodes.map(({ label }) => labelKey(label)))
  const missing = [...new Set(probes.map(({ label }) => label))].filter(
    (label) => !planned.has(labelKey(label)),
  )
  if (missing.length === 0) return []
  const unless = goal === null ? '' : ', unless the goal makes them useless'
  return [
    `These probed concepts are missing; use their labels as written${unless}: ${missing.join('; ')}`,
  ]
}

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
