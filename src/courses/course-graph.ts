import type { Course, Unit } from '../contracts/course-pack.ts'
import type { InventoryConcept } from '../domain/diagnosis/diagnosis.ts'
import { DIFFICULTIES } from '../domain/diagnosis/inventory.ts'
import { ancestors, graphFrom } from '../domain/mind-map/graph.ts'
import type { ProposedGraph } from '../domain/mind-map/validation.ts'

/** A concept of a course's inventory with what it is about. */
export interface CourseConcept extends InventoryConcept {
  description: string
}

/** An inventory holds at most 15 key concepts (seed 000 D4). */
const INVENTORY_MAX = 15

/**
 * A course as a concept graph, its units' titles as labels and its entry unit as root; the goal's
 * units are its goal labels. The whole course is always in it: building the map cuts it to the goal.
 * @throws Error when a goal is no unit of the course
 */
export function courseGraph(course: Course, goalUnitIds: readonly string[] = []): ProposedGraph {
  const titles = titlesById(course)
  const goalLabels = goalUnitIds.map((unitId) => titleOf(titles, unitId))
  return {
    root: titleOf(titles, course.entryUnitId),
    nodes: course.units.map((unit, position) => ({
      label: unit.title,
      description: unit.anchor,
      effortMinutes: unit.effortMinutes,
      unitId: unit.unitId,
      ...(course.order === 'course' && { position }),
    })),
    edges: course.prereqEdges.map(([prerequisite, unitId]) => ({
      parent: titleOf(titles, prerequisite),
      child: titleOf(titles, unitId),
    })),
    ...(goalLabels.length > 0 && { goalLabels }),
  }
}

/** The units of a goal with what they build on, in the order of the course; all units without one. */
export function unitsNeeded(course: Course, goalUnitIds: readonly string[]): string[] {
  const unitIds = course.units.map((unit) => unit.unitId)
  if (goalUnitIds.length === 0) return unitIds
  const scope = ancestors(graphFrom(unitIds, course.prereqEdges), goalUnitIds)
  return unitIds.filter((unitId) => scope.has(unitId))
}

/**
 * The concepts a learner is probed on: the course's units, or the goal's with what they build on.
 * Of more than 15 the levels of difficulty share the places, evenly over the course's order; a
 * prerequisite that was left out is replaced by its own prerequisites.
 */
export function courseInventory(
  course: Course,
  goalUnitIds: readonly string[] = [],
): CourseConcept[] {
  const scope = new Set(unitsNeeded(course, goalUnitIds))
  const needed = new Set(
    course.prereqEdges.filter(([, child]) => scope.has(child)).map(([parent]) => parent),
  )
  const inScope = course.units.filter((unit) => scope.has(unit.unitId))
  const chosen = spreadOverLevels(inScope, needed)
  const titles = titlesById(course)
  const kept = new Set(chosen.map((unit) => unit.unitId))
  return chosen.map((unit) => ({
    label: unit.title,
    description: unit.anchor,
    difficulty: unit.difficulty,
    prerequisites: keptPrerequisites(course, unit.unitId, kept).map((id) => titleOf(titles, id)),
  }))
}

/**
 * As many units of each level as there is room for. Those that nothing builds on come first: what is known of others says
 * nothing about them.
 */
function spreadOverLevels(units: readonly Unit[], needed: ReadonlySet<string>): Unit[] {
  const levels = DIFFICULTIES.map((level) => units.filter((unit) => unit.difficulty === level))
  const places = levels.map(() => 0)
  for (let left = Math.min(INVENTORY_MAX, units.length); left > 0; left--) {
    const open = levels.flatMap((level, index) =>
      (places[index] ?? 0) < level.length ? [index] : [],
    )
    const least = open.reduce((a, b) => ((places[b] ?? 0) < (places[a] ?? 0) ? b : a))
    places[least] = (places[least] ?? 0) + 1
  }
  const chosen = new Set(
    levels.flatMap((level, index) => {
      const room = places[index] ?? 0
      const ends = evenly(
        level.filter(({ unitId }) => !needed.has(unitId)),
        room,
      )
      const others = level.filter(({ unitId }) => needed.has(unitId))
      return [...ends, ...evenly(others, room - ends.length)]
    }),
  )
  return units.filter((unit) => chosen.has(unit))
}

function evenly<T>(items: readonly T[], count: number): T[] {
  return items.filter((_, index) => {
    const share = (position: number) => Math.ceil((position * count) / items.length)
    return count > 0 && share(index + 1) > share(index)
  })
}

function keptPrerequisites(course: Course, unitId: string, kept: ReadonlySet<string>): string[] {
  const found = new Set([unitId])
  for (const id of found) {
    if (id !== unitId && kept.has(id)) continue
    for (const [prerequisite, dependant] of course.prereqEdges) {
      if (dependant === id) found.add(prerequisite)
    }
  }
  return [...found].filter((id) => id !== unitId && kept.has(id))
}

function titlesById(course: Course): Map<string, string> {
  return new Map(course.units.map((unit) => [unit.unitId, unit.title]))
}

function titleOf(titles: ReadonlyMap<string, string>, unitId: string): string {
  const title = titles.get(unitId)
  if (title === undefined) throw new Error(`"${unitId}" is no unit of the course`)
  return title
}
