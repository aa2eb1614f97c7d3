import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, Flag, Mountain, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcSummary, ArcView } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { useSummary } from '../api/queries.ts'
import { minutesOf } from '../conversation/learned-card.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import classes from './topic-end.module.css'

const STANDINGS = ['mastered', 'learned', 'skipped', 'open'] as const

/** A topic that is over, looked back upon: what was learned, what was hard, what got better, and what could be next. */
export function TopicEnd({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useSummary(arc.arcId)
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data || data.concepts.length === 0) return null
  return (
    <section className={classes.end} aria-labelledby="topic-end" data-testid="topic-end" data-goal>
      <h2 id="topic-end" className={classes.title}>
        <Flag size={18} aria-hidden /> {t('end.title')}
      </h2>
      <Standings concepts={data.concepts} />
      {data.hardest.length > 0 && (
        <Part title={t('end.hardest')} Icon={Mountain}>
          {data.hardest.map(({ nodeId, label, answers, missed }) => (
            <li key={nodeId}>
              <b>{label}</b>
              <span>{t('end.missed', { missed, count: answers })}</span>
            </li>
          ))}
        </Part>
      )}
      {data.improved.length > 0 && (
        <Part title={t('end.improved')} Icon={TrendingUp}>
          {data.improved.map(({ nodeId, label, of, first, last }) => (
            <li key={nodeId}>
              <b>{label}</b>
              <span>{t('end.better', { of, first, last })}</span>
            </li>
          ))}
        </Part>
      )}
      <Next next={data.next} />
    </section>
  )
}

function Standings({ concepts }: Pick<ArcSummary, 'concepts'>) {
  const { t } = useTranslation()
  const seconds = concepts.reduce((total, concept) => total + concept.seconds, 0)
  const counts = STANDINGS.map((standing) => ({
    standing,
    count: concepts.filter((concept) => concept.standing === standing).length,
  }))
  return (
    <ul className={classes.counts}>
      {counts
        .filter(({ count }) => count > 0)
        .map(({ standing, count }) => (
          <li key={standing} data-standing={standing}>
            {t(`end.${standing}`, { count })}
          </li>
        ))}
      {seconds > 0 && <li>{t('end.took', { count: minutesOf(seconds) })}</li>}
    </ul>
  )
}

interface PartProps {
  title: string
  Icon: typeof Flag
  children: ReactNode
}

function Part({ title, Icon, children }: PartProps) {
  return (
    <div>
      <h3 className={classes.part}>
        <Icon size={16} aria-hidden /> {title}
      </h3>
      <ul className={classes.list}>{children}</ul>
    </div>
  )
}

/** What to learn next; one press begins it. */
function Next({ next }: Pick<ArcSummary, 'next'>) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const begin = useMutation({
    mutationFn: ({ kind, topic, courseId }: ArcSummary['next'][number]) =>
      arcs.begin({ topic, courseId, ...(kind === 'unit' ? { goal: topic } : {}) }),
    onSuccess: ({ arcId }) => navigate({ to: '/arcs/$arcId', params: { arcId } }),
  })
  return (
    <div>
      <h3 className={classes.part}>
        <ArrowRight size={16} aria-hidden /> {t('end.next')}
      </h3>
      <div className={classes.ways}>
        {next.map((one) => (
          <Button
            key={`${one.courseId}/${one.topic}`}
            variant={one === next[0] ? 'filled' : 'default'}
            loading={begin.isPending && begin.variables === one}
            disabled={begin.isPending}
            onClick={() => begin.mutate(one)}
          >
            {t('end.begin', { topic: one.topic })}
          </Button>
        ))}
        <Button component={Link} to="/" variant="subtle">
          {t('end.other')}
        </Button>
      </div>
      {next[0]?.kind === 'unit' && (
        <Text size="sm" c="dimmed" mt={6}>
          {t('end.unit')}
        </Text>
      )}
      <ProblemAlert error={begin.error} title={t('home.notStarted')} />
    </div>
  )
}
