import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { calendarFeedQuery, useEndCalendarFeed, useRenewCalendarFeed } from '../api/learner.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import classes from './me.module.css'
import { ShownOnce } from './shown-once.tsx'

/** The private address of the calendar: made, copied, renewed, ended. It is shown only while it is new. */
export function CalendarFeed() {
  const { t, i18n } = useTranslation()
  const { data: feed, error, isPending, refetch } = useQuery(calendarFeedQuery)
  const renew = useRenewCalendarFeed()
  const end = useEndCalendarFeed()
  const url = feed?.since ? renew.data?.url : undefined
  const since =
    feed?.since &&
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(new Date(feed.since))
  return (
    <section aria-labelledby="feed" className={classes.card}>
      <h2 id="feed" className={classes.title}>
        {t('feed.title')}
      </h2>
      <Text size="sm" c="dimmed" mb="sm">
        {t('feed.about')}
      </Text>
      <ProblemAlert error={error} title={t('feed.notLoaded')} onRetry={() => void refetch()} />
      {isPending && <Skeleton h={40} radius="md" />}
      {feed && (
        <>
          {url && <ShownOnce about={t('feed.once')} value={url} copyLabel={t('feed.copy')} />}
          {since && !url && (
            <Text size="sm" mb="sm">
              {t('feed.since', { date: since })}
            </Text>
          )}
          <Group gap="sm">
            <Button
              variant="default"
              loading={renew.isPending}
              leftSection={<CalendarPlus size={16} aria-hidden />}
              onClick={() => renew.mutate()}
            >
              {t(since ? 'feed.renew' : 'feed.make')}
            </Button>
            {since && (
              <Button variant="subtle" loading={end.isPending} onClick={() => end.mutate()}>
                {t('feed.end')}
              </Button>
            )}
          </Group>
          <ProblemAlert error={renew.error ?? end.error} />
        </>
      )}
    </section>
  )
}
