import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frontier } from '../../../src/domain/mind-map/frontier.ts'
import { compareLabels } from '../../../src/domain/mind-map/label.ts'
import type { MindMap, MindMapNode, UnlockAt } from '../../../src/domain/mind-map/mind-map.ts'
import { sequenceOf } from '../../../src/domain/mind-map/order.ts'
import { allAbove, anyMap, sampleMap, sampleNode } from './sample-map.ts'

const anyUnlockAt = fc.constantFrom<UnlockAt>('mastered', 'reviewing')

function ordered(map: MindMap, unlockAt: UnlockAt = 'mastered'): string[] {
  return [...sequenceOf(map, unlockAt)].sort(([, a], [, b]) => a - b).map(([id]) => id)
}

const root = sampleNode('R', { masteryStatus: 'mastered', masteredAt: 1 })

describe('tie-breaking', () => {
  test('Shallower node ranks before deeper node at same topological level', () => {
    const known = sampleNode('K', { masteryStatus: 'mastered', masteredAt: 2 })
    const map = sampleMap([root, known, sampleNode('B'), sampleNode('Z')], ['R>K', 'K>B', 'R>Z'])
    expect(ordered(map)).toEqual(['R', 'K', 'Z', 'B'])
  })

  test('Lower-effort node ranks before higher-effort node at same depth', () => {
    const nodes = [root, sampleNode('C', { effortMinutes: 45 }), sampleNode('D')]
    expect(ordered(sampleMap(nodes, ['R>C', 'R>D']))).toEqual(['R', 'D', 'C'])
  })

  test('the order of a course breaks ties of depth before effort does', () => {
    const nodes = [
      root,
      sampleNode('C', { effortMinutes: 45, metadata: { position: 1 } }),
      sampleNode('D', { effortMinutes: 10, metadata: { position: 2 } }),
      sampleNode('E', { effortMinutes: 5 }),
      sampleNode('F', { effortMinutes: 5, metadata: { position: 0 } }),
    ]
    const map = sampleMap(nodes, ['R>C', 'R>D', 'R>E', 'C>F'])
    expect(ordered(map)).toEqual(['R', 'C', 'D', 'E', 'F'])
  })

  test('Diagnosed node ranks before unseen node at same depth and effort', () => {
    const nodes = [root, sampleNode('A'), sampleNode('E', { masteryStatus: 'diagnosed' })]
    expect(ordered(sampleMap(nodes, ['R>A', 'R>E']))).toEqual(['R', 'E', 'A'])
  })

  test('Topological constraint takes precedence over all tie-breaking criteria', () => {
    const mastered = { masteryStatus: 'mastered', masteredAt: 1 } as const
    const nodes = [
      sampleNode('R', mastered),
      sampleNode('H'),
      sampleNode('G', { effortMinutes: 5 }),
      sampleNode('J', mastered),
      sampleNode('K', mastered),
      sampleNode('I', { effortMinutes: 60 }),
    ]
    const order = ordered(sampleMap(nodes, ['R>H', 'H>G', 'R>J', 'J>K', 'K>I']))
    expect(order.indexOf('I')).toBeLessThan(order.indexOf('G'))
  })

  test('optional and skipped nodes come last where the order leaves it free', () => {
    const nodes = [
      root,
      sampleNode('A', { metadata: { optional: true }, effortMinutes: 1 }),
      sampleNode('B', { metadata: { skipped: true }, effortMinutes: 1 }),
      sampleNode('C'),
      sampleNode('D'),
    ]
    const map = sampleMap(nodes, ['R>A', 'R>B', 'R>C', 'C>D'])
    expect(ordered(map)).toEqual(['R', 'C', 'A', 'D', 'B'])
  })

  test('mastered nodes keep the order in which they were mastered', () => {
    const nodes = [3, 1, 2].map((masteredAt) =>
      sampleNode(`M${masteredAt}`, { masteryStatus: 'mastered', masteredAt }),
    )
    expect(ordered(sampleMap(nodes, ['M3>M1', 'M3>M2']))).toEqual(['M1', 'M2', 'M3'])
  })

  test('labels are compared by code point, not by code unit or locale', () => {
    const labels = ['😀', '\uFF5E', 'é', 'z', 'Z', 'ab', 'a']
    expect(labels.toSorted(compareLabels)).toEqual(['Z', 'a', 'ab', 'z', 'é', '\uFF5E', '😀'])
  })
})

describe('any map', () => {
  test('its order is a permutation 1..N that respects (a) to (d)', () => {
    fc.assert(
      fc.property(anyMap(), anyUnlockAt, (map, unlockAt) => {
        const places = [...sequenceOf(map, unlockAt).values()]
        expect(places.toSorted((a, b) => a - b)).toEqual(map.nodes.map((_, index) => index + 1))
        expect(ordered(map, unlockAt)).toEqual(naiveOrder(map, unlockAt))
      }),
      { seed: 42, numRuns: 500 },
    )
  })

  test('Sort is deterministic across multiple calls', () => {
    fc.assert(
      fc.property(anyMap(), anyUnlockAt, (map, unlockAt) => {
        const turned = { ...map, nodes: map.nodes.toReversed(), edges: map.edges.toReversed() }
        expect(ordered(turned, unlockAt)).toEqual(ordered(map, unlockAt))
      }),
      { seed: 42, numRuns: 200 },
    )
  })

  test('a map of 500 nodes is ordered with every prerequisite first', () => {
    const nodes = Array.from({ length: 500 }, (_, index) => sampleNode(`n${index}`))
    const edges = nodes.slice(1).flatMap((node, index) => {
      const parents = [index, Math.floor(index / 2), Math.floor(index / 3)]
      return [...new Set(parents)].map((parent) => `n${parent}>${node.id}`)
    })
    const map = sampleMap(nodes, edges)
    const sequence = sequenceOf(map, 'mastered')
    for (const { parentNodeId, childNodeId } of map.edges) {
      expect(sequence.get(parentNodeId) ?? 0).toBeLessThan(sequence.get(childNodeId) ?? 0)
    }
  })
})

/** The order read off the rule, one node at a time. */
function naiveOrder(map: MindMap, unlockAt: UnlockAt): string[] {
  const rank = (node: MindMapNode) => [
    node.metadata.optional || node.metadata.skipped ? 1 : 0,
    node.depth,
    node.metadata.position ?? 1_000,
    node.effortMinutes,
    node.masteryStatus === 'unseen' ? 1 : 0,
    Number(node.label.slice(1)),
  ]
  const before = (a: number[], b: number[]) => {
    const at = a.findIndex((value, index) => value !== b[index])
    return (a[at] ?? 0) - (b[at] ?? 0)
  }
  const byRank = (a: MindMapNode, b: MindMapNode) => before(rank(a), rank(b))
  const kahn = (members: MindMapNode[]): string[] => {
    const [first] = members
      .filter((node) => !members.some((other) => allAbove(map, node.id).has(other.id)))
      .sort(byRank)
    if (!first) return []
    return [first.id, ...kahn(members.filter((node) => node !== first))]
  }
  const mastered = map.nodes
    .filter((node) => node.masteryStatus === 'mastered')
    .sort((a, b) => (a.masteredAt ?? 0) - (b.masteredAt ?? 0) || byRank(a, b))
  const reviewing = map.nodes.filter((node) => node.masteryStatus === 'reviewing')
  const available = [...frontier(map, unlockAt)].sort(byRank)
  const earlier = new Set([...mastered, ...reviewing, ...available])
  return [
    ...mastered.map((node) => node.id),
    ...kahn(reviewing),
    ...available.map((node) => node.id),
    ...kahn(map.nodes.filter((node) => !earlier.has(node))),
  ]
}
