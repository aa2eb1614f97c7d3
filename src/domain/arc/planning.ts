import { applyResponse, recordMark } from '../mastery/status.ts'
import { type BuildResult, buildMap } from '../mind-map/building.ts'
import { isPlaced, nextNode } from '../mind-map/frontier.ts'
import { labelKey } from '../mind-map/label.ts'
import type { MindMap } from '../mind-map/mind-map.ts'
import { withSequence } from '../mind-map/order.ts'
import {
  deferBehindFrontier,
  replan as replanMap,
  weakestPrerequisite,
} from '../mind-map/replan.ts'
import type { Arc } from './arc.ts'
import { chances, place } from './placement.ts'
import { CHECKS_PER_SITTING } from './state.ts'
import type { StepInputs, StepOutputs } from './steps.ts'
import { takeInHand } from './teaching.ts'

const PLAN_RETRY_MS = 15 * 60_000

/** PLANNING: a concept graph is asked for; checked, it becomes the map. */
export function plan(arc: Arc): void {
  arc.handTo('pathplanner', 'to plan the map of concepts')
  arc.ask('graph', { violations: [], goal: arc.goal }, 'plan the map')
}

/** A graph has come: it becomes the map, or is asked for once more with what is wrong with it, or the arc waits. */
export function takeGraph(
  arc: Arc,
  key: string,
  input: StepInputs['graph'],
  graph: StepOutputs['graph'],
) {
  const isFirst = input.violations.length === 0
  const built = build(arc, graph, isFirst)
  if (built.ok) return adopt(arc, built)
  const violations = built.violations.map((violation) => violation.message)
  arc.record({ type: 'plan-refused', stepKey: key, violations })
  if (isFirst) return arc.ask('graph', { violations, goal: arc.goal }, 'plan the map again')
  waitForPlan(arc, `the plan was refused: ${violations.join(' ')}`)
}

/** There is no plan to be had: the arc waits, and asks again by itself or when it is asked to. */
export function waitForPlan(arc: Arc, reason: string): void {
  const { at } = arc
  arc.state.blocked = {
    reason,
    since: at,
    retryAt: at + PLAN_RETRY_MS,
    waits: true,
    tries: 1,
    heard: 0,
  }
  arc.record({ type: 'blocked' })
  arc.notify({ phrase: 'blocked-plan', params: { reason } })
}

function build(arc: Arc, graph: StepOutputs['graph'], insist: boolean): BuildResult {
  const { maxNodes, maxDepth, unlockAt } = arc.rules
  const ids = [arc.mindMapId]
  return buildMap(graph, { maxNodes, maxDepth }, () => ids.pop() ?? arc.newId(), {
    unlockAt,
    diagnostic: arc.state.diagnosis?.probes ?? [],
    ...(arc.goal ? { goal: arc.goal } : {}),
    // A planner that names no concepts for the goal is asked once more; then the whole map is kept, and that is said.
    mayIgnoreGoal: !insist || arc.tutor === 'offline' || arc.courseId !== null,
  })
}

function adopt(
  arc: Arc,
  { map: built, seeded, descriptions, goalIgnored }: BuildResult & { ok: true },
): void {
  const { diagnosis } = arc.state
  const map = diagnosis && arc.rules.unlockAt === 'reviewing' ? place(built, diagnosis) : built
  const inferred = diagnosis ? Object.fromEntries(chances(map, diagnosis)) : {}
  arc.setMap(map)
  arc.record({ type: 'plan', map, descriptions, goal: arc.goal, inferred })
  for (const { nodeId, quality } of seeded) {
    const node = arc.node(nodeId)
    arc.setHistory(nodeId, recordMark(arc.history(nodeId), { quality, type: 'diagnostic' }))
    const id = arc.newId()
    arc.record({ type: 'probe-response', id, nodeId, label: node.label, quality })
  }
  if (arc.goal && goalIgnored) {
    arc.say({ phrase: 'goal-not-found', params: { goal: arc.goal } })
  }
  sayPlan(arc)
}

function sayPlan(arc: Arc): void {
  const { nodes } = arc.map
  arc.state.sitting.checksLeft = CHECKS_PER_SITTING
  arc.say({
    phrase: 'plan-made',
    params: {
      total: nodes.length,
      known: nodes.filter(isPlaced).length,
      first: nextNode(arc.map, arc.rules.unlockAt)?.label ?? '',
    },
  })
}

/** A diagnosis in the middle of an arc has ended: what it says is written to the map, which gains no concept by it. */
export function planAgain(arc: Arc): void {
  const { diagnosis } = arc.state
  arc.handTo('pathplanner', 'to plan by the new diagnosis')
  for (const { label, quality } of diagnosis?.probes ?? []) {
    const node = arc.map.nodes.find((other) => labelKey(other.label) === labelKey(label))
    if (!node) continue
    const mark = { quality, type: 'diagnostic' as const }
    const status = quality >= 3 ? 'diagnosed' : 'unseen'
    const applied = applyResponse(node, arc.history(node.id), mark, arc.context(false))
    arc.setNode({ ...applied.node, masteryStatus: status, nextReviewAt: null }, applied.history)
    arc.record({ type: 'probe-response', id: arc.newId(), nodeId: node.id, label, quality })
  }
  const { unlockAt } = arc.rules
  const placed = diagnosis && unlockAt === 'reviewing' ? place(arc.map, diagnosis) : arc.map
  arc.reorder(behindTheOthers(arc, withSequence(placed, unlockAt)))
  sayPlan(arc)
}

/** Has the plan looked at again: concepts may be added, never taken away. `nodeId`: whose cycles are spent. */
export function replan(arc: Arc, why: StepInputs['replan']): void {
  arc.handTo('pathplanner', why.reason ?? 'to look at the plan again')
  if (why.goal) arc.setGoal(why.goal)
  arc.ask('replan', why, 'look at the plan again')
}

/** Advice has come, or none: what breaks a rule is dropped and the order still recomputed. */
export function takeAdvice(
  arc: Arc,
  key: string,
  why: StepInputs['replan'],
  advice: StepOutputs['replan'] | null,
): void {
  const added = apply(arc, key, why, advice)
  if (advice?.explanation) arc.sayWritten(key, { text: advice.explanation })
  if (why.nodeId === null || added > 0) {
    arc.say({ phrase: 'replan-done', params: { added } })
    if (why.nodeId === null) arc.leadBack()
    return
  }
  remediate(arc, why.nodeId)
}

function apply(
  arc: Arc,
  key: string,
  { goal }: StepInputs['replan'],
  advice: StepOutputs['replan'] | null,
): number {
  const { maxNodes, maxDepth, unlockAt } = arc.rules
  const before = arc.map
  const { map, descriptions, refused } = replanMap(
    before,
    unlockAt,
    advice
      ? { additions: advice, limits: { maxNodes, maxDepth }, ids: () => arc.newId() }
      : undefined,
  )
  if (refused.length > 0) {
    const messages = refused.map(({ message }) => message)
    arc.record({ type: 'plan-refused', stepKey: key, violations: messages })
  }
  if (map === before) return 0
  const known = new Set(before.nodes.map((node) => node.id))
  arc.setMap(behindTheOthers(arc, map))
  arc.record({ type: 'extend', map: arc.map, descriptions, goal })
  return map.nodes.filter((node) => !known.has(node.id)).length
}

/** Concepts whose cycles were spent keep their place behind the frontier in a new order too. */
function behindTheOthers(arc: Arc, map: MindMap): MindMap {
  return arc.state.eased
    .filter((id) => map.nodes.some((node) => node.id === id))
    .reduce((ordered, id) => deferBehindFrontier(ordered, id, arc.rules.unlockAt), map)
}

/** Nothing could be added: the concept goes behind the others, and its weakest prerequisite is taught again first. */
function remediate(arc: Arc, nodeId: string) {
  const { label } = arc.node(nodeId)
  arc.reorder(deferBehindFrontier(arc.map, nodeId, arc.rules.unlockAt))
  const weakest = weakestPrerequisite(arc.map, nodeId)
  if (!weakest) return arc.say({ phrase: 'cycle-eased', params: { label } })
  arc.say({ phrase: 'cycle-remediate', params: { label, weakest: weakest.label } })
  takeInHand(arc, weakest.id, { refresher: true })
}
