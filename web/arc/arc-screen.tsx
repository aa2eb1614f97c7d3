import { SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useArc } from '../api/queries.ts'
import { useArcEvents } from '../api/use-arc-events.ts'
import classes from '../conversation/conversation.module.css'
import { NotFound } from '../shell/not-found.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { useTitle } from '../shell/use-title.ts'
import { nameOf } from '../topics/names.ts'
import { ArcHeader } from './arc-header.tsx'
import { Conversation } from './conversation-panel.tsx'
import { OthersDue } from './others-due.tsx'
import { ProgressCard } from './progress-card.tsx'
import { useOpenedByLink } from './use-opened-by-link.ts'

const MindMapPanel = lazy(async () => ({
  // Without a network it may be missing; the conversation stands without it.
  default:
    (await import('../mind-map/mind-map-panel.tsx').catch(() => null))?.MindMapPanel ?? NoPanel,
}))

const route = getRouteApi('/arcs/$arcId')

const NoPanel = (_: ComponentProps<typeof import('../mind-map/mind-map-panel.tsx').MindMapPanel>) =>
  null

/** One arc: the conversation, and beside it the mind map and what comes next. */
export function ArcScreen() {
  const { arcId } = route.useParams()
  const arc = useArc(arcId)
  useTitle(arc.data && nameOf(arc.data))
  if (isProblem(arc.error) && arc.error.status === 404) return <NotFound />
  if (arc.isPending) return <Loading />
  if (!arc.data) {
    return (
      <div className={classes.alone}>
        <ProblemAlert error={arc.error} onRetry={() => void arc.refetch()} />
      </div>
    )
  }
  return <LoadedArc key={arcId} arc={arc.data} />
}

type View = 'lesson' | 'map'

function LoadedArc({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  useOpenedByLink(arc, route.useSearch())
  const connection = useArcEvents(arc.arcId)
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const [view, setView] = useState<View>('lesson')
  return (
    <div className={classes.screen}>
      <ArcHeader arc={arc} connection={connection} />
      <OthersDue arc={arc} />
      {!isWide && (
        <SegmentedControl
          className={classes.views ?? ''}
          aria-label={t('arc.view')}
          value={view}
          onChange={(value) => setView(value as View)}
          data={[
            { value: 'lesson', label: t('arc.lesson') },
            { value: 'map', label: t('arc.map') },
          ]}
        />
      )}
      <div className={classes.columns}>
        <div className={classes.talk} hidden={!isWide && view !== 'lesson'}>
          <Conversation arc={arc} />
        </div>
        {(isWide || view === 'map') && (
          <aside className={classes.aside} aria-label={t('arc.aside')}>
            <ProgressCard arc={arc} />
            <Suspense fallback={<Skeleton h={380} radius="lg" />}>
              <MindMapPanel
                arcId={arc.arcId}
                currentNodeId={arc.currentNode?.id ?? null}
                onSaid={() => setView('lesson')}
              />
            </Suspense>
          </aside>
        )}
      </div>
    </div>
  )
}

function Loading() {
  return (
    <Stack className={classes.alone ?? ''} aria-busy="true">
      <Skeleton h={28} w={260} />
      <Skeleton h={120} />
      <Skeleton h={80} />
    </Stack>
  )
}
