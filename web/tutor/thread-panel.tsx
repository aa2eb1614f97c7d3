import { Button, Loader, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CourseSummary } from '../../src/client/arc-client.ts'
import type { ClientEvent, TutorMessage } from '../../src/contracts/course-tutor.ts'
import { type Thread, useThreadMessages, useTurn } from '../api/tutor.ts'
import frame from '../conversation/conversation.module.css'
import { LiveStatus } from '../conversation/live-status.tsx'
import { LearnerMessage, TutorTurn } from '../conversation/message.tsx'
import { useFollowScroll } from '../conversation/use-follow-scroll.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import type { CardContext } from './card-frame.tsx'
import { ConceptCard } from './concept-card.tsx'
import { DebugButton } from './debug-drawer.tsx'
import { DrillCard } from './drill-card.tsx'
import { ExamCard } from './exam-card.tsx'
import { latexText } from './latex-text.ts'
import { TurnComposer } from './turn-composer.tsx'
import classes from './tutor.module.css'

interface Props {
  thread: Thread
  title: string
  course: CourseSummary | undefined
}

const NONE: never[] = []

/** One thread: its timeline of words and cards, and where the learner writes. */
export function ThreadPanel({ thread, title, course }: Props) {
  const { t } = useTranslation()
  const { threadId, courseId } = thread
  const { data: messages = NONE, error, isPending, refetch } = useThreadMessages(threadId)
  const turn = useTurn(thread)
  const field = useRef<HTMLTextAreaElement>(null)
  const isBusy = turn.pending !== null
  const { messageText, voiceTranscript, messageLatex } = turn.pending ?? {}
  const pendingWords = words(messageText ?? voiceTranscript, messageLatex)
  const titles = useMemo(
    () => new Map(course?.units.map((unit) => [unit.unitId, unit.title])),
    [course],
  )
  const context: CardContext = { threadId, courseId, titles, isBusy }
  const lastCard = messages.findLast(({ card }) => card !== undefined)?.id
  const scroll = useFollowScroll(`${messages.at(-1)?.id} ${isBusy}`)
  return (
    <>
      <div className={classes.head}>
        <h1 className={classes.title}>{title}</h1>
        <DebugButton threadId={threadId} />
      </div>
      <VisuallyHidden component="h2">{t('arc.conversation')}</VisuallyHidden>
      <div className={frame.timelineFrame}>
        <div
          ref={scroll.box}
          className={frame.timeline}
          role="log"
          aria-live="off"
          aria-label={t('arc.conversation')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
          tabIndex={0}
          id="timeline"
        >
          <div className={frame.column} ref={scroll.content}>
            <div className={frame.log}>
              {isPending && <Skeleton h={96} radius="lg" />}
              <ProblemAlert error={error} onRetry={() => void refetch()} />
              {!isPending && messages.length === 0 && <Text c="dimmed">{t('tutor.empty')}</Text>}
              {messages.map((message, index) => (
                <div key={message.id} className={frame.entry} data-entry={message.id}>
                  <Entry
                    message={message}
                    isFirst={messages[index - 1]?.role !== message.role}
                    isLast={message.id === lastCard}
                    context={context}
                    onEvent={(clientEvent) => turn.say({ clientEvent })}
                    onFollowUp={() => field.current?.focus()}
                  />
                </div>
              ))}
              {pendingWords !== '' && (
                <div className={frame.entry} data-entry="pending">
                  <LearnerMessage text={pendingWords} />
                </div>
              )}
              {isBusy && (
                <div className={frame.working}>
                  <Loader type="dots" size="sm" aria-hidden />
                  <Text size="sm" c="dimmed">
                    {t('arc.working')}
                  </Text>
                </div>
              )}
              <ProblemAlert error={turn.error} onRetry={turn.again} />
            </div>
          </div>
        </div>
        {!scroll.isAtEnd && (
          <Button className={frame.jump ?? ''} size="xs" radius="xl" onClick={scroll.toEnd}>
            {t('arc.jump')}
          </Button>
        )}
      </div>
      <div className={frame.dock}>
        <div className={frame.column}>
          <TurnComposer
            field={field}
            isBusy={isBusy}
            onSend={(messageText) => turn.say({ messageText })}
            onSpoken={turn.say}
          />
        </div>
      </div>
      <LiveStatus isWriting={isBusy} questionId={null} />
    </>
  )
}

/** A message's words and its formula below them. */
function words(text: string | undefined, latex: string | null | undefined): string {
  return [text, latex && latexText(latex)].filter(Boolean).join('\n\n')
}

interface EntryProps {
  message: TutorMessage
  isFirst: boolean
  /** Whether it holds the thread's last card, whose buttons are the ones to press. */
  isLast: boolean
  context: CardContext
  onEvent: (event: ClientEvent) => void
  onFollowUp: () => void
}

function Entry({ message, isFirst, isLast, context, onEvent, onFollowUp }: EntryProps) {
  const { role, text, latex, card } = message
  const said = words(text, latex)
  if (role === 'user') return said === '' ? null : <LearnerMessage text={said} />
  const shared = { context, isLast, onEvent }
  return (
    <TutorTurn isFirst={isFirst}>
      {said !== '' && <Markdown text={said} />}
      {card?.type === 'CONCEPT' && <ConceptCard card={card} {...shared} onFollowUp={onFollowUp} />}
      {card?.type === 'DRILL' && <DrillCard card={card} {...shared} />}
      {card?.type === 'EXAM' && <ExamCard card={card} {...shared} />}
    </TutorTurn>
  )
}
