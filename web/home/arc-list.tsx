import { EmptyState, SimpleGrid, Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Sprout } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { arcsQuery } from '../api/queries.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { useNow } from '../shell/time.ts'
import { ArcCard } from './arc-card.tsx'
import classes from './home.module.css'

/** All arcs of the learner, those with a review due first, then the newest. */
export function ArcList() {
  const { t } = useTranslation()
  const now = useNow(30_000)
  const { data, error, isPending, refetch } = useQuery(arcsQuery)
  return (
    <section aria-labelledby="your-topics" className={classes.topics}>
      <Title order={2} size="h3" id="your-topics" mb="md">
        {t('home.yourTopics')}
      </Title>
      {isPending && <Skeleton h={120} radius="lg" />}
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && (
        <EmptyState
          className={classes.empty ?? ''}
          icon={<Sprout size={26} aria-hidden />}
          variant="light"
          title={t('home.emptyTitle')}
          description={t('home.empty')}
        />
      )}
      {data && data.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {inOrder(data, now).map((arc) => (
            <ArcCard key={arc.arcId} arc={arc} now={now} />
          ))}
        </SimpleGrid>
      )}
    </section>
  )
}

const isEnded = (arc: ArcView) => arc.phase === 'COMPLETED' || arc.phase === 'ABANDONED'

function inOrder(arcs: readonly ArcView[], now: number): ArcView[] {
  const rank = (arc: ArcView) => {
    if (isEnded(arc)) return 2
    return arc.nextReviewAt !== null && Date.parse(arc.nextReviewAt) <= now ? 0 : 1
  }
  return [...arcs].sort((a, b) => rank(a) - rank(b))
}
