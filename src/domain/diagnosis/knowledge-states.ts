import { hashText, seededRandom } from '../random/seeded-random.ts'
import type { InventoryConcept } from './diagnosis.ts'
import { type PrerequisiteStructure, prerequisiteStructure } from './inventory.ts'

/** Chance that someone who knows a concept answers wrongly. */
export const SLIP = 0.1
/** Chance that someone who does not know a concept answers rightly. */
export const GUESS = 0.2

/** States in the sample: enough to keep several hundred effective ones after ten answers. */
const SAMPLE_SIZE = 8192
/** Abilities lie on an even grid, in logits: from knowing next to nothing to nearly everything. */
const ABILITY_STEPS = 24
const ABILITY_MIN = -3
const ABILITY_MAX = 6
/** So many samples are kept: those of the inventories that were asked about last. */
const SAMPLES_KEPT = 16
const kept = new Map<string, KnowledgeStates>()

/** By how many logits the hardest rank is harder than the easiest, beyond its prerequisites. */
const SLOPES = [0, 2, 4]
/** The same without known prerequisites, where the rank is all that orders the concepts. */
const SLOPES_UNSTRUCTURED = [4, 8, 12]

/**
 * A weighted sample of what a learner may know: `columns[i][s]` is 1 if state `s` holds concept `i`.
 * Weights sum to 1. Every state holds, with a concept, all its prerequisites (a knowledge state in
 * the sense of Doignon and Falmagne, Knowledge Spaces, 1999).
 */
export interface KnowledgeStates {
  weights: Float64Array
  columns: Uint8Array[]
}

/**
 * The states of a learner nothing is known about, of ranked concepts. A concept whose prerequisites
 * are held is held with the chance logistic(ability − slope · rank), over a grid of abilities and
 * slopes; then states are weighted so that all amounts of knowledge are about equally likely,
 * and everything twice as likely, for it stands for whoever knows more than the topic, too.
 * The sample depends on ranks and prerequisites only: same inventory, same sample, which is drawn once and kept, for every
 * turn of an arc tells what its diagnosis says.
 */
export function knowledgeStates(concepts: readonly InventoryConcept[]): KnowledgeStates {
  const structure = prerequisiteStructure(concepts)
  const name = JSON.stringify(structure.parents)
  const states = kept.get(name) ?? drawnStates(structure)
  // The one that was asked for last is given up last.
  kept.delete(name)
  kept.set(name, states)
  for (const [oldest] of kept) {
    if (kept.size <= SAMPLES_KEPT) break
    kept.delete(oldest)
  }
  return states
}

function drawnStates({ parents, order }: PrerequisiteStructure): KnowledgeStates {
  const structured = parents.some((of) => of.length > 0)
  const chances = chancesByLearner(parents.length, structured ? SLOPES : SLOPES_UNSTRUCTURED)
  const random = seededRandom(hashText(JSON.stringify(parents)))
  const columns = parents.map(() => new Uint8Array(SAMPLE_SIZE))
  const sizes = new Uint16Array(SAMPLE_SIZE)
  for (const index of order) {
    const column = columns[index] as Uint8Array
    const required = (parents[index] ?? []).map((parent) => columns[parent] as Uint8Array)
    for (let state = 0; state < SAMPLE_SIZE; state++) {
      if (!inReach(required, state)) continue
      const chance = chances[state % chances.length]?.[index] ?? 0
      if (random() >= chance) continue
      column[state] = 1
      sizes[state] = (sizes[state] ?? 0) + 1
    }
  }
  return { weights: weightsBySize(sizes, parents.length), columns }
}

function inReach(required: readonly Uint8Array[], state: number): boolean {
  for (const column of required) if (column[state] === 0) return false
  return true
}

/** For each kind of learner (ability and slope), the chance of each rank once it is in reach. */
function chancesByLearner(count: number, slopes: readonly number[]): number[][] {
  return Array.from({ length: ABILITY_STEPS * slopes.length }, (_, kind) => {
    const step = Math.floor(kind / slopes.length)
    const slope = slopes[kind % slopes.length] ?? 0
    const ability = ABILITY_MIN + ((ABILITY_MAX - ABILITY_MIN) * (step + 0.5)) / ABILITY_STEPS
    return Array.from({ length: count }, (_, index) => {
      const position = (index + 0.5) / count - 0.5
      return 1 / (1 + Math.exp(slope * position - ability))
    })
  })
}

/** So many times as likely as another amount of knowledge is all of it, which stands for what lies beyond it, too. */
const EVERYTHING = 2

/** Weights that even out the sizes; a floor keeps rarely drawn sizes from dominating. */
function weightsBySize(sizes: Uint16Array, count: number): Float64Array {
  const drawn = new Float64Array(count + 1)
  for (const size of sizes) drawn[size] = (drawn[size] ?? 0) + 1
  const floor = SAMPLE_SIZE / (count + 1) / 10
  const likely = (size: number) => (size === count ? EVERYTHING : 1)
  return normalised(Float64Array.from(sizes, (size) => likely(size) / ((drawn[size] ?? 0) + floor)))
}

/** The states after one answer on concept `index`, by Bayes with slip and guess. */
export function afterAnswer(
  states: KnowledgeStates,
  index: number,
  right: boolean,
): KnowledgeStates {
  const column = states.columns[index]
  if (!column) return states
  const ifKnown = right ? 1 - SLIP : SLIP
  const ifUnknown = right ? GUESS : 1 - GUESS
  const weights = states.weights.slice()
  for (let state = 0; state < weights.length; state++) {
    weights[state] = (weights[state] ?? 0) * (column[state] === 1 ? ifKnown : ifUnknown)
  }
  return { ...states, weights: normalised(weights) }
}

/** For each concept the probability, 0..1, that the learner knows it. */
export function chancesOfKnowing({ weights, columns }: KnowledgeStates): number[] {
  return columns.map((column) => {
    let chance = 0
    for (let state = 0; state < weights.length; state++) {
      chance += (column[state] ?? 0) * (weights[state] ?? 0)
    }
    return Math.min(1, chance)
  })
}

/** Scales weights, in place, to sum to 1. */
function normalised(weights: Float64Array): Float64Array {
  let total = 0
  for (let state = 0; state < weights.length; state++) total += weights[state] ?? 0
  for (let state = 0; state < weights.length; state++) {
    weights[state] = (weights[state] ?? 0) / total
  }
  return weights
}

/**
 * What a question on a concept known with probability `chance` is expected to tell about the whole
 * state, in bits: the entropy of the answer less what slip and guess put into it.
 */
export function expectedInformation(chance: number): number {
  const right = chance * (1 - SLIP) + (1 - chance) * GUESS
  return entropy(right) - chance * entropy(SLIP) - (1 - chance) * entropy(GUESS)
}

function entropy(chance: number): number {
  if (chance <= 0 || chance >= 1) return 0
  return -chance * Math.log2(chance) - (1 - chance) * Math.log2(1 - chance)
}
