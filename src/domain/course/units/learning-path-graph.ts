import type { MasteryTier } from '../snapshot/mastery-tier.ts'

export interface CourseUnit {
  readonly unitId: string
  readonly title: string
}

/**
 * A course's units and prerequisites: static content, apart from any student's progress. An edge is
 * `[prerequisite, unit]`; the order of edges is the order of a unit's prerequisites. The course
 * check has made sure that the graph has no cycle. Seed 004 PF-1.2.
 */
export interface LearningPathGraph {
  readonly entryUnitId: string
  readonly units: readonly CourseUnit[]
  readonly prereqEdges: readonly (readonly [prereqUnitId: string, unitId: string])[]
}

/** Sparse: a unit that is not listed has tier `none`. */
export type MasteryTierByUnit = ReadonlyMap<string, MasteryTier>

export function hasUnit(graph: LearningPathGraph, unitId: string): boolean {
  return graph.units.some((unit) => unit.unitId === unitId)
}

/** The direct prerequisites of a unit, in course order; none for an unknown unit. */
export function getPrereqs(graph: LearningPathGraph, unitId: string): string[] {
  return graph.prereqEdges.filter(([, unit]) => unit === unitId).map(([prereq]) => prereq)
}

/** The direct prerequisites in which no tier has been reached yet, in course order. */
export function getMissingPrereqs(
  graph: LearningPathGraph,
  unitId: string,
  tiers: MasteryTierByUnit,
): string[] {
  return getPrereqs(graph, unitId).filter((prereq) => (tiers.get(prereq) ?? 'none') === 'none')
}

/** Whether a direct prerequisite is missing. */
export function isBlocked(
  graph: LearningPathGraph,
  unitId: string,
  tiers: MasteryTierByUnit,
): boolean {
  return getMissingPrereqs(graph, unitId, tiers).length > 0
}

/**
 * The unit to learn before `unitId`: its first missing prerequisite, followed through that unit's
 * first missing prerequisite and so on to the deepest one, which is itself not blocked; null when
 * nothing is missing. Seed 004 PF-3.4 stops at the first step; a blocker that is blocked itself
 * could not be learned.
 */
export function findPrereqBlocker(
  graph: LearningPathGraph,
  unitId: string,
  tiers: MasteryTierByUnit,
): string | null {
  const path = [unitId]
  for (;;) {
    const next = getMissingPrereqs(graph, path.at(-1) ?? unitId, tiers)[0]
    if (next === undefined || path.includes(next)) break
    path.push(next)
  }
  return path.length > 1 ? (path.at(-1) ?? null) : null
}
