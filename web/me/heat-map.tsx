import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ForecastDay } from '../api/learner.ts'
import { dateInWords } from '../shell/time.ts'
import classes from './me.module.css'
import { type Cell, calendarOf, type Day } from './statistics.ts'

interface Props {
  past: readonly Day[]
  future: readonly ForecastDay[]
  today: string
}

/** What was answered on each day, and the reviews to come: one square a day, a column a week. */
export function HeatMap({ past, future, today }: Props) {
  const { t, i18n } = useTranslation()
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false })
  const weeks = useMemo(
    () =>
      calendarOf(past, future, today, isWide ? { before: 21, after: 6 } : { before: 8, after: 4 }),
    [past, future, today, isWide],
  )
  const answered = weeks.flat().filter(({ kind, count }) => kind !== 'future' && count > 0)
  return (
    <figure className={classes.heat}>
      <div
        className={classes.weeks}
        role="img"
        aria-label={t('heat.label', { count: answered.length })}
      >
        {weeks.map((week) => (
          <div key={week[0]?.date} className={classes.week}>
            {week.map((cell) => (
              <span
                key={cell.date}
                className={classes.day}
                data-kind={cell.kind}
                data-level={cell.level}
                title={titleOf(cell, t, i18n.language)}
              />
            ))}
          </div>
        ))}
      </div>
      <figcaption className={classes.key}>
        <span>
          {t('heat.less')}
          {[0, 1, 2, 3, 4].map((level) => (
            <span
              key={level}
              className={classes.day}
              data-kind="past"
              data-level={level}
              aria-hidden
            />
          ))}
          {t('heat.more')}
        </span>
        <span>
          <span className={classes.day} data-kind="today" data-level={0} aria-hidden />{' '}
          {t('heat.today')}
        </span>
        <span>
          <span className={classes.day} data-kind="future" data-level={2} aria-hidden />{' '}
          {t('heat.toCome')}
        </span>
      </figcaption>
      {answered.length > 0 && (
        <details className={classes.table}>
          <summary>{t('heat.table')}</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('heat.date')}</th>
                <th scope="col">{t('me.answers')}</th>
              </tr>
            </thead>
            <tbody>
              {[...answered].reverse().map(({ date, count }) => (
                <tr key={date}>
                  <th scope="row">{dateInWords(date, i18n.language, { dateStyle: 'medium' })}</th>
                  <td>{count}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      {answered.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('heat.empty')}
        </Text>
      )}
    </figure>
  )
}

function titleOf(
  { date, kind, count }: Cell,
  t: (key: string, values: Record<string, unknown>) => string,
  language: string,
): string {
  const day = dateInWords(date, language, { dateStyle: 'medium' })
  return t(kind === 'future' ? 'heat.reviewsOn' : 'heat.answersOn', { day, count })
}
