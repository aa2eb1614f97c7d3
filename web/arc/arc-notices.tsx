import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BellRing, CirclePause, CloudOff, WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Nudge } from '../../src/client/arc-event.ts'
import type { ArcView } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { arcKeys } from '../api/queries.ts'
import { useStartReview } from '../api/topics.ts'
import classes from '../conversation/conversation.module.css'
import { isTerminal } from '../conversation/conversation.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { relativeTime, useNow } from '../shell/time.ts'
import { blockedWords } from './blocked-words.ts'

/** What stands between the learner and going on: an outage, a pause, a review that is due. */
export function ArcNotices({ arc, nudge }: { arc: ArcView; nudge: Nudge | null }) {
  const { t } = useTranslation()
  if (isTerminal(arc)) return null
  if (arc.blocked) return <BlockedNotice arcId={arc.arcId} blocked={arc.blocked} />
  if (arc.paused) return <RestNotice arcId={arc.arcId} text={t('paused.text')} />
  if (arc.resting) return <RestNotice arcId={arc.arcId} text={t('paused.resting')} />
  return <DueNotice arc={arc} nudge={nudge} />
}

function useResume(arcId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => arcs.command(arcId, 'resume'),
    onSettled: () => client.invalidateQueries({ queryKey: arcKeys(arcId).arc, exact: true }),
  })
}

interface BlockedProps {
  arcId: string
  blocked: NonNullable<ArcView['blocked']>
}

function BlockedNotice({ arcId, blocked }: BlockedProps) {
  const { t, i18n } = useTranslation()
  const now = useNow()
  const resume = useResume(arcId)
  const retryAt = Date.parse(blocked.retryAt)
  const words = blockedWords(blocked.reason)
  const when = retryAt > now ? relativeTime(retryAt, now, i18n.language) : t('blocked.now')
  return (
    <Alert
      className={classes.notice ?? ''}
      color="orange"
      variant="light"
      icon={<CloudOff aria-hidden />}
      title={t('blocked.title')}
      data-testid="blocked"
    >
      <Text size="sm">{words ? t(words) : blocked.reason}</Text>
      <Group gap="sm" mt={6}>
        <Text size="sm">{t('blocked.retry', { when })}</Text>
        <Button size="compact-sm" loading={resume.isPending} onClick={() => resume.mutate()}>
          {t('blocked.tryNow')}
        </Button>
      </Group>
      <ProblemAlert error={resume.error} />
    </Alert>
  )
}

/** Nothing is asked, as the learner wanted it; one press goes on. */
function RestNotice({ arcId, text }: { arcId: string; text: string }) {
  const { t } = useTranslation()
  const resume = useResume(arcId)
  return (
    <Alert
      className={classes.notice ?? ''}
      color="gray"
      variant="light"
      icon={<CirclePause aria-hidden />}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">{text}</Text>
        <Button size="compact-sm" loading={resume.isPending} onClick={() => resume.mutate()}>
          {t('paused.resume')}
        </Button>
      </Group>
      <ProblemAlert error={resume.error} />
    </Alert>
  )
}

function DueNotice({ arc, nudge }: { arc: ArcView; nudge: Nudge | null }) {
  const { t } = useTranslation()
  const now = useNow(5_000)
  const review = useStartReview(arc.arcId)
  const isDue = arc.nextReviewAt !== null && Date.parse(arc.nextReviewAt) <= now
  if (!isDue || arc.pendingQuestion?.kind === 'review') return null
  // What is asked is answered first.
  const isAsked = arc.pendingQuestion !== null
  const isNudged = nudge !== null && Date.parse(nudge.expiresAt) > now
  return (
    <Alert
      className={classes.notice ?? ''}
      color="yellow"
      variant="light"
      icon={<BellRing aria-hidden />}
      data-testid="review-due"
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {isNudged ? nudge.text : t('due.text')} {isAsked && t('due.after')}
        </Text>
        {!isAsked && (
          <Button size="compact-sm" loading={review.isPending} onClick={() => review.mutate()}>
            {t('progress.reviewNow')}
          </Button>
        )}
      </Group>
      <ProblemAlert error={review.error} />
    </Alert>
  )
}

/** Says that there is no network, and what that means for what is written. */
export function OfflineNotice() {
  const { t } = useTranslation()
  return (
    <Alert
      className={classes.notice ?? ''}
      color="gray"
      variant="light"
      icon={<WifiOff aria-hidden />}
      data-testid="offline"
    >
      <Text size="sm">{t('offline.text')}</Text>
    </Alert>
  )
}
