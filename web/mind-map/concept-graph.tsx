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
import { Flag, Lock } from 'lucide-react'
import { type FocusEvent, memo, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MindMapView } from '../../src/contracts/arc.ts'
import { type Concept, neighbours, stateWord } from './concept.ts'
import {
  edgeId,
  layoutGraph,
  type MapLayout,
  NODE_HEIGHT,
  NODE_WIDTH,
  type Point,
  pathThrough,
} from './layout-graph.ts'
import mastery from './mastery.module.css'
import classes from './mind-map.module.css'

type ConceptFlowNode = Node<{ concept: Concept; onOpen: (id: string) => void }, 'concept'>

interface Props {
  map: MindMapView
  concepts: Concept[]
  onOpen: (id: string) => void
  isLarge: boolean
}

/** Never larger than life, and not so small that nothing can be read. */
const FIT = { padding: 0.06, maxZoom: 1, minZoom: 0.55 }

/** In a map of so many concepts an overview helps to find one's way. */
const OVERVIEW_FROM = 40

const nodeTypes = { concept: memo(ConceptCard) }
const edgeTypes = { prerequisite: memo(PrerequisiteEdge) }

/** The map as a graph, from the root down; the small one looks at the concept in hand, the large one at all. */
export function ConceptGraph({ map, concepts, onOpen, isLarge }: Props) {
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
  const focus = useMemo(
    () => (isLarge ? [] : inView(map, concepts, places)),
    [map, concepts, places, isLarge],
  )
  const fit = { ...FIT, ...(isLarge ? { minZoom: 0.2 } : { nodes: focus }) }
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
      zoomOnScroll={isLarge}
      onlyRenderVisibleElements={map.nodes.length >= OVERVIEW_FROM}
      attributionPosition="top-right"
      preventScrolling={isLarge}
      minZoom={0.2}
      fitView
      fitViewOptions={fit}
      aria-label={t('map.title')}
      ariaLabelConfig={{
        'controls.ariaLabel': t('map.controls'),
        'controls.zoomIn.ariaLabel': t('map.zoomIn'),
        'controls.zoomOut.ariaLabel': t('map.zoomOut'),
        'controls.fitView.ariaLabel': t('map.fit'),
      }}
    >
      <Background gap={20} />
      <Controls
        showInteractive={false}
        aria-label={t('map.controls')}
        {...(isLarge ? {} : { position: 'bottom-right' as const })}
      />
      {isLarge && map.nodes.length >= OVERVIEW_FROM && (
        <MiniMap
          className={classes.overview ?? ''}
          pannable
          zoomable
          ariaLabel={t('map.overview')}
        />
      )}
      <Follow ids={focus.map(({ id }) => id).join(' ')} />
    </ReactFlow>
  )
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

/** Moves the view when the concept in hand changes. */
function Follow({ ids }: { ids: string }) {
  const { fitView } = useReactFlow()
  useEffect(() => {
    if (ids === '') return
    const nodes = ids.split(' ').map((id) => ({ id }))
    void fitView({ ...FIT, nodes, duration: 300 })
  }, [ids, fitView])
  return null
}

/** How many beside the concept in hand still fit into the panel on each side. */
const BESIDE = 2

/** Farther away than this, in pixels of the map, a neighbour would push the concept in hand out of view. */
const NEAR = 2 * NODE_WIDTH

const distance = (a: Point | undefined, b: Point | undefined): number =>
  a && b ? Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) : Number.POSITIVE_INFINITY

/** A map of so few concepts is shown whole. */
const FEW = 5

/** The concept in hand, or the next one, with what it needs and what it opens; a small map, or one that is done, whole. */
function inView(
  map: MindMapView,
  concepts: readonly Concept[],
  places: ReadonlyMap<string, Point>,
): { id: string }[] {
  const centre =
    concepts.find(({ isCurrent }) => isCurrent) ?? concepts.find(({ access }) => access === 'next')
  if (!centre || concepts.length <= FEW) return concepts.map(({ id }) => ({ id }))
  const { before, after } = neighbours(map, centre.id)
  const onPath = new Set(concepts.filter(({ isOnPath }) => isOnPath).map(({ id }) => id))
  const opened = [...after].sort((a, b) => Number(onPath.has(b)) - Number(onPath.has(a)))
  const isNear = (id: string) => distance(places.get(id), places.get(centre.id)) <= NEAR
  const ids = [
    centre.id,
    ...before.filter(isNear).slice(0, BESIDE),
    ...opened.filter(isNear).slice(0, BESIDE),
  ]
  return ids.map((id) => ({ id }))
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
  const { t } = useTranslation()
  const { concept, onOpen } = data
  const { fitView } = useReactFlow()
  const { id, label, status, percent, isInferred, access, isCurrent, isGoal } = concept
  const bringIntoView = (event: FocusEvent) => {
    if (event.target.matches(':focus-visible')) void fitView({ ...FIT, nodes: [{ id }] })
  }
  return (
    <>
      <Handle type="target" position={Position.Top} className={classes.handle ?? ''} />
      <button
        type="button"
        className={`nodrag nopan ${mastery.mastery} ${classes.node}`}
        data-status={status}
        data-access={access}
        data-path={concept.isOnPath || undefined}
        aria-current={isCurrent ? 'step' : undefined}
        onFocus={bringIntoView}
        onClick={() => onOpen(id)}
      >
        <span className={classes.nodeLabel}>{label}</span>
        <span className={classes.nodeState}>
          {isGoal && <Flag size={11} aria-label={t('map.goal')} />}
          {access === 'locked' && <Lock size={11} aria-label={t('access.locked')} />}
          <span>{t(stateWord(concept))}</span>
          <span className={classes.percent}>
            {isInferred && '≈ '}
            {percent}%
          </span>
        </span>
        <span className={classes.bar} aria-hidden>
          <span style={{ width: `${percent}%` }} />
        </span>
      </button>
      <Handle type="source" position={Position.Bottom} className={classes.handle ?? ''} />
    </>
  )
}
