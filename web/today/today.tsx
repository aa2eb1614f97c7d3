import { Button, Collapse, Group, Skeleton, Text, Title } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, Coffee, Dumbbell, PartyPopper } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgendaView } from '../../src/contracts/agenda.ts'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useAgenda } from '../api/learner.ts'
import { useStartReview } from '../api/topics.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { dateAndTime, dateInWords } from '../shell/time.ts'
import { practisable } from './practisable.ts'
import classes from './today.module.css'
import { dueByTopic, openArc } from './what-waits.ts'

const PracticeForm = lazy(async () => ({
  default: (await import('./practice-form.tsx').catch(() => null))?.PracticeForm ?? Nothing,
}))

const Nothing = () => null

/** What is due and how long it takes, where to go on, and one button for it. */
export function Today({ arcs }: { arcs: readonly ArcView[] }) {
  const { t, i18n } = useTranslation()
  const agenda = useAgenda()
  return (
    <section aria-labelledby="today" className={classes.card}>
      <div className={classes.head}>
        <Title order={1} id="today" className={classes.title ?? ''}>
          {t('today.title')}
        </Title>
        {agenda.data && (
          <Text size="sm" c="dimmed">
            {dateInWords(agenda.data.date, i18n.language, {
              weekday: 'long',
              day: 'numeric',
              month: 'long',
            })}
          </Text>
        )}
      </div>
      {agenda.isPending && <Skeleton h={92} radius="md" aria-busy="true" />}
      {agenda.isError && !agenda.data && (
        <ProblemAlert
          error={agenda.error}
          title={t('today.notLoaded')}
          onRetry={() => void agenda.refetch()}
        />
      )}
      {agenda.data && <Waiting agenda={agenda.data} arcs={arcs} />}
    </section>
  )
}

function Waiting({ agenda, arcs }: { agenda: AgendaView; arcs: readonly ArcView[] }) {
  const { due, next } = agenda
  const open = openArc(next, arcs)
  return (
    <>
      <div role="status">
        {due.length > 0 ? (
          <Due agenda={agenda} arcs={arcs} />
        ) : (
          <Done agenda={agenda} arcs={arcs} />
        )}
      </div>
      <Actions
        first={due[0]?.arcId ?? null}
        next={open && due[0]?.arcId !== open.arcId ? open : due.length > 0 ? null : open}
        arcs={arcs}
      />
      <Held agenda={agenda} />
    </>
  )
}

function Due({ agenda, arcs }: { agenda: AgendaView; arcs: readonly ArcView[] }) {
  const { t } = useTranslation()
  const { due, minutes } = agenda
  return (
    <>
      <p className={classes.sum}>
        {t('today.due', { count: due.length })}
        {minutes > 0 && <span>{t('today.minutes', { count: minutes })}</span>}
      </p>
      <ul className={classes.topics}>
        {dueByTopic(due).map(({ arcId, topic, labels }) => (
          <li key={arcId}>
            <b>{arcs.find((arc) => arc.arcId === arcId)?.title ?? topic}</b> {labels.join(', ')}
          </li>
        ))}
      </ul>
    </>
  )
}

function Done({ agenda, arcs }: { agenda: AgendaView; arcs: readonly ArcView[] }) {
  const { t } = useTranslation()
  const isBegun = arcs.some(
    ({ nextReviewAt, progress }) => nextReviewAt !== null || progress.learned > 0,
  )
  if (!isBegun) return <p className={classes.sum}>{t('today.begun')}</p>
  return (
    <>
      <p className={classes.sum}>
        <PartyPopper size={22} aria-hidden /> {t('today.done')}
      </p>
      <Text c="dimmed">{t('today.tomorrow', { count: agenda.tomorrow })}</Text>
    </>
  )
}

interface ActionsProps {
  /** The arc whose reviews come first. */
  first: string | null
  next: { arcId: string; label: string; name: string } | null
  arcs: readonly ArcView[]
}

function Actions({ first, next, arcs }: ActionsProps) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const form = useId()
  const mayPractise = arcs.some(practisable)
  const practise = (variant: 'filled' | 'default') => (
    <Button
      variant={variant}
      size={variant === 'filled' ? 'md' : 'sm'}
      aria-expanded={isOpen}
      aria-controls={form}
      leftSection={<Dumbbell size={17} aria-hidden />}
      onClick={() => setIsOpen(!isOpen)}
    >
      {t('today.practise')}
    </Button>
  )
  return (
    <>
      <Group gap="sm" mt="md">
        {first !== null && <ReviewButton arcId={first} />}
        {next && <GoOn next={next} isFirst={first === null} />}
        {mayPractise && practise(first === null && !next ? 'filled' : 'default')}
      </Group>
      {mayPractise && (
        <Collapse expanded={isOpen} id={form}>
          {isOpen && (
            <Suspense fallback={<Skeleton h={60} radius="md" aria-busy="true" />}>
              <PracticeForm arcs={arcs} />
            </Suspense>
          )}
        </Collapse>
      )}
    </>
  )
}

/** Opens the reviews of a topic; the others follow in theirs. */
function ReviewButton({ arcId }: { arcId: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const review = useStartReview(arcId)
  const start = () =>
    review.mutate(undefined, {
      // What stands in the way is said in the topic itself.
      onSettled: () => navigate({ to: '/arcs/$arcId', params: { arcId } }),
    })
  return (
    <Button
      size="md"
      loading={review.isPending}
      rightSection={<ArrowRight size={18} aria-hidden />}
      onClick={start}
    >
      {t('today.start')}
    </Button>
  )
}

function GoOn({ next, isFirst }: { next: NonNullable<ActionsProps['next']>; isFirst: boolean }) {
  const { t } = useTranslation()
  const words: ReactNode =
    next.label === next.name
      ? t('today.goOn', { topic: next.name })
      : t('today.goOnWith', { topic: next.name, concept: next.label })
  return (
    <Button
      component={Link}
      to={`/arcs/${encodeURIComponent(next.arcId)}`}
      size={isFirst ? 'md' : 'sm'}
      variant={isFirst ? 'filled' : 'default'}
      rightSection={<ArrowRight size={18} aria-hidden />}
      classNames={{ label: classes.long ?? '', root: classes.longButton ?? '' }}
    >
      {words}
    </Button>
  )
}

/** What is kept back today, and why. */
function Held({ agenda }: { agenda: AgendaView }) {
  const { t, i18n } = useTranslation()
  const { held, holidayUntil } = agenda
  const isAway = holidayUntil !== null && Date.parse(holidayUntil) > Date.now()
  if (held === 0 && !isAway) return null
  return (
    <Text size="sm" c="dimmed" mt="sm" className={classes.held ?? ''}>
      <Coffee size={15} aria-hidden />
      <span>
        {isAway &&
          t('today.holiday', { when: dateAndTime(Date.parse(holidayUntil), i18n.language) })}{' '}
        {held > 0 && t('today.held', { count: held })}{' '}
        <Link to="/settings">{t('today.change')}</Link>
      </span>
    </Text>
  )
}
