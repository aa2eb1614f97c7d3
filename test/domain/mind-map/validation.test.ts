import { describe, expect, test } from 'vitest'
import {
  type ProposedGraph,
  validateAdditions,
  validateGraph,
  validateMap,
} from '../../../src/domain/mind-map/validation.ts'
import { sampleMap, sampleNode } from './sample-map.ts'

const LIMITS = { maxNodes: 30, maxDepth: 5 }

function concept(label: string, effortMinutes = 10) {
  return { label, description: `About ${label}`, effortMinutes }
}

/** A chain of six levels, the rest fanned out below the root. */
function graphOf(size: number, deepest = 5): ProposedGraph {
  const nodes = Array.from({ length: size }, (_, index) => concept(`C${index}`))
  const edges = nodes.slice(1).map((node, index) => ({
    parent: index < deepest ? `C${index}` : 'C0',
    child: node.label,
  }))
  return { root: 'C0', nodes, edges }
}

describe('a proposed graph', () => {
  test('A graph with exactly 30 nodes and depth 5 is accepted', () => {
    expect(validateGraph(graphOf(30), LIMITS)).toEqual([])
  })

  test('Graph exceeding 30 nodes is rejected', () => {
    expect(validateGraph(graphOf(31), LIMITS)).toMatchObject([
      { kind: 'too-many-nodes', labels: ['C30'] },
    ])
  })

  test('Node at depth exceeding 5 is rejected', () => {
    expect(validateGraph(graphOf(10, 6), LIMITS)).toMatchObject([
      { kind: 'too-deep', labels: ['C6'] },
    ])
  })

  test('the depth is that of the longest path, not of the shortest', () => {
    const graph = graphOf(7, 6)
    graph.edges.push({ parent: 'C0', child: 'C6' })
    expect(validateGraph(graph, LIMITS)).toMatchObject([{ kind: 'too-deep', labels: ['C6'] }])
  })

  test('Every node has a populated effort estimate', () => {
    const nodes = [concept('A'), concept('B', 0), concept('C', -1), concept('D', 1.5)]
    const edges = ['B', 'C', 'D'].map((child) => ({ parent: 'A', child }))
    expect(validateGraph({ root: 'A', nodes, edges }, LIMITS)).toMatchObject([
      { kind: 'effort', labels: ['B', 'C', 'D'] },
    ])
  })

  test('all violations are listed at once, each naming its labels', () => {
    const violations = validateGraph(
      {
        root: 'A',
        nodes: [concept('A'), concept('B'), concept('C'), concept(' b '), concept('Island')],
        edges: [
          { parent: 'A', child: 'B' },
          { parent: 'B', child: 'C' },
          { parent: 'C', child: 'B' },
          { parent: 'C', child: 'C' },
          { parent: 'C', child: 'Nowhere' },
        ],
        goalLabels: ['c', 'Elsewhere'],
      },
      LIMITS,
    )
    expect(violations.map(({ kind, labels }) => ({ kind, labels }))).toEqual([
      { kind: 'duplicate-label', labels: ['B', ' b '] },
      { kind: 'unknown-node', labels: ['Nowhere'] },
      { kind: 'self-loop', labels: ['C'] },
      { kind: 'cycle', labels: [' b ', 'C', ' b '] },
      { kind: 'unreachable', labels: ['Island'] },
      { kind: 'goal', labels: ['Elsewhere'] },
    ])
    for (const { message, labels } of violations) {
      for (const label of labels) expect(message).toContain(label)
    }
  })

  test('a plan that fits its schema but no column is refused with its labels named', () => {
    const long = 'L'.repeat(201)
    const nodes = [
      concept('A'.repeat(200), 10_000),
      concept(long),
      { ...concept('B'), description: 'x'.repeat(2_001) },
      { ...concept('C'), description: 'x'.repeat(2_000) },
      concept('D', 3e9),
      concept('E', 10_001),
    ]
    const root = 'A'.repeat(200)
    const edges = nodes.slice(1).map(({ label }) => ({ parent: root, child: label }))
    const violations = validateGraph({ root, nodes, edges }, LIMITS)
    expect(violations.map(({ kind, labels }) => ({ kind, labels }))).toEqual([
      { kind: 'label-length', labels: [`${'L'.repeat(60)}…`] },
      { kind: 'description-length', labels: ['B'] },
      { kind: 'effort', labels: ['D', 'E'] },
    ])
    for (const { message, labels } of violations) {
      for (const label of labels) expect(message).toContain(label)
    }
  })

  test('a root that is no concept, and a concept without a label, are refused', () => {
    const graph = { root: 'X', nodes: [concept('A'), concept('  ')], edges: [] }
    const kinds = validateGraph(graph, LIMITS).map(({ kind }) => kind)
    expect(kinds).toEqual(['blank-label', 'unknown-root'])
  })
})

describe('additions to a map', () => {
  const map = sampleMap(
    ['A', 'B', 'C'].map((id) => sampleNode(id)),
    ['A>B', 'B>C'],
  )

  test('are checked against the whole map', () => {
    const additions = {
      nodes: [concept('D'), concept('c')],
      edges: [
        { parent: 'C', child: 'D' },
        { parent: 'D', child: 'b' },
      ],
    }
    expect(validateAdditions(map, additions, LIMITS)).toMatchObject([
      { kind: 'duplicate-label' },
      { kind: 'cycle' },
    ])
    const one = { nodes: [concept('D')], edges: [{ parent: 'c', child: 'D' }] }
    expect(validateAdditions(map, one, { maxNodes: 3, maxDepth: 2 })).toMatchObject([
      { kind: 'too-many-nodes', labels: ['D'] },
      { kind: 'too-deep', labels: ['D'] },
    ])
    expect(validateAdditions(map, one, LIMITS)).toEqual([])
  })

  test('may be unreachable only while the map is in creation', () => {
    const lone = { nodes: [concept('D')], edges: [] }
    expect(validateAdditions(map, lone, LIMITS)).toMatchObject([
      { kind: 'unreachable', labels: ['D'] },
    ])
    const creation = { ...map, status: 'creation' as const, rootNodeId: null }
    expect(validateAdditions(creation, lone, LIMITS)).toEqual([])
    expect(validateMap(creation, LIMITS)).toMatchObject([{ kind: 'unknown-root' }])
    expect(validateMap({ ...map, status: 'creation' }, LIMITS)).toEqual([])
  })
})
