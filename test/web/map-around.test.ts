import { expect, it } from 'vitest'
import { conceptsAround } from '../../web/mind-map/around.ts'
import { conceptsOf } from '../../web/mind-map/concept.ts'
import { mindMapView } from './sample-views.ts'

/** The ids of what stands above the concept in hand, the one itself, and what stands below. */
function around(currentId: string | null, map = mindMapView()) {
  const found = conceptsAround(map, conceptsOf(map, currentId))
  const ids = (concepts: { id: string }[] = []) => concepts.map(({ id }) => id)
  return found && [ids(found.before), found.centre.id, ids(found.after)]
}

// n1 → n2 → n5, n1 → n3 → n4 → n5.
it('is the concept in hand with what it needs and what it opens', () => {
  expect(around('n3')).toEqual([['n1'], 'n3', ['n4']])
  expect(around('n5')).toEqual([['n2', 'n4'], 'n5', []])
})

it('is the next concept where none is in hand, and the goal where there is no next one', () => {
  const map = mindMapView()
  expect(around(null)?.[1]).toBe(map.nextNodeId)
  expect(around(null, { ...map, nextNodeId: null })?.[1]).toBe('n5')
  expect(around(null, { ...map, nodes: [], edges: [] })).toBeNull()
})

it('of much that is opened takes what leads to the goal', () => {
  const map = mindMapView()
  const [template] = map.nodes
  if (!template) throw new Error('there is no concept')
  const more = ['x', 'y'].map((id) => ({ ...template, id, sequence: 1 }))
  const edges = more.map(({ id }) => ({
    parentNodeId: 'n3',
    childNodeId: id,
    edgeType: 'prerequisite' as const,
  }))
  const wide = { ...map, nodes: [...map.nodes, ...more], edges: [...edges, ...map.edges] }
  const [, , after] = around('n3', wide) ?? []
  expect(after).toHaveLength(2)
  expect(after?.[0]).toBe('n4')
})
