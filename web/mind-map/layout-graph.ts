import { Graph, layout } from '@dagrejs/dagre'
import type { MindMapView } from '../../src/contracts/arc.ts'

export const NODE_WIDTH = 190
export const NODE_HEIGHT = 76

/** Where each concept stands, from the root down: the upper left corner by node id, in pixels. */
export function layoutGraph(
  map: Pick<MindMapView, 'nodes' | 'edges'>,
): Map<string, { x: number; y: number }> {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 22, ranksep: 46, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of map.nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT })
  for (const { parentNodeId, childNodeId, edgeType } of map.edges) {
    if (edgeType === 'prerequisite') graph.setEdge(parentNodeId, childNodeId)
  }
  layout(graph)
  return new Map(
    map.nodes.map(({ id }) => {
      const { x = 0, y = 0 } = graph.node(id) as { x?: number; y?: number }
      return [id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }]
    }),
  )
}
