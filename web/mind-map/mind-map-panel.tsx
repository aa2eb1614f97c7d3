import { ActionIcon, Button, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { Maximize2 } from 'lucide-react'
import { lazy, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MindMapView } from '../../src/contracts/arc.ts'
import { useMindMap } from '../api/queries.ts'
import { lateDialog } from '../shell/late-dialog.tsx'
import { OptionalPart } from '../shell/optional-part.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import tip from '../shell/tip.module.css'
import { type Concept, conceptsOf } from './concept.ts'
import { ConceptList } from './concept-list.tsx'
import { Legend } from './legend.tsx'
import classes from './mind-map.module.css'
import { SmallMap } from './small-map.tsx'

const loadGraph = () =>
  lazy(async () => ({ default: (await import('./concept-graph.tsx')).ConceptGraph }))

const ConceptDrawer = lateDialog(async () => (await import('./concept-drawer.tsx')).ConceptDrawer)
const LargeMap = lateDialog(async () => (await import('./large-map.tsx')).LargeMap)

interface Props {
  arcId: string
  currentNodeId: string | null
  /** Something was said to the tutor; the answer comes in the conversation. */
  onSaid: () => void
}

type View = 'map' | 'list'

/** The mind map of an arc, as a graph or as a list; a concept opens its card. */
export function MindMapPanel({ arcId, currentNodeId, onSaid }: Props) {
  const { t } = useTranslation()
  const { data: map, error, isPending, refetch } = useMindMap(arcId)
  const [view, setView] = useState<View>('map')
  const [isLarge, setIsLarge] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const concepts = useMemo(() => (map ? conceptsOf(map, currentNodeId) : []), [map, currentNodeId])
  const open = concepts.find(({ id }) => id === openId) ?? null
  return (
    <section className={classes.panel} aria-labelledby="mind-map">
      <div className={classes.head}>
        <h2 id="mind-map" className={classes.title}>
          {t('map.title')}
        </h2>
        <SegmentedControl
          size="xs"
          aria-label={t('map.view')}
          value={view}
          onChange={(value) => setView(value as View)}
          data={[
            { value: 'map', label: t('map.graph') },
            { value: 'list', label: t('map.list') },
          ]}
        />
        <ActionIcon
          variant="default"
          size={30}
          className={tip.tip ?? ''}
          aria-label={t('map.enlarge')}
          disabled={concepts.length === 0}
          onClick={() => setIsLarge(true)}
        >
          <Maximize2 size={15} aria-hidden />
        </ActionIcon>
      </div>
      {isPending && <Skeleton h={280} radius="md" />}
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {map && concepts.length === 0 && (
        <Text size="sm" c="dimmed" className={classes.empty ?? ''}>
          {t('map.empty')}
        </Text>
      )}
      {map && concepts.length > 0 && (
        <>
          {view === 'map' ? (
            <>
              <SmallMap map={map} concepts={concepts} onOpen={setOpenId} />
              <Legend concepts={concepts} />
              <Button
                variant="subtle"
                size="compact-sm"
                className={classes.all ?? ''}
                onClick={() => setIsLarge(true)}
              >
                {t('map.all', { count: concepts.length })}
              </Button>
            </>
          ) : (
            <ConceptList map={map} concepts={concepts} onOpen={setOpenId} />
          )}
          <LargeMap
            opened={isLarge}
            onClose={() => setIsLarge(false)}
            title={map.mindMap.title}
            concepts={concepts}
          >
            <Graph map={map} concepts={concepts} onOpen={setOpenId} />
          </LargeMap>
          <ConceptDrawer
            opened={open !== null}
            arcId={arcId}
            map={map}
            concept={open}
            concepts={concepts}
            onOpen={setOpenId}
            onSaid={() => {
              setIsLarge(false)
              onSaid()
            }}
          />
        </>
      )}
    </section>
  )
}

interface GraphProps {
  map: MindMapView
  concepts: Concept[]
  onOpen: (id: string) => void
}

function Graph(props: GraphProps) {
  const { t } = useTranslation()
  return (
    <OptionalPart
      load={loadGraph}
      props={props}
      missing={t('map.broken')}
      waiting={<Skeleton h="100%" mih={280} radius="md" />}
    />
  )
}
