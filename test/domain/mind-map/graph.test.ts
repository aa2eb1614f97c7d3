import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addEdge,
  ancestors,
  descendants,
  findCycles,
  graphFrom,
  prerequisiteGraph,
  subtree,
} from '../../../src/domain/mind-map/graph.ts'
import type { MindMap } from '../../../src/domain/mind-map/mind-map.ts'
import { MapRuleError } from '../../../src/domain/mind-map/violation.ts'
import { allAbove, anyMap, parentsOf, sampleMap, sampleNode } from './sample-map.ts'

const abc = sampleMap(
  ['A', 'B', 'C'].map((id) => sampleNode(id)),
  ['A>B', 'B>C'],
)

function violationsOf(change: () => unknown) {
  try {
    change()
  } catch (error) {
    if (error instanceof MapRuleError) return error.violations
    throw error
  }
  return []
}

describe('adding an edge', () => {
  test('Edge creating a cycle is rejected', () => {
    const [violation] = violationsOf(() =>
      addEdge(abc, { parentNodeId: 'C', childNodeId: 'A', edgeType: 'prerequisite' }),
    )
    expect(violation).toMatchObject({ kind: 'cycle', labels: ['C', 'A', 'B', 'C'] })
    expect(violation?.message).toContain('C → A → B → C')
  })

  test('A self-loop edge is rejected', () => {
    for (const edgeType of ['prerequisite', 'related'] as const) {
      const edge = { parentNodeId: 'B', childNodeId: 'B', edgeType }
      expect(violationsOf(() => addEdge(abc, edge))).toMatchObject([
        { kind: 'self-loop', labels: ['B'] },
      ])
    }
  })

  test('an edge to an unknown node is rejected', () => {
    const edge = { parentNodeId: 'B', childNodeId: 'X', edgeType: 'prerequisite' } as const
    expect(violationsOf(() => addEdge(abc, edge))).toMatchObject([
      { kind: 'unknown-node', labels: ['X'] },
    ])
  })

  test('the same edge again changes nothing and never turns a prerequisite into a relation', () => {
    const edge = { parentNodeId: 'A', childNodeId: 'B' }
    expect(addEdge(abc, { ...edge, edgeType: 'prerequisite' })).toBe(abc)
    expect(addEdge(abc, { ...edge, edgeType: 'related' })).toBe(abc)
  })

  test('a relation may close a circle, and becomes a prerequisite where that closes none', () => {
    const related = addEdge(abc, { parentNodeId: 'C', childNodeId: 'A', edgeType: 'related' })
    expect(related.nodes).toEqual(abc.nodes)
    const across = addEdge(abc, { parentNodeId: 'A', childNodeId: 'C', edgeType: 'related' })
    const upgraded = addEdge(across, {
      parentNodeId: 'A',
      childNodeId: 'C',
      edgeType: 'prerequisite',
    })
    expect(upgraded.edges.filter((edge) => edge.childNodeId === 'C')).toEqual([
      { parentNodeId: 'B', childNodeId: 'C', edgeType: 'prerequisite' },
      { parentNodeId: 'A', childNodeId: 'C', edgeType: 'prerequisite' },
    ])
  })

  test('an edge that pushes a node below the depth limit is rejected', () => {
    const map = sampleMap(
      ['A', 'B', 'C', 'D'].map((id) => sampleNode(id)),
      ['A>B', 'B>C', 'A>D'],
    )
    const edge = { parentNodeId: 'C', childNodeId: 'D', edgeType: 'prerequisite' } as const
    expect(violationsOf(() => addEdge(map, edge, 2))).toMatchObject([
      { kind: 'too-deep', labels: ['D'] },
    ])
    expect(addEdge(map, edge, 3).nodes.find((node) => node.id === 'D')?.depth).toBe(3)
    const elsewhere = { parentNodeId: 'B', childNodeId: 'D', edgeType: 'prerequisite' } as const
    expect(violationsOf(() => addEdge(map, elsewhere, 1))).toMatchObject([{ labels: ['D'] }])
  })

  test('any edge either closes a real cycle or leaves depths of longest paths', () => {
    fc.assert(
      fc.property(anyMap(), fc.nat(), fc.nat(), (map, from, to) => {
        const parentNodeId = `n${from % map.nodes.length}`
        const childNodeId = `n${to % map.nodes.length}`
        if (parentNodeId === childNodeId) return
        const closes = allAbove(map, parentNodeId).has(childNodeId)
        const edge = { parentNodeId, childNodeId, edgeType: 'prerequisite' } as const
        const [violation] = violationsOf(() => addEdge(map, edge))
        expect(violation?.kind).toBe(closes ? 'cycle' : undefined)
        if (violation) {
          const withEdge = { ...map, edges: [...map.edges, edge] }
          expectClosedPath(violation.labels, (parent, child) =>
            parentsOf(withEdge, child).includes(parent),
          )
        } else {
          const next = addEdge(map, edge)
          for (const node of next.nodes) expect(node.depth).toBe(longestPath(next, node.id))
        }
      }),
      { seed: 42, numRuns: 300 },
    )
  })
})

describe('the graph', () => {
  test('depth is the longest path from the root', () => {
    fc.assert(
      fc.property(anyMap(), (map) => {
        for (const node of map.nodes) expect(node.depth).toBe(longestPath(map, node.id))
      }),
      { seed: 42, numRuns: 200 },
    )
  })

  test('ancestors and descendants mirror each other and hold their start', () => {
    fc.assert(
      fc.property(anyMap(), (map) => {
        const graph = prerequisiteGraph(map)
        for (const { id } of map.nodes) {
          const above = ancestors(graph, [id])
          expect(above).toEqual(new Set([id, ...allAbove(map, id)]))
          for (const other of above) expect(descendants(graph, [other]).has(id)).toBe(true)
        }
      }),
      { seed: 42, numRuns: 100 },
    )
  })

  test('cycles are found exactly when there are some, as real and disjoint closed paths', () => {
    const anyEdges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 14 })
    fc.assert(
      fc.property(anyEdges, (drawn) => {
        const ids = Array.from({ length: 8 }, (_, index) => `n${index}`)
        const pairs = drawn.map(([from, to]) => [`n${from}`, `n${to}`] as const)
        const graph = graphFrom(ids, pairs)
        const cycles = findCycles(graph)
        const cyclic = ids.some((id) =>
          (graph.children.get(id) ?? []).some((child) => descendants(graph, [child]).has(id)),
        )
        expect(cycles.length > 0).toBe(cyclic)
        for (const cycle of cycles) {
          expectClosedPath(cycle, (parent, child) =>
            pairs.some(([from, to]) => from === parent && to === child),
          )
        }
        const members = cycles.flatMap((cycle) => cycle.slice(1))
        expect(new Set(members).size).toBe(members.length)
      }),
      { seed: 42, numRuns: 500 },
    )
  })
})

describe('a subtree', () => {
  const ids = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id)

  test('leaves out related children no more: it takes all edge types', () => {
    const related = { parentNodeId: 'B', childNodeId: 'D', edgeType: 'related' as const }
    const nodes = ['A', 'B', 'C', 'D', 'E'].map((id) => sampleNode(id))
    const map = sampleMap(nodes, ['A>B', 'B>C', 'A>D', 'D>E'])
    expect(ids(subtree(map, 'B'))).toEqual(['C'])
    const linked = { ...map, edges: [...map.edges, related] }
    expect(ids(subtree(linked, 'B'))).toEqual(['D', 'C', 'E'])
  })

  test('ends, and is without its own root, where relations lead round in a circle', () => {
    const back = { parentNodeId: 'C', childNodeId: 'A', edgeType: 'related' as const }
    expect(ids(subtree({ ...abc, edges: [...abc.edges, back] }, 'A'))).toEqual(['B', 'C'])
    expect(ids(subtree({ ...abc, edges: [...abc.edges, back] }, 'B'))).toEqual(['A', 'C'])
    expect(subtree(abc, 'nobody')).toEqual([])
  })

  test('is everything below a node, by depth, effort and label', () => {
    fc.assert(
      fc.property(anyMap(), (map) => {
        const isBelow = (id: string, top: string, seen = new Set<string>()): boolean =>
          map.edges.some(
            ({ parentNodeId, childNodeId }) =>
              childNodeId === id &&
              !seen.has(parentNodeId) &&
              (parentNodeId === top || isBelow(parentNodeId, top, new Set([...seen, id]))),
          )
        for (const { id: top } of map.nodes) {
          const found = subtree(map, top)
          const below = ids(map.nodes).filter((id) => id !== top && isBelow(id, top))
          expect(ids(found).sort()).toEqual(below.sort())
          const keys = found.map(({ depth, effortMinutes }) => depth * 100 + effortMinutes)
          expect(keys).toEqual(keys.toSorted((a, b) => a - b))
        }
      }),
      { seed: 42, numRuns: 100 },
    )
  })
})

function longestPath(map: MindMap, id: string): number {
  return Math.max(0, ...parentsOf(map, id).map((parent) => longestPath(map, parent) + 1))
}

function expectClosedPath(
  path: readonly string[],
  isEdge: (parent: string, child: string) => boolean,
) {
  expect(path.length).toBeGreaterThan(1)
  expect(path.at(-1)).toBe(path[0])
  for (const [index, child] of path.slice(1).entries()) {
    expect(isEdge(path[index] ?? '', child)).toBe(true)
  }
}
