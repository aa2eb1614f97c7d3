import { OUTPUT_TOKENS, ReplanAdvice } from '../../../contracts/llm.ts'
import { dataBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import {
  conceptFaults,
  mapLimits,
  NODE_RULES,
  type PlannedConcept,
  plannedConcept,
} from './concepts.ts'
import type { StepContext } from './context.ts'
import { conceptMap } from './context-blocks.ts'
import { PLANNER } from './house-rules.ts'

const SYSTEM = `${PLANNER}

Look at a plan that is under way and advise what to add. You may only add: nothing is removed, renamed or rearranged.
- Add as few concepts as help, at most five; none at all is good advice when the plan is sound. Advice that breaks a rule is dropped whole.
- With a concept in difficulty: add the missing step or two between it and what it needs, and link each new concept to it.
- With a new goal: add what the goal needs and the map lacks.
- Every new concept hangs below the root or below a concept of the map, by an edge whose child it is; and wherever something needs it, an edge leads from it to that.
${NODE_RULES}
- The whole map stays within the limits that are given, and free of cycles. Edges name concepts of the map by their labels, exactly as written.
- "explanation": one or two sentences for the learner: what is added and why.`

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
  system: SYSTEM,
  request: (context) => [
    conceptMap(context),
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
