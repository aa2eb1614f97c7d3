import '@xyflow/react/dist/style.css'
import { useMantineColorScheme } from '@mantine/core'
import {
  Background,
  BaseEdge,
  Controls,
  type Edge,
  type EdgeProps,
  Handle,
  MarkerType,
  MiniMap,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react'
import { type FocusEvent, memo, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MindMapView } from '../../src/contracts/arc.ts'
import { conceptsAround } from './around.ts'
import type { Concept } from './concept.ts'
import { ConceptButton } from './concept-button.tsx'
import {
  edgeId,
  layoutGraph,
  type MapLayout,
  NODE_HEIGHT,
  NODE_WIDTH,
  type Point,
  pathThrough,
} from './layout-graph.ts'
import classes from './mind-map.module.css'

type ConceptFlowNode = Node<{ concept: Concept; onOpen: (id: string) => void }, 'concept'>

interface Props {
  map: MindMapView
  concepts: Concept[]
  onOpen: (id: string) => void
}

/** Never larger than life. */
const FIT = { padding: 0.06, maxZoom: 1 }
const MIN_ZOOM = 0.2
/** A concept that is reached by keyboard can be read. */
const READABLE = 0.55

/** In a map of so many concepts an overview helps to find one's way. */
const OVERVIEW_FROM = 40

const nodeTypes = { concept: memo(ConceptCard) }
const edgeTypes = { prerequisite: memo(PrerequisiteEdge) }

/** The whole map as a graph, from the root down. */
export function ConceptGraph({ map, concepts, onOpen }: Props) {
  const { t } = useTranslation()
  const { colorScheme } = useMantineColorScheme()
  const { places, routes } = layoutOf(map)
  const nodes = useMemo(
    () =>
      concepts.map(
        (concept): ConceptFlowNode => ({
          id: concept.id,
          type: 'concept',
          position: places.get(concept.id) ?? { x: 0, y: 0 },
          width: NODE_WIDTH,
          height: NODE_HEIGHT,
          data: { concept, onOpen },
        }),
      ),
    [concepts, places, onOpen],
  )
  const edges = useMemo(() => {
    const byId = new Map(concepts.map((concept) => [concept.id, concept]))
    const name = (from: string, to: string) => t('map.edge', { from, to })
    return map.edges.map((edge) => edgeOf(edge, routes, byId, name))
  }, [map, concepts, routes, t])
  const [fitViewOptions] = useState(() => firstView(map, concepts, places))
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      colorMode={colorScheme === 'auto' ? 'system' : colorScheme}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      onlyRenderVisibleElements={map.nodes.length >= OVERVIEW_FROM}
      attributionPosition="top-right"
      minZoom={MIN_ZOOM}
      fitView
      fitViewOptions={fitViewOptions}
      aria-label={t('map.title')}
      ariaLabelConfig={{
        'controls.ariaLabel': t('map.controls'),
        'controls.zoomIn.ariaLabel': t('map.zoomIn'),
        'controls.zoomOut.ariaLabel': t('map.zoomOut'),
        'controls.fitView.ariaLabel': t('map.fit'),
      }}
    >
      <Background gap={20} />
      <Controls showInteractive={false} aria-label={t('map.controls')} />
      {map.nodes.length >= OVERVIEW_FROM && (
        <MiniMap
          className={classes.overview ?? ''}
          pannable
          zoomable
          ariaLabel={t('map.overview')}
        />
      )}
    </ReactFlow>
  )
}

/** What is shown at first: all of the map, or the concept in hand where all of it would not fit even at its smallest. */
function firstView(map: MindMapView, concepts: readonly Concept[], places: MapLayout['places']) {
  const centre = conceptsAround(map, concepts)?.centre
  const corners = [...places.values()]
  const width = Math.max(...corners.map(({ x }) => x)) + NODE_WIDTH
  const height = Math.max(...corners.map(({ y }) => y)) + NODE_HEIGHT
  const isWhole = width * MIN_ZOOM <= innerWidth && height * MIN_ZOOM <= innerHeight
  if (isWhole || !centre) return { ...FIT, minZoom: MIN_ZOOM }
  return { ...FIT, minZoom: READABLE, nodes: [{ id: centre.id }] }
}

const layouts = new WeakMap<MindMapView['edges'], { ids: string; layout: MapLayout }>()

/**
 * The layout, worked out anew only when concepts or edges come or go. It takes seconds in a map of hundreds, and is kept
 * outside the component: a render that React gives up for a more urgent one would begin it again.
 */
function layoutOf({ nodes, edges }: MindMapView): MapLayout {
  const ids = nodes.map(({ id }) => id).join(' ')
  const known = layouts.get(edges)
  if (known?.ids === ids) return known.layout
  const layout = layoutGraph({ nodes, edges })
  layouts.set(edges, { ids, layout })
  return layout
}

type RoutedEdge = Edge<{ route: Point[] }, 'prerequisite'>

function edgeOf(
  edge: MindMapView['edges'][number],
  routes: Map<string, Point[]>,
  byId: ReadonlyMap<string, Concept>,
  nameOf: (from: string, to: string) => string,
): Edge {
  const id = edgeId(edge)
  const [from, to] = [byId.get(edge.parentNodeId), byId.get(edge.childNodeId)]
  const ends = {
    ...{ id, source: edge.parentNodeId, target: edge.childNodeId, focusable: false },
    ariaLabel: nameOf(from?.label ?? '', to?.label ?? ''),
  }
  if (edge.edgeType === 'related') return { ...ends, style: { strokeDasharray: '4 4' } }
  const isOnPath = from?.isOnPath === true && to?.isOnPath === true
  const color = isOnPath ? 'var(--meno-accent)' : 'var(--xy-edge-stroke)'
  return {
    ...ends,
    type: 'prerequisite',
    data: { route: routes.get(id) ?? [] },
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color },
    ...(isOnPath ? { style: { stroke: color, strokeWidth: 2.5 }, zIndex: 1 } : {}),
  }
}

function PrerequisiteEdge({ id, data, markerEnd, style }: EdgeProps<RoutedEdge>) {
  const path = pathThrough(data?.route ?? [])
  return (
    <BaseEdge
      id={id}
      path={path}
      {...(style ? { style } : {})}
      {...(markerEnd ? { markerEnd } : {})}
    />
  )
}

function ConceptCard({ data }: NodeProps<ConceptFlowNode>) {
  const { concept, onOpen } = data
  const { fitView } = useReactFlow()
  const bringIntoView = (event: FocusEvent) => {
    if (!event.target.matches(':focus-visible')) return
    void fitView({ ...FIT, minZoom: READABLE, nodes: [{ id: concept.id }] })
  }
  return (
    <>
      <Handle type="target" position={Position.Top} className={classes.handle ?? ''} />
      <ConceptButton
        concept={concept}
        onOpen={onOpen}
        className="nodrag nopan"
        onFocus={bringIntoView}
      />
      <Handle type="source" position={Position.Bottom} className={classes.handle ?? ''} />
    </>
  )
}
