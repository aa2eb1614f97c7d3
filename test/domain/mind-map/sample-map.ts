import fc from 'fast-check'
import { withDepths } from '../../../src/domain/mind-map/graph.ts'
import type { MasteryStatus, MindMap, MindMapNode } from '../../../src/domain/mind-map/mind-map.ts'

/** A node whose label is its id unless told otherwise. */
export function sampleNode(id: string, given: Partial<MindMapNode> = {}): MindMapNode {
  return {
    id,
    label: id,
    unitId: null,
    depth: 0,
    sequence: null,
    effortMinutes: 10,
    masteryStatus: 'unseen',
    masteryScore: 0,
    easeFactor: 2.5,
    repetitions: 0,
    intervalDays: 0,
    nextReviewAt: null,
    lastReviewedAt: null,
    masteredAt: null,
    metadata: {},
    ...given,
  }
}

/** An active map with its depths; the first node is the root, edges are written "A>B". */
export function sampleMap(nodes: MindMapNode[], edges: string[] = []): MindMap {
  return withDepths({
    id: 'map',
    status: 'active',
    rootNodeId: nodes[0]?.id ?? null,
    nodes,
    edges: edges.map((edge) => {
      const [parentNodeId = '', childNodeId = ''] = edge.split('>')
      return { parentNodeId, childNodeId, edgeType: 'prerequisite' as const }
    }),
  })
}

const STATUSES: MasteryStatus[] = ['unseen', 'diagnosed', 'learning', 'reviewing', 'mastered']

/** Any valid active map of up to `size` nodes, in any state of learning, nodes in any order. */
export function anyMap(size = 9): fc.Arbitrary<MindMap> {
  const node = fc.record({
    status: fc.constantFrom(...STATUSES),
    effortMinutes: fc.integer({ min: 1, max: 3 }),
    masteredAt: fc.integer({ min: 0, max: 5 }),
    masteryScore: fc.constantFrom(0, 0.5, 0.89, 0.9, 1),
    aside: fc.constantFrom({}, {}, {}, { optional: true }, { skipped: true }),
    place: fc.constantFrom({}, { position: 0 }, { position: 1 }, { position: 2 }),
    parents: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    related: fc.array(fc.nat(), { maxLength: 1 }),
  })
  return fc.array(node, { minLength: 1, maxLength: size }).chain((drawn) => {
    const nodes = drawn.map((one, index) =>
      sampleNode(`n${index}`, {
        effortMinutes: one.effortMinutes,
        masteryStatus: one.status,
        masteryScore: one.masteryScore,
        masteredAt: one.status === 'mastered' ? one.masteredAt : null,
        nextReviewAt: one.status === 'reviewing' || one.status === 'mastered' ? 1 : null,
        metadata: { ...one.aside, ...one.place },
      }),
    )
    const edges = drawn.flatMap((one, index) =>
      index === 0 ? [] : [...new Set(one.parents.map((parent) => `n${parent % index}>n${index}`))],
    )
    const { edges: prerequisites } = sampleMap(nodes, edges)
    const related = drawn.flatMap((one, index) =>
      one.related
        .map((other) => ({
          parentNodeId: `n${index}`,
          childNodeId: `n${other % drawn.length}`,
          edgeType: 'related' as const,
        }))
        .filter((edge) => edge.parentNodeId > edge.childNodeId),
    )
    return fc
      .shuffledSubarray(nodes, { minLength: nodes.length, maxLength: nodes.length })
      .map((shuffled) =>
        withDepths({
          id: 'map',
          status: 'active',
          rootNodeId: 'n0',
          nodes: shuffled,
          edges: [...prerequisites, ...related],
        }),
      )
  })
}

/** The prerequisites of a node, read off the edges one by one. */
export function parentsOf(map: MindMap, id: string): string[] {
  return map.edges
    .filter((edge) => edge.edgeType === 'prerequisite' && edge.childNodeId === id)
    .map((edge) => edge.parentNodeId)
}

/** Everything strictly above a node, by plain recursion. */
export function allAbove(map: MindMap, id: string): Set<string> {
  return new Set(parentsOf(map, id).flatMap((parent) => [parent, ...allAbove(map, parent)]))
}
