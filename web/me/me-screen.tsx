import { Button, Container, Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Activity } from '../../src/contracts/learner.ts'
import { activityQuery, forecastQuery, useAgenda, useLearner } from '../api/learner.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { useTitle } from '../shell/use-title.ts'
import { Forecast } from './forecast.tsx'
import { HeatMap } from './heat-map.tsx'
import classes from './me.module.css'
import { Memory } from './memory.tsx'
import { Missed } from './missed.tsx'
import { retention, since, weekOf } from './statistics.ts'
import '../i18n/me-words.ts'

/** A learner's own page: what comes, what was done, how much of it stayed, and what Meno knows of them. */
export function MeScreen() {
  const { t } = useTranslation()
  const { data: learner } = useLearner()
  useTitle(t('me.title'))
  return (
    <Container size={880} py={{ base: 18, sm: 36 }} px={{ base: 14, sm: 24 }}>
      <div className={classes.head}>
        <Title order={1} size="h2">
          {learner?.name ? t('me.of', { name: learner.name }) : t('me.title')}
        </Title>
        <Button
          component={Link}
          to="/settings"
          variant="default"
          size="sm"
          leftSection={<Settings size={16} aria-hidden />}
        >
          {t('nav.settings')}
        </Button>
      </div>
      <Learning />
      <Memory />
    </Container>
  )
}

/** What is to come and what was done, from three reads that may fail each by itself. */
function Learning() {
  const { t } = useTranslation()
  const agenda = useAgenda()
  const forecast = useQuery(forecastQuery)
  const activity = useQuery(activityQuery)
  const today = agenda.data?.date ?? new Date().toISOString().slice(0, 10)
  return (
    <>
      <section aria-labelledby="forecast" className={classes.card}>
        <h2 id="forecast" className={classes.title}>
          {t('me.forecast')}
        </h2>
        <ProblemAlert
          error={forecast.error}
          title={t('me.forecastNotLoaded')}
          onRetry={() => void forecast.refetch()}
        />
        {forecast.isPending && <Skeleton h={120} radius="md" />}
        {forecast.data && <Forecast days={forecast.data} today={today} />}
      </section>
      <section aria-labelledby="activity" className={classes.card}>
        <h2 id="activity" className={classes.title}>
          {t('me.activity')}
        </h2>
        <ProblemAlert
          error={activity.error}
          title={t('me.activityNotLoaded')}
          onRetry={() => void activity.refetch()}
        />
        {activity.isPending && <Skeleton h={160} radius="md" />}
        {activity.data && (
          <>
            <Figures days={activity.data.days} today={today} />
            <HeatMap past={activity.data.days} future={forecast.data ?? []} today={today} />
          </>
        )}
      </section>
      {activity.data && <Missed missed={activity.data.missed} />}
    </>
  )
}

function Figures({ days, today }: { days: Activity['days']; today: string }) {
  const { t } = useTranslation()
  const month = since(days, today, 30)
  const week = weekOf(days, today)
  const share = retention(month)
  const minutes = Math.round(week.seconds / 60)
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t('me.retention')}</dt>
        <dd>{share === null ? '–' : t('me.percent', { percent: Math.round(share * 100) })}</dd>
        <dd className={classes.note}>
          {share === null
            ? t('me.noReviews')
            : t('me.retentionOf', { count: month.reduce((sum, { reviews }) => sum + reviews, 0) })}
        </dd>
      </div>
      <div>
        <dt>{t('me.time')}</dt>
        <dd>{t('me.minutes', { count: minutes })}</dd>
        <dd className={classes.note}>{t('me.lastSeven')}</dd>
      </div>
      <div>
        <dt>{t('me.answers')}</dt>
        <dd>{week.answers}</dd>
        <dd className={classes.note}>{t('me.lastSeven')}</dd>
      </div>
    </dl>
  )
}
