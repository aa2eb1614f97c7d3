import { ConceptGraph, LearningPath, OUTPUT_TOKENS, ReplanAdvice } from '../../contracts/llm.ts'
import { labelKey } from '../../domain/mind-map/label.ts'
import { conceptMap, contextBlocks } from '../anthropic/context-blocks.ts'
import { dataBlock, listBlock, paragraphs } from '../anthropic/data-block.ts'
import { HOUSE_RULES } from '../anthropic/house-rules.ts'
import { structuredStep } from '../anthropic/step.ts'
import type { PlannedConcept, StepContext } from '../tutor.ts'

const ROLE = `Your role: the path planner. You decide what there is to learn and what has to come before what. Code computes the order from your graph.`

const NODE_RULES = `- "label": a short noun phrase, unique whatever its capitals. "description": one sentence that says what the learner will be able to do.
- "effort_minutes": the time to learn it, a whole number greater than 0; 10 to 60 for most concepts.
- An edge says that its parent has to be known before its child. Draw the direct needs only, and all of them.
- No cycle, no edge from a concept to itself, none to a label that is not a concept of the map.`

const GRAPH = `${HOUSE_RULES}

${ROLE}

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

const REPLAN = `${HOUSE_RULES}

${ROLE}

Look at a plan that is under way and advise what to add. You may only add: nothing is removed, renamed or rearranged.
- Add as few concepts as help, at most five; none at all is good advice when the plan is sound. Advice that breaks a rule is dropped whole.
- With a concept in difficulty: add the missing step or two between it and what it needs, and link each new concept to it.
- With a new goal: add what the goal needs and the map lacks.
- Every new concept hangs below the root or below a concept of the map, by an edge whose child it is; and wherever something needs it, an edge leads from it to that.
${NODE_RULES}
- The whole map stays within the limits that are given, and free of cycles. Edges name concepts of the map by their labels, exactly as written.
- "explanation": one or two sentences for the learner: what is added and why.`

const PATH = `${HOUSE_RULES}

${ROLE}

Tell the learner where they are and what comes next.
- "learning_path": the next three to six concepts of the map in a good order, by label; when all is mastered, topics that follow on from this one.
- "next_topic": the first of them.
- "path_reasoning": to the learner, at most 100 words: how far they are, what comes next and why, and what it leads to. Encouraging, concrete, true to the statuses of the map. No promises about time.`

/** The concept graph of the topic (seed 000 D5, phase 1; seed 001, topic decomposition). */
export const graph = structuredStep<'graph', ConceptGraph>({
  role: 'pathplanner',
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.planning,
  system: GRAPH,
  schema: ConceptGraph,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      limits(context),
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
    ),
  toOutput: (wire, context) => ({
    ok: true,
    output: {
      root: wire.root,
      nodes: wire.nodes.map((node) => plannedConcept(node, context)),
      edges: wire.edges,
      goalLabels: wire.goal_labels ?? [],
    },
  }),
})

/** Additions to a map under way (seed 001, re-planning). */
export const replan = structuredStep<'replan', ReplanAdvice>({
  role: 'pathplanner',
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.planning,
  system: REPLAN,
  schema: ReplanAdvice,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      conceptMap(context),
      limits(context),
      context.input.goal ? dataBlock('new_goal', context.input.goal) : '',
      dataBlock(
        'reason',
        context.input.reason ?? 'the learner wants the plan to be looked at again',
      ),
      inDifficulty(context),
      'Advise what to add to the map.',
    ),
  toOutput: (wire, context) => ({
    ok: true,
    output: {
      nodes: wire.new_nodes.map((node) => plannedConcept(node, context)),
      edges: wire.new_edges,
      explanation: wire.explanation,
    },
  }),
})

/** What comes next and why (seed 003, path planner). */
export const path = structuredStep<'path', LearningPath>({
  role: 'pathplanner',
  tier: 'fast',
  maxTokens: OUTPUT_TOKENS.reply,
  system: PATH,
  schema: LearningPath,
  ask: (context) =>
    paragraphs(contextBlocks(context), conceptMap(context), 'Show the learner the path ahead.'),
  toOutput: (wire) => ({ ok: true, output: wire }),
})

/** The limits of this arc's map (seed 001, structural constraints). */
const limits = ({ arc: { limits } }: StepContext) =>
  `Limits of the map: at most ${limits.maxNodes} concepts with the root, none deeper than ${limits.maxDepth}.`

function plannedConcept(
  node: ConceptGraph['nodes'][number],
  { course }: StepContext,
): PlannedConcept {
  const unit = course?.units.find(({ title }) => labelKey(title) === labelKey(node.label))
  return {
    label: node.label,
    description: node.description,
    effortMinutes: node.effort_minutes,
    unitId: unit?.unitId ?? null,
    ...(node.optional ? { optional: true } : {}),
  }
}

function inDifficulty({ input, concepts }: StepContext<'replan'>): string {
  const concept = concepts.find(({ id }) => id === input.nodeId)
  return concept ? dataBlock('concept_in_difficulty', concept.label) : ''
}

function courseUnits({ course }: StepContext<'graph'>): string {
  const titles = new Map(course?.units.map((unit) => [unit.unitId, unit.title]))
  return listBlock(
    'course_units',
    course?.units.map(({ title, effortMinutes, prerequisites }) => {
      const needs = prerequisites.map((unitId) => titles.get(unitId) ?? unitId).join('; ')
      return `${title} (${effortMinutes} minutes${needs ? `, needs: ${needs}` : ''})`
    }) ?? [],
  )
}
