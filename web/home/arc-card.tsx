import { Badge, Group, RingProgress, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { BellRing, CalendarClock, PauseCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { masteryPercent } from '../shell/mastery-percent.ts'
import { relativeTime } from '../shell/time.ts'
import classes from './home.module.css'

/** One arc: where it stands and when it wants the learner back. */
export function ArcCard({ arc, now }: { arc: ArcView; now: number }) {
  const { t } = useTranslation()
  const percent = masteryPercent(arc.mastery)
  return (
    <Link to="/arcs/$arcId" params={{ arcId: arc.arcId }} className={classes.arc ?? ''}>
      <RingProgress
        size={64}
        thickness={6}
        roundCaps
        sections={percent > 0 ? [{ value: percent, color: 'var(--meno-gold)' }] : []}
        label={
          <Text span size="xs" fw={700} ta="center" display="block">
            {percent}%
          </Text>
        }
        aria-hidden
      />
      <div className={classes.arcText}>
        <Text fw={650} lineClamp={2}>
          {arc.topic}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={1}>
          {arc.currentNode && !arc.paused ? arc.currentNode.label : t(`phaseText.${arc.phase}`)}
        </Text>
        <Group gap={6} mt={8}>
          <Badge variant="light" color={arc.phase === 'ABANDONED' ? 'gray' : 'ink'}>
            {t(`phase.${arc.phase}`)}
          </Badge>
          {arc.mastery.total > 0 && (
            <Text span size="xs" c="dimmed">
              {t('home.masteredOf', arc.mastery)}
            </Text>
          )}
        </Group>
        <NextReview arc={arc} now={now} />
      </div>
    </Link>
  )
}

function NextReview({ arc, now }: { arc: ArcView; now: number }) {
  const { t, i18n } = useTranslation()
  if (arc.phase === 'COMPLETED' || arc.phase === 'ABANDONED') return null
  if (arc.paused) {
    return (
      <span className={classes.review}>
        <PauseCircle size={15} aria-hidden /> {t('home.paused')}
      </span>
    )
  }
  if (arc.nextReviewAt === null) return null
  const at = Date.parse(arc.nextReviewAt)
  if (at <= now) {
    return (
      <span className={classes.review} data-due>
        <BellRing size={15} aria-hidden /> {t('home.reviewDue')}
      </span>
    )
  }
  return (
    <span className={classes.review}>
      <CalendarClock size={15} aria-hidden />
      {t('home.nextReview', { when: relativeTime(at, now, i18n.language) })}
    </span>
  )
}
