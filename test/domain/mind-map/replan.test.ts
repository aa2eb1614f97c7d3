import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MapStatusError } from '../../../src/domain/mind-map/lifecycle.ts'
import type { UnlockAt } from '../../../src/domain/mind-map/mind-map.ts'
import { sequenceOf } from '../../../src/domain/mind-map/order.ts'
import {
  deferBehindFrontier,
  replan,
  weakestPrerequisite,
} from '../../../src/domain/mind-map/replan.ts'
import { anyMap, sampleMap, sampleNode } from './sample-map.ts'

const LIMITS = { maxNodes: 30, maxDepth: 5 }
const mastered = { masteryStatus: 'mastered', masteredAt: 1, nextReviewAt: 9 } as const

function places(map: { nodes: { id: string; sequence: number | null }[] }) {
  return Object.fromEntries(map.nodes.map(({ id, sequence }) => [id, sequence]))
}

describe('a re-plan', () => {
  test('Re-planning is idempotent on a stable graph', () => {
    fc.assert(
      fc.property(anyMap(), fc.constantFrom<UnlockAt>('mastered', 'reviewing'), (map, unlockAt) => {
        const once = replan(map, unlockAt).map
        expect(replan(once, unlockAt).map).toBe(once)
        expect(once.edges).toEqual(map.edges)
        expect(places(once)).toEqual(Object.fromEntries(sequenceOf(map, unlockAt)))
      }),
      { seed: 42, numRuns: 200 },
    )
  })

  test('Re-plan reorders sequence after mastery state change', () => {
    const nodes = ['R', 'A', 'B', 'C'].map((id) => sampleNode(id))
    const before = replan(sampleMap(nodes, ['R>A', 'R>B', 'B>C']), 'mastered').map
    expect(places(before)).toEqual({ R: 1, A: 2, B: 3, C: 4 })
    const learned = before.nodes.map((node) =>
      node.id === 'R' || node.id === 'B' ? { ...node, ...mastered, masteryScore: 0.8 } : node,
    )
    expect(places(replan({ ...before, nodes: learned }, 'mastered').map)).toEqual({
      R: 1,
      B: 2,
      A: 3,
      C: 4,
    })
  })

  test('Re-plan marks a node as skippable based on mastery', () => {
    const nodes = [
      sampleNode('R', { ...mastered, masteryScore: 0.9, metadata: { tag: 'kept' } }),
      sampleNode('A', { ...mastered, masteryScore: 0.89 }),
      sampleNode('B', {
        masteryStatus: 'reviewing',
        masteryScore: 1,
        metadata: { skippable: true },
      }),
    ]
    const { map } = replan(sampleMap(nodes, ['R>A', 'R>B']), 'mastered')
    expect(map.nodes.map(({ metadata }) => metadata)).toEqual([
      { tag: 'kept', skippable: true },
      {},
      {},
    ])
  })

  test('curriculum_replan rejects abandoned mind maps', () => {
    const map = sampleMap([sampleNode('R')])
    for (const status of ['abandoned', 'completed', 'creation'] as const) {
      expect(() => replan({ ...map, status }, 'mastered')).toThrow(MapStatusError)
      expect(() => replan({ ...map, status }, 'mastered')).toThrow(status)
    }
  })

  describe('with advice', () => {
    const map = replan(
      sampleMap(
        ['R', 'Recursion'].map((id) => sampleNode(id)),
        ['R>Recursion'],
      ),
      'mastered',
    ).map
    const stackFrames = {
      nodes: [{ label: 'Stack Frames', description: 'Calls', effortMinutes: 15 }],
      edges: [
        { parent: 'R', child: 'Stack Frames' },
        { parent: 'Stack Frames', child: 'recursion' },
      ],
    }
    const advice = { additions: stackFrames, limits: LIMITS, ids: () => 'new' }

    test('Re-plan with reason triggers optional LLM node addition', () => {
      const { map: next, descriptions, refused } = replan(map, 'mastered', advice)
      expect(refused).toEqual([])
      expect(descriptions).toEqual([{ nodeId: 'new', description: 'Calls' }])
      expect(places(next)).toEqual({ R: 1, new: 2, Recursion: 3 })
      expect(next.edges).toEqual(expect.arrayContaining(map.edges))
      expect(next.edges).toHaveLength(3)
    })

    test('refused advice is dropped whole and the order still recomputed', () => {
      const edges = [...stackFrames.edges, { parent: 'Recursion', child: 'R' }]
      const learned = { ...map, nodes: map.nodes.map((node) => ({ ...node, sequence: null })) }
      const { map: next, refused } = replan(learned, 'mastered', {
        ...advice,
        additions: { ...stackFrames, edges },
      })
      expect(refused).toMatchObject([{ kind: 'cycle' }])
      expect(next.nodes).toHaveLength(2)
      expect(next.edges).toEqual(map.edges)
      expect(places(next)).toEqual({ R: 1, Recursion: 2 })
    })

    test('advice that adds nothing changes nothing', () => {
      const additions = { nodes: [], edges: [{ parent: 'R', child: 'Recursion' }] }
      expect(replan(map, 'mastered', { ...advice, additions }).map).toBe(map)
    })
  })
})

describe('spent cycles', () => {
  test('the concept goes behind the other frontier nodes, the rest keeps its order', () => {
    const nodes = [
      sampleNode('R', { ...mastered, sequence: 1 }),
      sampleNode('A', { masteryStatus: 'learning', sequence: 2 }),
      sampleNode('B', { sequence: 3 }),
      sampleNode('C', { sequence: 4 }),
      sampleNode('D', { sequence: 5 }),
    ]
    const map = sampleMap(nodes, ['R>A', 'R>B', 'R>C', 'A>D'])
    const next = deferBehindFrontier(map, 'A', 'mastered')
    expect(places(next)).toEqual({ R: 1, B: 2, C: 3, A: 4, D: 5 })
    expect(deferBehindFrontier(next, 'A', 'mastered')).toBe(next)
  })

  test('the weakest prerequisite is a direct one of the lowest score', () => {
    const nodes = [
      sampleNode('R', { masteryScore: 0.1 }),
      sampleNode('A', { masteryScore: 0.8 }),
      sampleNode('B', { masteryScore: 0.6 }),
      sampleNode('C'),
    ]
    const map = sampleMap(nodes, ['R>A', 'R>B', 'A>C', 'B>C'])
    expect(weakestPrerequisite(map, 'C')?.id).toBe('B')
    expect(weakestPrerequisite(map, 'R')).toBeNull()
  })
})
