import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frontier, isComplete, nextNode } from '../../../src/domain/mind-map/frontier.ts'
import type { UnlockAt } from '../../../src/domain/mind-map/mind-map.ts'
import { anyMap, parentsOf, sampleMap, sampleNode } from './sample-map.ts'

const anyUnlockAt = fc.constantFrom<UnlockAt>('mastered', 'reviewing')
const mastered = { masteryStatus: 'mastered', masteredAt: 1 } as const

describe('the frontier', () => {
  test('equals the one found by looking at each node alone', () => {
    fc.assert(
      fc.property(anyMap(), anyUnlockAt, (map, unlockAt) => {
        const passing = unlockAt === 'mastered' ? ['mastered'] : ['mastered', 'reviewing']
        const naive = map.nodes.filter(
          (node) =>
            ['unseen', 'diagnosed', 'learning'].includes(node.masteryStatus) &&
            !node.metadata.skipped &&
            parentsOf(map, node.id).every((id) => {
              const parent = map.nodes.find((one) => one.id === id)
              return parent?.metadata.skipped || passing.includes(parent?.masteryStatus ?? '')
            }),
        )
        const found = frontier(map, unlockAt)
        expect(new Set(found)).toEqual(new Set(naive))
        const keys = found.map(({ depth, effortMinutes }) => depth * 100 + effortMinutes)
        expect(keys).toEqual(keys.toSorted((a, b) => a - b))
      }),
      { seed: 42, numRuns: 300 },
    )
  })

  test('a reviewing prerequisite unlocks only an arc that says so', () => {
    const nodes = [
      sampleNode('R', { masteryStatus: 'reviewing', nextReviewAt: 1 }),
      sampleNode('A'),
    ]
    const map = sampleMap(nodes, ['R>A'])
    expect(frontier(map, 'mastered')).toEqual([])
    expect(frontier(map, 'reviewing').map(({ id }) => id)).toEqual(['A'])
  })

  test('a related edge unlocks and blocks nothing', () => {
    const map = sampleMap(
      [sampleNode('R', mastered), sampleNode('A'), sampleNode('B')],
      ['R>A', 'R>B'],
    )
    map.edges.push({ parentNodeId: 'A', childNodeId: 'B', edgeType: 'related' })
    expect(frontier(map, 'mastered').map(({ id }) => id)).toEqual(['A', 'B'])
  })
})

describe('the next node', () => {
  test('Returns frontier node with lowest sequence', () => {
    const nodes = [
      sampleNode('R', { ...mastered, sequence: 1 }),
      sampleNode('A', { sequence: 12 }),
      sampleNode('B', { sequence: 3 }),
      sampleNode('C', { sequence: 7 }),
    ]
    expect(nextNode(sampleMap(nodes, ['R>A', 'R>B', 'R>C']), 'mastered')?.id).toBe('B')
  })

  test('Non-frontier node is never returned even if it has a low sequence number', () => {
    const nodes = [
      sampleNode('R', { ...mastered, sequence: 2 }),
      sampleNode('Y', { masteryStatus: 'learning', sequence: 9 }),
      sampleNode('X', { sequence: 1 }),
      sampleNode('Z', { sequence: 4 }),
    ]
    expect(nextNode(sampleMap(nodes, ['R>Y', 'Y>X', 'R>Z']), 'mastered')?.id).toBe('Z')
  })

  test('Root node is on the frontier for a fresh mind map', () => {
    const map = sampleMap(
      [sampleNode('R', { sequence: 1 }), sampleNode('A', { sequence: 2 })],
      ['R>A'],
    )
    expect(nextNode(map, 'mastered')?.id).toBe('R')
  })

  test('Node in learning state is returned by next-node if on frontier', () => {
    const nodes = [
      sampleNode('R', { ...mastered, sequence: 1 }),
      sampleNode('A', { masteryStatus: 'learning', sequence: 5 }),
      sampleNode('B', { sequence: 6 }),
    ]
    expect(nextNode(sampleMap(nodes, ['R>A', 'R>B']), 'mastered')?.id).toBe('A')
  })

  test('Returns None when all nodes are mastered', () => {
    expect(nextNode(sampleMap([sampleNode('R', mastered)]), 'mastered')).toBeNull()
  })

  test('Returns None for a completed or abandoned mind map', () => {
    const map = sampleMap([sampleNode('R', { sequence: 1 })])
    for (const status of ['completed', 'abandoned', 'creation'] as const) {
      expect(nextNode({ ...map, status }, 'mastered')).toBeNull()
    }
  })
})

describe('completion', () => {
  test('Mind map transitions to completed when all nodes are mastered', () => {
    const map = sampleMap([sampleNode('R', mastered), sampleNode('A')], ['R>A'])
    expect(isComplete(map)).toBe(false)
    expect(isComplete(sampleMap([sampleNode('R', mastered)]))).toBe(true)
  })

  test('optional and skipped nodes are not waited for', () => {
    const nodes = [
      sampleNode('R', mastered),
      sampleNode('A', { metadata: { optional: true } }),
      sampleNode('B', { metadata: { skipped: true } }),
    ]
    expect(isComplete(sampleMap(nodes, ['R>A', 'R>B']))).toBe(true)
  })

  test('a map without nodes is not complete', () => {
    expect(isComplete({ nodes: [] })).toBe(false)
  })
})
