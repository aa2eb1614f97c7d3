import { Badge, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { BellRing, CalendarClock, MessageCircleQuestion, PauseCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { BandBar } from '../progress/band-bar.tsx'
import { relativeTime } from '../shell/time.ts'
import { isEnded, nameOf } from './names.ts'
import { TopicMenu } from './topic-menu.tsx'
import classes from './topics.module.css'

/** One topic: where it stands, when it wants the learner back, and what can be done with it. */
export function TopicCard({ arc, now }: { arc: ArcView; now: number }) {
  const { t } = useTranslation()
  const name = nameOf(arc)
  return (
    <article className={classes.card} aria-label={name}>
      <div className={classes.head}>
        <h3 className={classes.name}>
          <Link to="/arcs/$arcId" params={{ arcId: arc.arcId }} className={classes.link ?? ''}>
            {name}
          </Link>
        </h3>
        <TopicMenu arc={arc} />
      </div>
      <Group gap={8} mb={10}>
        <Badge variant="light" color={isEnded(arc) ? 'gray' : 'ink'}>
          {t(`phase.${arc.phase}`)}
        </Badge>
        <Text size="sm" c="dimmed" flex={1} miw={0}>
          {arc.currentNode && !arc.paused && !isEnded(arc)
            ? arc.currentNode.label
            : t(`phaseText.${arc.phase}`)}
        </Text>
      </Group>
      <BandBar progress={arc.progress} />
      <Standing arc={arc} now={now} />
    </article>
  )
}

function Standing({ arc, now }: { arc: ArcView; now: number }) {
  const { t, i18n } = useTranslation()
  if (isEnded(arc)) return null
  if (arc.paused) {
    return (
      <p className={classes.standing}>
        <PauseCircle size={15} aria-hidden /> {t('topics.paused')}
      </p>
    )
  }
  const at = arc.nextReviewAt === null ? null : Date.parse(arc.nextReviewAt)
  if (at !== null && at <= now) {
    return (
      <p className={classes.standing} data-due>
        <BellRing size={15} aria-hidden /> {t('topics.reviewDue')}
      </p>
    )
  }
  return (
    <p className={classes.standing}>
      {arc.pendingQuestion && (
        <span>
          <MessageCircleQuestion size={15} aria-hidden /> {t('topics.question')}
        </span>
      )}
      {at !== null && (
        <span>
          <CalendarClock size={15} aria-hidden />{' '}
          {t('topics.nextReview', { when: relativeTime(at, now, i18n.language) })}
        </span>
      )}
    </p>
  )
}
