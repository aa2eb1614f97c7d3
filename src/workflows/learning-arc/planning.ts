import { uuid4 } from '@temporalio/workflow'
import type { GraphDigest } from '../../domain/arc/model-step.ts'
import { inferMastery } from '../../domain/diagnosis/mastery-inference.ts'
import { recordMark } from '../../domain/mastery/status.ts'
import { type BuildResult, buildMap } from '../../domain/mind-map/building.ts'
import { nextNode } from '../../domain/mind-map/frontier.ts'
import { labelKey } from '../../domain/mind-map/label.ts'
import type { MindMap } from '../../domain/mind-map/mind-map.ts'
import { deferBehindFrontier, replan as replanMap } from '../../domain/mind-map/replan.ts'
import type { Arc } from './arc.ts'
import { Malformed, type ModelSteps } from './model-steps.ts'

const PLAN_RETRY_MS = 15 * 60_000

/** PLANNING: a concept graph is asked for, checked, and becomes the map; refused twice, the arc waits. */
export async function plan(arc: Arc, steps: ModelSteps): Promise<void> {
  arc.handTo('pathplanner', 'to plan the map of concepts')
  let violations: string[] = []
  for (let asking = 1; asking <= 2; asking += 1) {
    const proposal = await propose(arc, steps, violations)
    if (proposal === null) break
    const built = build(arc, proposal.digest, asking === 1)
    if (built.ok) return adopt(arc, proposal.key, built)
    violations = built.violations.map((violation) => violation.message)
  }
  const reason =
    violations.length > 0 ? `the plan was refused: ${violations[0]}` : 'the plan was not readable'
  arc.flow.blocked = { reason, since: Date.now(), retryAt: Date.now() + PLAN_RETRY_MS }
  arc.notify({ phrase: 'blocked-plan', params: { reason } })
}

async function propose(arc: Arc, steps: ModelSteps, violations: string[]) {
  try {
    return await steps.run('graph', 'topic', { violations, goal: arc.goal }, 'plan the map')
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

function build(arc: Arc, graph: GraphDigest, insist: boolean): BuildResult {
  const { maxNodes, maxDepth, unlockAt } = arc.rules
  const ids = [arc.mindMapId]
  const mayInsist = insist && arc.tutor === 'anthropic'
  return buildMap(
    { ...graph, nodes: graph.nodes.map((node) => ({ ...node, description: '' })) },
    { maxNodes, maxDepth },
    () => ids.pop() ?? uuid4(),
    {
      unlockAt,
      diagnostic: arc.flow.diagnosis?.probes ?? [],
      // A planner that named no concepts for the goal is asked once more; after that the goal cuts nothing.
      ...(arc.goal && (mayInsist || graph.goalLabels.length > 0) ? { goal: arc.goal } : {}),
    },
  )
}

/** The map is stored before its first lesson is written: the page shows it, and the steps read it. */
async function adopt(arc: Arc, step: string, built: BuildResult & { ok: true }): Promise<void> {
  const { map, seeded } = built
  arc.setMap(map)
  const inferred = inferredByNode(arc)
  arc.record({ type: 'plan', map, step, goal: arc.goal, inferred })
  for (const { nodeId, quality } of seeded) {
    const node = arc.node(nodeId)
    arc.setHistory(nodeId, recordMark(arc.history(nodeId), { quality, type: 'diagnostic' }))
    arc.record({ type: 'probe-response', id: uuid4(), nodeId, label: node.label, quality })
  }
  const first = nextNode(map, arc.rules.unlockAt)
  arc.say({
    phrase: 'plan-made',
    params: {
      total: map.nodes.length,
      known: map.nodes.filter((node) => node.masteryStatus === 'diagnosed').length,
      first: first?.label ?? '',
    },
  })
  await arc.commit()
}

/** What the diagnosis says about concepts it did not measure, by node. */
function inferredByNode(arc: Arc): Record<string, number> {
  const { diagnosis } = arc.flow
  if (!diagnosis) return {}
  const byLabel = new Map(
    inferMastery(diagnosis).map(({ label, inferred }) => [labelKey(label), inferred]),
  )
  const inferred: Record<string, number> = {}
  for (const node of arc.map.nodes) {
    const value = byLabel.get(labelKey(node.label))
    if (value !== undefined) inferred[node.id] = value
  }
  return inferred
}

/**
 * Looks at the plan again: may add concepts, never takes any away. Advice that breaks a rule is dropped and the
 * order still recomputed.
 * @returns how many concepts were added
 */
export async function replan(
  arc: Arc,
  steps: ModelSteps,
  why: { reason: string | null; goal: string | null; nodeId: string | null },
): Promise<number> {
  arc.handTo('pathplanner', why.reason ?? 'to look at the plan again')
  if (why.goal) arc.goal = why.goal
  const advice = await advise(steps, why)
  const { maxNodes, maxDepth, unlockAt } = arc.rules
  const before = arc.map
  const { map } = replanMap(
    before,
    unlockAt,
    advice
      ? {
          additions: {
            nodes: advice.digest.nodes.map((node) => ({ ...node, description: '' })),
            edges: advice.digest.edges,
          },
          limits: { maxNodes, maxDepth },
          ids: uuid4,
        }
      : undefined,
  )
  if (map === before) return 0
  const known = new Set(before.nodes.map((node) => node.id))
  const added = map.nodes.filter((node) => !known.has(node.id)).map((node) => node.id)
  arc.setMap(behindTheOthers(arc, map))
  arc.record({ type: 'extend', map: arc.map, step: advice?.key ?? null, goal: why.goal })
  if (added.length > 0) await arc.commit()
  return added.length
}

/** Concepts whose cycles were spent keep their place behind the frontier in a new order too. */
function behindTheOthers(arc: Arc, map: MindMap): MindMap {
  return arc.flow.eased
    .filter((id) => map.nodes.some((node) => node.id === id))
    .reduce((ordered, id) => deferBehindFrontier(ordered, id, arc.rules.unlockAt), map)
}

async function advise(
  steps: ModelSteps,
  why: { reason: string | null; goal: string | null; nodeId: string | null },
) {
  try {
    return await steps.run('replan', why.nodeId ?? 'map', why, 'look at the plan again')
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}
