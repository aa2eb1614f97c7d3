import { Graph, layout } from '@dagrejs/dagre'
import type { MindMapView } from '../../src/contracts/arc.ts'

export const NODE_WIDTH = 190
export const NODE_HEIGHT = 76

export interface Point {
  x: number
  y: number
}

export interface MapLayout {
  /** The upper left corner of each concept, in pixels, by node id. */
  places: Map<string, Point>
  /** Where each prerequisite edge passes each row of concepts, from its own ends on, by `edgeId`. */
  routes: Map<string, Point[]>
}

type MapEdge = MindMapView['edges'][number]

export const edgeId = ({ parentNodeId, childNodeId, edgeType }: MapEdge): string =>
  `${parentNodeId} ${childNodeId} ${edgeType}`

/** From so many concepts on the rows are found in a simpler way, which takes half the time. */
const LARGE = 150

/** Lays the map out from the root down; only prerequisites have a say in it. */
export function layoutGraph(map: {
  nodes: readonly { id: string }[]
  edges: MindMapView['edges']
}): MapLayout {
  const graph = new Graph()
  const ranker = map.nodes.length < LARGE ? 'network-simplex' : 'tight-tree'
  graph.setGraph({
    ranker,
    rankdir: 'TB',
    nodesep: 22,
    ranksep: 56,
    edgesep: 16,
    marginx: 8,
    marginy: 8,
  })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of map.nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT })
  const edges = map.edges.filter(({ edgeType }) => edgeType === 'prerequisite')
  for (const { parentNodeId, childNodeId } of edges) graph.setEdge(parentNodeId, childNodeId)
  layout(graph)
  const centre = (id: string): Point => {
    const { x = 0, y = 0 } = graph.node(id) as Partial<Point>
    return { x, y }
  }
  const rows = new Set(map.nodes.map(({ id }) => Math.round(centre(id).y)))
  const route = ({ parentNodeId, childNodeId }: MapEdge): Point[] => {
    const { points = [] } = graph.edge(parentNodeId, childNodeId) as { points?: Point[] }
    const [from, to] = [centre(parentNodeId), centre(childNodeId)]
    const passed = points.filter(({ y }) => rows.has(Math.round(y)) && y > from.y && y < to.y)
    return [from, ...passed, to]
  }
  return {
    places: new Map(
      map.nodes.map(({ id }) => {
        const { x, y } = centre(id)
        return [id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }]
      }),
    ),
    routes: new Map(edges.map((edge) => [edgeId(edge), route(edge)])),
  }
}

const HALF = NODE_HEIGHT / 2

/**
 * An SVG path from below the first point to above the last, straight down through the rows it passes and swinging over
 * only in the gaps between them, so that it never runs behind a concept.
 */
export function pathThrough(route: readonly Point[]): string {
  const [first, ...rest] = route
  if (!first) return ''
  let x = first.x
  let y = first.y + HALF
  let path = `M ${x} ${y}`
  for (const [index, next] of rest.entries()) {
    const top = next.y - HALF
    const middle = (y + top) / 2
    path += ` C ${x} ${middle} ${next.x} ${middle} ${next.x} ${top}`
    x = next.x
    y = next.y + HALF
    if (index < rest.length - 1) path += ` L ${x} ${y}`
  }
  return path
}
