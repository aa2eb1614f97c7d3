import { Badge, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { OperatorOverview } from '../../src/contracts/operator.ts'
import { healthQuery, overviewQuery } from '../api/operator.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { relativeTime, useNow } from '../shell/time.ts'
import classes from './operator.module.css'

/** Health, arcs by phase, what waits, and lists in the Temporal UI. */
export function Overview() {
  const { t } = useTranslation()
  const { data, isPending, error, refetch } = useQuery(overviewQuery)
  return (
    <section aria-labelledby="now" className={classes.section}>
      <Title order={2} size={18} mb="sm" id="now">
        {t('operator.now')}
      </Title>
      <Health />
      {isPending && <Skeleton h={90} />}
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data && (
        <>
          <Counts of={data} />
          <TemporalLinks of={data} />
        </>
      )}
    </section>
  )
}

const PARTS = ['database', 'temporal', 'worker', 'searchAttributes'] as const

function Health() {
  const { t } = useTranslation()
  const { data, error } = useQuery(healthQuery)
  if (!data) {
    return error ? (
      <Text size="sm" role="alert">
        {t('operator.noHealth')}
      </Text>
    ) : (
      <Skeleton h={28} mb="sm" />
    )
  }
  return (
    <Group gap="xs" mb="md" role="status">
      {PARTS.map((part) => {
        const said = data.checks[part] ?? '?'
        const isWell = said === 'ok'
        return (
          <Badge key={part} size="lg" variant="light" color={isWell ? 'green' : 'red'}>
            {t(`operator.part.${part}`)}: {isWell ? t('operator.well') : said}
          </Badge>
        )
      })}
    </Group>
  )
}

function Counts({ of }: { of: OperatorOverview }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const { phases, blocked, held, waiting, deliveriesFailed } = of
  const sum = (what: 'late' | 'faults') => held.reduce((total, one) => total + one[what], 0)
  const since = waiting.since
    ? relativeTime(Math.min(Date.parse(waiting.since), now), now, i18n.language)
    : null
  const troubles = [
    { name: 'blocked', count: blocked, held: 'blocked' },
    { name: 'late', count: sum('late'), held: 'late' },
    { name: 'faults', count: sum('faults'), held: 'fault' },
  ]
  return (
    <>
      <ul className={classes.tiles}>
        {troubles.map(({ name, count, held: filter }) => (
          <li key={name}>
            <Tile
              count={count}
              label={t(`operator.${name}`)}
              search={{ held: filter }}
              isTrouble={count > 0}
            />
          </li>
        ))}
        <li className={classes.tile} data-trouble={since !== null || undefined}>
          <strong>{waiting.count}</strong>
          {t('operator.waiting')}
          {since && <Text size="xs">{t('operator.oldest', { when: since })}</Text>}
        </li>
        <li className={classes.tile} data-trouble={deliveriesFailed > 0 || undefined}>
          <strong>{deliveriesFailed}</strong>
          {t('operator.deliveriesFailed')}
        </li>
      </ul>
      <ul className={classes.tiles}>
        {inOrder(phases).map(({ phase, count }) => (
          <li key={phase}>
            <Tile count={count} label={t(`phase.${phase}`)} search={{ phase }} isTrouble={false} />
          </li>
        ))}
      </ul>
    </>
  )
}

const ORDER = ['PENDING', 'DIAGNOSING', 'PLANNING', 'TEACHING', 'QUIZZING', 'REVIEWING']

const inOrder = (phases: OperatorOverview['phases']) => {
  const place = (phase: string) => {
    const at = ORDER.indexOf(phase)
    return at < 0 ? ORDER.length : at
  }
  return phases.toSorted((a, b) => place(a.phase) - place(b.phase))
}

interface TileProps {
  count: number
  label: string
  search: { phase?: string; held?: string }
  isTrouble: boolean
}

/** A count that leads to the arcs it counts. */
function Tile({ count, label, search, isTrouble }: TileProps) {
  return (
    <Link
      to="/operating"
      search={search}
      hash="arcs"
      className={classes.tile ?? ''}
      data-trouble={isTrouble || undefined}
    >
      <strong>{count}</strong>
      {label}
    </Link>
  )
}

function TemporalLinks({ of: { temporalViews } }: { of: OperatorOverview }) {
  const { t } = useTranslation()
  if (temporalViews.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('operator.noTemporal')}
      </Text>
    )
  }
  return (
    <details className={classes.details}>
      <summary>{t('operator.temporal')}</summary>
      <ul className={classes.links}>
        {temporalViews.map(({ name, url }) => (
          <li key={name}>
            <a href={url} target="_blank" rel="noreferrer">
              {t(`operator.view.${name}`, { defaultValue: t(`phase.${name}`) })}
              <ExternalLink size={12} aria-hidden />
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
