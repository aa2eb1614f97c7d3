import type { LearningPathGraph } from './learning-path-graph.ts'
import { getPrereqs, hasUnit } from './learning-path-graph.ts'
import type { MappedUnit } from './mapped-units.ts'
import { byConfidence } from './mapped-units.ts'

/** Units the model may refer to in one turn. Seed 004 PF-3.2. */
const MAX_SCOPED_UNITS = 6

/**
 * What might matter this turn: the three best mapped units, the focus, the three units in progress
 * touched last, and the prerequisites of all of these, one step back. Without duplicates, in this
 * order. Seed 004 PF-3.2.
 */
export function computeCandidateUnits(args: {
  readonly graph: LearningPathGraph
  readonly focusUnitId: string
  readonly unitsInProgress: readonly string[]
  readonly mappedUnits: readonly MappedUnit[]
}): string[] {
  const { graph } = args
  const named = [
    ...byConfidence(args.mappedUnits)
      .slice(0, 3)
      .map(({ unitId }) => unitId),
    args.focusUnitId,
    ...args.unitsInProgress.slice(0, 3),
  ]
  const withPrereqs = [...named, ...named.flatMap((unitId) => getPrereqs(graph, unitId))]
  return [...new Set(withPrereqs)].filter((unitId) => hasUnit(graph, unitId))
}

/**
 * The units the model may see and target this turn: focus, blocker, target, the two best mapped
 * units, the target's prerequisites, the two units in progress touched last, the blocker's
 * prerequisites; in this order, without duplicates, cut after `maxScoped`. Focus, blocker and
 * target are never cut. Seed 004 PF-3.2.
 */
export function computeScopedUnitIds(args: {
  readonly graph: LearningPathGraph
  readonly focusUnitId: string
  readonly primaryTargetUnitId: string
  readonly prereqBlockingUnitId: string | null
  readonly mappedUnits: readonly MappedUnit[]
  readonly unitsInProgress: readonly string[]
  readonly maxScoped?: number
}): string[] {
  const { graph, focusUnitId, primaryTargetUnitId, prereqBlockingUnitId } = args
  const blocker = prereqBlockingUnitId === null ? [] : [prereqBlockingUnitId]
  const always = new Set([focusUnitId, ...blocker, primaryTargetUnitId])
  const others = [
    ...byConfidence(args.mappedUnits)
      .slice(0, 2)
      .map(({ unitId }) => unitId),
    ...getPrereqs(graph, primaryTargetUnitId),
    ...args.unitsInProgress.slice(0, 2),
    ...blocker.flatMap((unitId) => getPrereqs(graph, unitId)),
  ].filter((unitId) => hasUnit(graph, unitId))
  const limit = Math.max(args.maxScoped ?? MAX_SCOPED_UNITS, always.size)
  return [...new Set([...always, ...others])].slice(0, limit)
}
