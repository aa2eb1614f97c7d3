import { performance } from 'node:perf_hooks'
import { buildMap } from '../src/domain/mind-map/building.ts'
import { frontier, nextNode } from '../src/domain/mind-map/frontier.ts'
import type { MindMap } from '../src/domain/mind-map/mind-map.ts'
import { sequenceOf } from '../src/domain/mind-map/order.ts'
import { type ProposedGraph, validateGraph } from '../src/domain/mind-map/validation.ts'
import { seededRandom } from '../src/domain/random/seeded-random.ts'
import { chainDays } from './curriculum/chain-days.ts'
import { naiveFrontier, naiveNextNode, naiveOrder, naiveValidation } from './curriculum/naive.ts'

const NODES = 500
const LAYERS = 20
const SEED = 20240902
const LIMITS = { maxNodes: NODES, maxDepth: LAYERS }
/** Each measurement is the median of this many; one takes at least so many ms. */
const SAMPLES = 7
const SAMPLE_MS = 20

interface Comparison {
  name: string
  ours: () => unknown
  naive: () => unknown
}

/**
 * Frontier, next node, order and validation on a map of 500 concepts with three prerequisites each,
 * every one beside a version that looks through all nodes and edges for every question. Checks that
 * both give the same answer, then prints the ratio of their times; and the days a chain of concepts
 * takes under either rule of unlocking.
 */
export async function run(): Promise<void> {
  const graph = randomGraph()
  const fresh = builtMap(graph)
  const underWay = halfMastered(fresh)
  const comparisons: Comparison[] = [
    {
      name: 'frontier',
      ours: () => frontier(underWay, 'mastered').map(({ id }) => id),
      naive: () => naiveFrontier(underWay, 'mastered').map(({ id }) => id),
    },
    {
      name: 'next node',
      ours: () => nextNode(underWay, 'mastered')?.id,
      naive: () => naiveNextNode(underWay, 'mastered')?.id,
    },
    {
      name: 'order',
      ours: () => [...sequenceOf(fresh, 'mastered').keys()],
      naive: () => naiveOrder(fresh),
    },
    {
      name: 'validation',
      ours: () => validateGraph(graph, LIMITS).length === 0,
      naive: () => naiveValidation(graph, LIMITS.maxDepth),
    },
  ]
  console.log(`\nCurriculum on ${fresh.nodes.length} concepts and ${fresh.edges.length} edges`)
  console.log(line('', 'ours, ms', 'naive, ms', 'times faster'))
  for (const { name, ours, naive } of comparisons) {
    if (JSON.stringify(ours()) !== JSON.stringify(naive())) {
      throw new Error(`${name}: the naive version gives another answer`)
    }
    const [mine, other] = [milliseconds(ours), milliseconds(naive)]
    console.log(line(name, mine.toFixed(3), other.toFixed(3), (other / mine).toFixed(1)))
  }
  printChain()
}

/** What the strict rule costs a learner who is always there and always right, on a chain of six. */
function printChain(): void {
  const concepts = 6
  const strict = chainDays(concepts, 'mastered')
  const ours = chainDays(concepts, 'reviewing')
  console.log(`\nA chain of ${concepts} concepts, answered perfectly: days from the first lesson`)
  console.log(line('unlockAt', 'last lesson', 'completed'))
  for (const [name, days] of Object.entries({ mastered: strict, reviewing: ours })) {
    console.log(line(name, days.lastLesson.toFixed(1), days.completed.toFixed(1)))
  }
  console.log(line('ratio', '', (strict.completed / ours.completed).toFixed(1)))
}

function randomGraph(): ProposedGraph {
  const random = seededRandom(SEED)
  const inLayer = Math.ceil((NODES - 1) / LAYERS)
  const label = (index: number) => `Concept ${String(index).padStart(3, '0')}`
  const nodes = Array.from({ length: NODES }, (_, index) => ({
    label: label(index),
    effortMinutes: 5 + Math.floor(random() * 55),
  }))
  const edges = nodes.slice(1).flatMap((node, before) => {
    const layer = Math.floor(before / inLayer)
    const above =
      layer === 0
        ? [0]
        : [1, 2, 3].map(() => 1 + (layer - 1) * inLayer + Math.floor(random() * inLayer))
    return [...new Set(above)].map((parent) => ({ parent: label(parent), child: node.label }))
  })
  return { root: label(0), nodes, edges }
}

function builtMap(graph: ProposedGraph): MindMap {
  let count = 0
  const built = buildMap(graph, LIMITS, () => String(count++))
  if (!built.ok) throw new Error(built.violations.map(({ message }) => message).join(' '))
  return built.map
}

function halfMastered(map: MindMap): MindMap {
  const nodes = map.nodes.map((node) =>
    (node.sequence ?? 0) <= NODES / 2
      ? { ...node, masteryStatus: 'mastered' as const, masteredAt: node.sequence }
      : node,
  )
  return { ...map, nodes }
}

/** The median time of one call. */
function milliseconds(call: () => unknown): number {
  const samples = Array.from({ length: SAMPLES }, () => {
    const start = performance.now()
    let calls = 0
    let spent = 0
    while (spent < SAMPLE_MS) {
      call()
      calls += 1
      spent = performance.now() - start
    }
    return spent / calls
  })
  return samples.sort((a, b) => a - b)[Math.floor(SAMPLES / 2)] ?? 0
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(14) + cells.map((cell) => cell.padStart(14)).join('')
}

if (import.meta.main) await run()
