import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ForecastDay } from '../api/learner.ts'
import { dateInWords } from '../shell/time.ts'
import classes from './me.module.css'
import { dateAfter } from './statistics.ts'

const DAYS = 14

/** How many reviews fall on each of the next days. */
export function Forecast({ days, today }: { days: readonly ForecastDay[]; today: string }) {
  const { t, i18n } = useTranslation()
  const counts = new Map(days.map(({ date, count }) => [date, count]))
  const shown = Array.from({ length: DAYS }, (_, index) => {
    const date = dateAfter(today, index)
    return { date, count: counts.get(date) ?? 0 }
  })
  const total = days.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('me.nothingPlanned')}
      </Text>
    )
  }
  const most = Math.max(1, ...shown.map(({ count }) => count))
  return (
    <>
      <ol className={classes.forecast}>
        {shown.map(({ date, count }, index) => {
          const day = dateInWords(date, i18n.language, {
            weekday: 'long',
            day: 'numeric',
            month: 'long',
          })
          return (
            <li key={date} title={t('heat.reviewsOn', { day, count })}>
              <span className={classes.count} aria-hidden>
                {count > 0 ? count : ''}
              </span>
              <span
                className={classes.column}
                style={{ height: `${(count / most) * 100}%` }}
                data-empty={count === 0 || undefined}
                aria-hidden
              />
              <span className={classes.weekday} data-today={index === 0 || undefined} aria-hidden>
                {dateInWords(date, i18n.language, { weekday: 'narrow' })}
              </span>
              <span className={classes.spoken}>{t('heat.reviewsOn', { day, count })}</span>
            </li>
          )
        })}
      </ol>
      <Text size="xs" c="dimmed">
        {t('me.forecastOf', { count: total })}
      </Text>
    </>
  )
}
