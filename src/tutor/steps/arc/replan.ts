import { OUTPUT_TOKENS, ReplanAdvice } from '../../../contracts/llm.ts'
import { dataBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import { conceptFaults, mapLimits, type PlannedConcept, plannedConcept } from './concepts.ts'
import type { StepContext } from './context.ts'

interface Advice {
  nodes: PlannedConcept[]
  edges: { parent: string; child: string }[]
  explanation: string
}

/** Additions to a map under way (seed 001, re-planning). */
export const replan = arcStep('replan', {
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.planning,
  schema: ReplanAdvice,
  request: (context) => [
    mapLimits(context),
    context.input.goal ? dataBlock('new_goal', context.input.goal) : '',
    dataBlock('reason', context.input.reason ?? 'the learner wants the plan to be looked at again'),
    inDifficulty(context),
    'Advise what to add to the map.',
  ],
  check: ({ new_nodes }) => conceptFaults(new_nodes),
  toOutput: ({ new_nodes, new_edges, explanation }, { course }): Advice => ({
    nodes: new_nodes.map((node) => plannedConcept(node, course)),
    edges: new_edges,
    explanation,
  }),
  offline: () => ({ nodes: [], edges: [], explanation: '' }),
})

function inDifficulty({ input, concepts }: StepContext<'replan'>): string {
  const concept = concepts.find(({ id }) => id === input.nodeId)
  return concept ? dataBlock('concept_in_difficulty', concept.label) : ''
}
