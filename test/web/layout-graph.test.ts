import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MindMapView } from '../../src/contracts/arc.ts'
import {
  edgeId,
  layoutGraph,
  NODE_HEIGHT,
  NODE_WIDTH,
  pathThrough,
} from '../../web/mind-map/layout-graph.ts'
import { mindMapView } from './sample-views.ts'

/** Random maps: every concept but the first needs one or two of those before it. */
const maps = fc
  .array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 24 })
  .map((needs): Pick<MindMapView, 'nodes' | 'edges'> => {
    const [template] = mindMapView().nodes
    const node = (id: string) => ({ ...template, id }) as MindMapView['nodes'][number]
    return {
      nodes: [node('0'), ...needs.map((_, index) => node(String(index + 1)))],
      edges: needs.flatMap(([a, b], index) =>
        [...new Set([a % (index + 1), b % (index + 1)])].map((parent) => ({
          parentNodeId: String(parent),
          childNodeId: String(index + 1),
          edgeType: 'prerequisite' as const,
        })),
      ),
    }
  })

describe('the layout of a map', () => {
  it('puts what is needed above what needs it, and no two concepts over each other', () => {
    fc.assert(
      fc.property(maps, (map) => {
        const { places } = layoutGraph(map)
        const at = (id: string) => places.get(id) ?? { x: Number.NaN, y: Number.NaN }
        for (const { parentNodeId, childNodeId } of map.edges) {
          expect(at(parentNodeId).y).toBeLessThan(at(childNodeId).y)
        }
        for (const [id, place] of places) {
          for (const [other, { x, y }] of places) {
            if (id === other) continue
            const isApart =
              Math.abs(place.x - x) >= NODE_WIDTH || Math.abs(place.y - y) >= NODE_HEIGHT
            expect(isApart).toBe(true)
          }
        }
      }),
      { seed: 42, numRuns: 100 },
    )
  })

  it('leads every edge past the concepts between its ends', () => {
    fc.assert(
      fc.property(maps, (map) => {
        const { places, routes } = layoutGraph(map)
        for (const edge of map.edges) {
          for (const point of (routes.get(edgeId(edge)) ?? []).slice(1, -1)) {
            for (const { x, y } of places.values()) {
              const isBehind =
                point.x > x && point.x < x + NODE_WIDTH && point.y > y && point.y < y + NODE_HEIGHT
              expect(isBehind).toBe(false)
            }
          }
        }
      }),
      { seed: 42, numRuns: 100 },
    )
  })

  it('is the same for the same map', () => {
    expect(layoutGraph(mindMapView())).toEqual(layoutGraph(mindMapView()))
  })
})

it('a path leaves below, passes a row straight down, and arrives above', () => {
  const route = [
    { x: 0, y: 0 },
    { x: 200, y: 132 },
    { x: 100, y: 264 },
  ]
  expect(pathThrough(route)).toBe('M 0 38 C 0 66 200 66 200 94 L 200 170 C 200 198 100 198 100 226')
})
