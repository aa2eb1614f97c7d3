import type { Difficulty, InventoryConcept } from '../../src/domain/diagnosis/diagnosis.ts'
import {
  DIFFICULTIES,
  prerequisiteStructure,
  rankInventory,
} from '../../src/domain/diagnosis/inventory.ts'

/**
 * How concepts are rated: by how deep they lie, or as they come to mind, which agrees with the
 * prerequisites (no concept is written before what it builds on) but not with their depth.
 */
export type Rating = 'by depth' | 'as written'

/** How learners came to know what they know; the inference is told none of it. */
export const LEARNERS = ['any order', 'ability', 'one thread'] as const
export type Learner = (typeof LEARNERS)[number]

/** Concepts of a random map. */
export const NODES = 30

/** A random map of 30 concepts under one root, at most 5 to 8 deep, as a ranked inventory. */
export function randomInventory(random: () => number, rating: Rating): InventoryConcept[] {
  const depthMax = 5 + pick(random, 4)
  const depths = [0]
  const parents: number[][] = [[]]
  for (let node = 1; node < NODES; node++) {
    const eligible = indexes(node).filter((other) => (depths[other] ?? 0) < depthMax)
    const draws = indexes(1 + pick(random, 3))
    const drawn = new Set(draws.map(() => eligible[pick(random, eligible.length)] ?? 0))
    parents.push([...drawn])
    depths.push(1 + Math.max(...[...drawn].map((parent) => depths[parent] ?? 0)))
  }
  const levels = Math.max(...depths) + 1
  const rate = (node: number): Difficulty => {
    const share = rating === 'by depth' ? (depths[node] ?? 0) / levels : node / NODES
    return DIFFICULTIES[Math.floor(share * DIFFICULTIES.length)] ?? 'expert'
  }
  return rankInventory(
    parents.map((of, node) => ({
      label: `concept ${node}`,
      difficulty: rate(node),
      prerequisites: of.map((parent) => `concept ${parent}`),
    })),
  )
}

/** Makes learners of one map: what each knows, by index, is closed under prerequisites. */
export function learnersOf(
  concepts: readonly InventoryConcept[],
  random: () => number,
): (kind: Learner) => boolean[] {
  const { parents, depths } = prerequisiteStructure(concepts)
  const deepest = Math.max(...depths) + 1
  const hardness = depths.map((depth) => 0.5 * random() + (0.5 * (depth + 0.5)) / deepest)
  return (kind) => {
    const known = concepts.map(() => false)
    const inReach = (index: number) =>
      !known[index] && (parents[index] ?? []).every((parent) => known[parent])
    if (kind === 'ability') {
      const ability = random()
      for (const index of indexes(concepts.length)) {
        const chance = ability + 0.3 * (random() - 0.5)
        known[index] = inReach(index) && chance > (hardness[index] ?? 1)
      }
      return known
    }
    let latest = -1
    for (let left = pick(random, concepts.length + 1); left > 0; left--) {
      const ready = indexes(concepts.length).filter(inReach)
      const onward = ready.filter((index) => parents[index]?.includes(latest))
      const follows = kind === 'one thread' && onward.length > 0 && random() < 0.8
      const from = follows ? onward : ready
      latest = from[pick(random, from.length)] ?? 0
      known[latest] = true
    }
    return known
  }
}

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

/** A whole number from 0 to `below` − 1. */
function pick(random: () => number, below: number): number {
  return Math.floor(random() * below)
}
