import { Container, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AGENDA_MS } from '../api/learner.ts'
import { arcsQuery } from '../api/queries.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { useTitle } from '../shell/use-title.ts'
import { StartForm } from '../start/start-form.tsx'
import { TopicList } from '../topics/topic-list.tsx'
import { DesksSwitch } from './desks-switch.tsx'
import classes from './today.module.css'
import { Today } from './today.tsx'

/** The first screen: what waits today, the topics, and the way to a new one, which stands first for who has none. */
export function TodayScreen() {
  const { t } = useTranslation()
  const {
    data: arcs,
    error,
    isPending,
    refetch,
  } = useQuery({ ...arcsQuery, refetchInterval: AGENDA_MS })
  const isNew = arcs?.length === 0
  useTitle(undefined)
  return (
    <div className={classes.page}>
      <Container size={880} py={{ base: 18, sm: 40 }} px={{ base: 14, sm: 24 }}>
        {isPending && <Skeleton h={220} radius="lg" aria-busy="true" />}
        <ProblemAlert
          error={error}
          title={t('today.topicsNotLoaded')}
          onRetry={() => void refetch()}
        />
        {isNew && (
          <>
            <Title order={1} className={classes.welcome ?? ''}>
              {t('home.title')}
            </Title>
            <Text c="dimmed" size="lg" className={classes.lead ?? ''}>
              {t('home.lead')}
            </Text>
            <StartForm arcs={arcs} isFirst />
          </>
        )}
        {arcs && !isNew && (
          <>
            <Today arcs={arcs} />
            <div className={classes.section}>
              <TopicList arcs={arcs} />
            </div>
            <section aria-labelledby="something-new" className={classes.section}>
              <Title order={2} size="h3" id="something-new" mb="md">
                {t('home.new')}
              </Title>
              <StartForm arcs={arcs} isFirst={false} />
            </section>
          </>
        )}
      </Container>
      <DesksSwitch />
    </div>
  )
}
