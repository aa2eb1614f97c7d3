import { VisuallyHidden } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcMessage, ArcView } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { useDraft, useMessages, useNudge } from '../api/queries.ts'
import { Composer } from '../conversation/composer.tsx'
import classes from '../conversation/conversation.module.css'
import {
  contestableVerdict,
  earlierVersions,
  isTerminal,
  isWorking,
  rewritableMessage,
  shownMessages,
  unsettled,
} from '../conversation/conversation.ts'
import { LiveStatus } from '../conversation/live-status.tsx'
import { QuestionPanel } from '../conversation/question-panel.tsx'
import { Timeline } from '../conversation/timeline.tsx'
import { outbox as device, useOutbox } from '../conversation/use-outbox.ts'
import { useIsOnline } from '../device/use-is-online.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { ArcNotices, OfflineNotice } from './arc-notices.tsx'
import { ProposalCard } from './proposal-card.tsx'
import { TopicEnd } from './topic-end.tsx'

const NONE: never[] = []

const settle = (stored: readonly ArcMessage[]) => device.settle(new Set(stored.map(({ id }) => id)))

/** What was said, what is asked, and where the learner answers. */
export function Conversation({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const history = useMessages(arc.arcId)
  const { data: stored = NONE, error, isPending, refetch } = history
  const draft = useDraft(arc.arcId)
  const nudge = useNudge(arc.arcId)
  const outbox = useOutbox(arc.arcId)
  const open = arc.pendingQuestion
  const messages = useMemo(() => shownMessages(stored, open), [stored, open])
  const outgoing = unsettled(outbox.outgoing, stored)
  const isOnline = useIsOnline()
  const works = isWorking(arc, stored, outgoing, draft, isOnline)
  const contestable = outgoing.length > 0 || isTerminal(arc) ? null : contestableVerdict(stored)
  const earlier = useMemo(() => earlierVersions(stored), [stored])
  const again = useMutation({ mutationFn: (id: string) => arcs.writeAgain(arc.arcId, id) })
  const mayRewrite = arc.tutor === 'anthropic' && !works && !isTerminal(arc) && !arc.blocked
  const rewritable = mayRewrite ? rewritableMessage(messages) : null
  const { send } = outbox
  const contest = useCallback(
    () => send({ text: t('action.contest'), action: 'contest' }),
    [send, t],
  )
  const isAnswered = outgoing.some(
    ({ questionId, state }) => questionId === open?.id && state !== 'refused',
  )
  const isAsking = open !== null && !isPending && !isTerminal(arc) && !isAnswered
  useEffect(() => settle(stored), [stored])

  return (
    <>
      <VisuallyHidden component="h2">{t('arc.conversation')}</VisuallyHidden>
      <Timeline
        messages={messages}
        stored={stored}
        outgoing={outgoing}
        draft={draft}
        works={works}
        isLoading={isPending}
        isOnline={isOnline}
        asking={isAsking ? open.id : null}
        hasOlder={history.hasOlder}
        onOlder={history.readOlder}
        earlier={earlier}
        rewritable={again.isPending ? null : rewritable}
        onRewrite={again.mutate}
        contestable={contestable}
        onContest={contest}
        onRetry={outbox.retry}
        onDiscard={outbox.discard}
      >
        <ProblemAlert error={error} onRetry={() => void refetch()} />
        <ProblemAlert error={again.error} title={t('again.failed')} />
        {isTerminal(arc) ? <TopicEnd arc={arc} /> : <ProposalCard arcId={arc.arcId} />}
        {isAsking && (
          <QuestionPanel key={open.id} question={open} isBusy={works} onSend={outbox.send} />
        )}
      </Timeline>
      <div className={classes.dock}>
        <div className={classes.column}>
          <ArcNotices arc={arc} nudge={nudge} />
          {!isOnline && <OfflineNotice />}
          <Composer
            arc={arc}
            isBusy={works}
            isAnswered={isAnswered}
            draft={draft}
            onSend={outbox.send}
          />
        </div>
      </div>
      <LiveStatus isWriting={works} questionId={works || !isAsking ? null : (open?.id ?? null)} />
    </>
  )
}
