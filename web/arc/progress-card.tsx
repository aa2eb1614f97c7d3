import { Button, RingProgress, Text } from '@mantine/core'
import { BellRing, CalendarClock, Trophy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { masteryPercent } from '../shell/mastery-percent.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { dateAndTime, relativeTime, useNow } from '../shell/time.ts'
import classes from './arc.module.css'
import { isTerminal } from './conversation.ts'
import { useStartReview } from './use-start-review.ts'

/** How much is mastered, and when the next review comes. */
export function ProgressCard({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const percent = masteryPercent(arc.mastery)
  return (
    <section className={classes.card} aria-label={t('progress.label')}>
      <div className={classes.progress}>
        <RingProgress
          size={72}
          thickness={7}
          roundCaps
          sections={percent > 0 ? [{ value: percent, color: 'var(--meno-gold)' }] : []}
          label={
            <Text span size="xs" fw={700} ta="center" display="block">
              {percent}%
            </Text>
          }
          aria-hidden
        />
        <div>
          <Text fw={650}>
            {arc.mastery.total > 0 ? t('progress.mastered', arc.mastery) : t('progress.none')}
          </Text>
          <NextReview arc={arc} />
        </div>
      </div>
    </section>
  )
}

function NextReview({ arc }: { arc: ArcView }) {
  const { t, i18n } = useTranslation()
  const now = useNow()
  const review = useStartReview(arc.arcId)
  if (isTerminal(arc)) {
    return (
      <p className={classes.next}>
        <Trophy size={15} aria-hidden /> {t(`progress.${arc.phase}`)}
      </p>
    )
  }
  if (arc.pendingQuestion?.kind === 'review') {
    return <p className={classes.next}>{t('progress.reviewing')}</p>
  }
  if (arc.nextReviewAt === null) return <p className={classes.next}>{t('progress.noReview')}</p>
  const at = Date.parse(arc.nextReviewAt)
  if (at > now) {
    return (
      <p className={classes.next} title={dateAndTime(at, i18n.language)}>
        <CalendarClock size={15} aria-hidden />
        <span>{t('progress.next', { when: relativeTime(at, now, i18n.language) })}</span>
      </p>
    )
  }
  return (
    <>
      <p className={classes.next} data-due>
        <BellRing size={15} aria-hidden /> {t('progress.due')}
      </p>
      <Button size="xs" mt={8} loading={review.isPending} onClick={() => review.mutate()}>
        {t('progress.reviewNow')}
      </Button>
      <ProblemAlert error={review.error} />
    </>
  )
}
