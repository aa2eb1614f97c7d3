import { Button, Text } from '@mantine/core'
import { BellRing, CalendarClock, Trophy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useStartReview } from '../api/topics.ts'
import classes from '../conversation/conversation.module.css'
import { isTerminal } from '../conversation/conversation.ts'
import { BandBar } from '../progress/band-bar.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { dateAndTime, relativeTime, useNow } from '../shell/time.ts'
import { QuestionPlace } from './question-place.tsx'

/** How much is learned, in memory and mastered, where the learner is, and when the next review comes. */
export function ProgressCard({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  return (
    <section className={classes.card} aria-label={t('progress.label')}>
      {arc.progress.total > 0 ? (
        <BandBar progress={arc.progress} />
      ) : (
        <Text fw={650}>{t('progress.none')}</Text>
      )}
      <p className={classes.place}>
        <QuestionPlace arc={arc} />
      </p>
      <NextReview arc={arc} />
    </section>
  )
}

function NextReview({ arc }: { arc: ArcView }) {
  const { t, i18n } = useTranslation()
  const now = useNow()
  const review = useStartReview(arc.arcId)
  if (isTerminal(arc)) {
    // What was set aside is not mastered: then it is finished, and no more.
    const isWhole = arc.phase === 'COMPLETED' && arc.mastery.mastered === arc.mastery.total
    return (
      <p className={classes.next}>
        {isWhole && <Trophy size={15} aria-hidden />}
        {t(isWhole ? 'progress.whole' : `progress.${arc.phase}`)}
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
      {arc.pendingQuestion ? (
        <p className={classes.next}>{t('due.after')}</p>
      ) : (
        <Button size="xs" mt={8} loading={review.isPending} onClick={() => review.mutate()}>
          {t('progress.reviewNow')}
        </Button>
      )}
      <ProblemAlert error={review.error} />
    </>
  )
}
