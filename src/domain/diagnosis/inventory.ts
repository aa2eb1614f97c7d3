import { labelKey } from '../mind-map/label.ts'
import type { Difficulty, InventoryConcept } from './diagnosis.ts'

/** Levels of difficulty, easiest first. */
export const DIFFICULTIES: readonly Difficulty[] = ['beginner', 'intermediate', 'expert']

/** An inventory holds 10 to 15 key concepts (seed 000 D4). */
const CONCEPTS_MIN = 10
const CONCEPTS_MAX = 15

/** Concepts known by number: `parents[i]` are the indexes of what concept `i` builds on. */
export interface PrerequisiteStructure {
  parents: number[][]
  /** Longest prerequisite path that ends in the concept; 0 without prerequisites. */
  depths: number[]
  /** Every index once, prerequisites before what builds on them. */
  order: number[]
}

/**
 * Reads the prerequisite labels of an inventory as a graph over its indexes. Labels outside the
 * inventory are ignored, and so is a prerequisite that would close a cycle.
 */
export function prerequisiteStructure(
  concepts: readonly InventoryConcept[],
): PrerequisiteStructure {
  const indexOf = new Map<string, number>()
  concepts.forEach((concept, index) => {
    if (!indexOf.has(labelKey(concept.label))) indexOf.set(labelKey(concept.label), index)
  })
  const parents: number[][] = concepts.map(() => [])
  const depths: number[] = concepts.map(() => 0)
  const order: number[] = []
  const state: ('new' | 'open' | 'done')[] = concepts.map(() => 'new')

  const visit = (index: number): void => {
    state[index] = 'open'
    const known = new Set<number>()
    for (const label of concepts[index]?.prerequisites ?? []) {
      const parent = indexOf.get(labelKey(label))
      if (parent === undefined || known.has(parent) || state[parent] === 'open') continue
      if (state[parent] === 'new') visit(parent)
      known.add(parent)
      depths[index] = Math.max(depths[index] ?? 0, (depths[parent] ?? 0) + 1)
    }
    parents[index] = [...known]
    state[index] = 'done'
    order.push(index)
  }
  concepts.forEach((_, index) => {
    if (state[index] === 'new') visit(index)
  })
  return { parents, depths, order }
}

/**
 * Ranks an inventory, easiest first: index + 1 is a concept's rank. By difficulty, where a concept
 * is at least as hard as what it builds on; then by depth of prerequisites; then as given. No
 * concept comes before one of its prerequisites. Of two equal labels (case-folded) the first stays;
 * `prerequisites` keep what `prerequisiteStructure` reads, in the inventory's spelling.
 */
export function rankInventory<Concept extends InventoryConcept>(
  concepts: readonly Concept[],
): Concept[] {
  const seen = new Set<string>()
  const distinct = concepts.filter(({ label }) => {
    const folded = labelKey(label)
    return !seen.has(folded) && seen.add(folded)
  })
  const { parents, depths, order } = prerequisiteStructure(distinct)
  const hardness = distinct.map(({ difficulty }) => DIFFICULTIES.indexOf(difficulty))
  for (const index of order) {
    const inherited = (parents[index] ?? []).map((parent) => hardness[parent] ?? 0)
    hardness[index] = Math.max(hardness[index] ?? 0, ...inherited)
  }
  const by = (values: number[], a: number, b: number) => (values[a] ?? 0) - (values[b] ?? 0)
  return distinct
    .map((_, index) => index)
    .sort((a, b) => by(hardness, a, b) || by(depths, a, b) || a - b)
    .flatMap((index) => {
      const concept = distinct[index]
      const prerequisites = (parents[index] ?? []).flatMap((p) => distinct[p]?.label ?? [])
      return concept ? [{ ...concept, prerequisites }] : []
    })
}

/**
 * What is wrong with an inventory, in words; empty when nothing is (seed 000 D4). It needs 10 to 15
 * different labels over three levels of difficulty. `available` is how many concepts the topic has
 * in all: with fewer than 10 of them, all are wanted, at whatever levels they have.
 */
export function validateInventory(
  concepts: readonly InventoryConcept[],
  available = CONCEPTS_MAX,
): string[] {
  const violations: string[] = []
  const labels = concepts.map(({ label }) => labelKey(label))
  const least = Math.min(CONCEPTS_MIN, available)
  if (concepts.length < least)
    violations.push(`${concepts.length} concepts, at least ${least} are needed`)
  if (concepts.length > CONCEPTS_MAX)
    violations.push(`${concepts.length} concepts, at most ${CONCEPTS_MAX} are allowed`)
  if (labels.includes('')) violations.push('a concept has no label')
  const repeated = new Set(labels.filter((label, index) => labels.indexOf(label) !== index))
  for (const label of repeated) violations.push(`"${label}" appears more than once`)
  const missing = DIFFICULTIES.filter((level) => !concepts.some((c) => c.difficulty === level))
  if (available >= CONCEPTS_MIN && missing.length > 0)
    violations.push(`no concept is ${missing.join(' or ')}`)
  return violations
}
