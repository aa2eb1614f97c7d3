import { Button, Loader, Skeleton, Text } from '@mantine/core'
import { ArrowDown } from 'lucide-react'
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft } from '../../src/client/arc-event.ts'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import type { Outgoing } from '../device/outgoing.ts'
import { GrowingMarkdown } from '../markdown/markdown.tsx'
import { dateFormat } from '../shell/time.ts'
import classes from './conversation.module.css'
import { answersByQuestion, isUnderWay, type Option, optionsOf } from './conversation.ts'
import { LearnerMessage, OutgoingMessage, StoredMessage, TutorTurn } from './message.tsx'
import { useFollowScroll } from './use-follow-scroll.ts'

interface Props {
  messages: ArcMessage[]
  /** All messages, also those shown elsewhere. */
  stored: ArcMessage[]
  outgoing: Outgoing[]
  draft: Draft | null
  works: boolean
  isOnline: boolean
  isLoading: boolean
  /** The question that comes at the end. */
  asking: string | null
  /** Whether there are older messages than these. */
  hasOlder: boolean
  /** Reads the ones before; they are put above without moving what is in view. */
  onOlder: (onRead: () => void) => Promise<unknown>
  /** The message whose grade may be contested. */
  contestable: string | null
  onContest: () => void
  /** What messages said before they were written again, by message id. */
  earlier: Map<string, string[]>
  /** The message that may be written again. */
  rewritable: string | null
  onRewrite: (messageId: string) => void
  onRetry: (messageId: string) => void
  onDiscard: (messageId: string) => void
  /** What comes after the last message: the open question. */
  children: ReactNode
}

/** The conversation, oldest first, in a box of its own that can be scrolled by keyboard. */
export function Timeline(props: Props) {
  const { messages, stored, outgoing, draft, works } = props
  const { t } = useTranslation()
  const options = useMemo(() => optionsByQuestion(stored), [stored])
  const last = outgoing.at(-1)?.messageId ?? messages.at(-1)?.id
  const place = draft ? `${draft.turnId}/${draft.attempt}/${draft.text.length}` : works
  const scroll = useFollowScroll(`${messages[0]?.id} ${last} ${place} ${props.asking}`)
  const top = useOlder(scroll.box, props.hasOlder, scroll.holdStill, props.onOlder)
  return (
    <div className={classes.timelineFrame}>
      <div
        ref={scroll.box}
        className={classes.timeline}
        // What is new is announced by a status line of its own: a lesson read out at once would drown it.
        role="log"
        aria-live="off"
        aria-label={t('arc.conversation')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        id="timeline"
      >
        <div className={classes.column} ref={scroll.content}>
          <div className={classes.log}>
            {props.isLoading && <Skeleton h={96} radius="lg" />}
            {props.hasOlder && (
              <div ref={top} className={classes.older}>
                <Loader type="dots" size="sm" role="status" aria-label={t('arc.older')} />
              </div>
            )}
            <StoredEntries
              messages={messages}
              options={options}
              stored={stored}
              isSending={outgoing.length > 0}
              contestable={props.contestable}
              onContest={props.onContest}
              earlier={props.earlier}
              rewritable={props.rewritable}
              onRewrite={props.onRewrite}
            />
            {outgoing.map((message) => (
              <div key={message.messageId} className={classes.entry} data-entry={message.messageId}>
                <OutgoingMessage
                  message={message}
                  {...wordsOf(message, options)}
                  isUnderWay={isUnderWay(message, props.isOnline)}
                  isOnline={props.isOnline}
                  onRetry={props.onRetry}
                  onDiscard={props.onDiscard}
                />
              </div>
            ))}
            {draft && (
              <div className={classes.entry} data-entry="draft">
                <TutorTurn isFirst={messages.at(-1)?.role !== 'tutor'}>
                  <div data-testid="draft">
                    <GrowingMarkdown text={draft.text} />
                  </div>
                </TutorTurn>
              </div>
            )}
            {works && !draft && <Working />}
          </div>
          {props.children}
        </div>
      </div>
      {!scroll.isAtEnd && (
        <Button
          className={classes.jump ?? ''}
          size="xs"
          radius="xl"
          rightSection={<ArrowDown size={14} aria-hidden />}
          onClick={scroll.toEnd}
        >
          {props.asking ? t('arc.jumpToQuestion') : t('arc.jump')}
        </Button>
      )}
    </div>
  )
}

interface StoredProps
  extends Pick<
    Props,
    'messages' | 'stored' | 'contestable' | 'onContest' | 'earlier' | 'rewritable' | 'onRewrite'
  > {
  options: Map<string, Option[]>
  /** Whether words of the learner are under way. */
  isSending: boolean
}

/** What was said. It stays as it is while an answer is written below it, however long it is. */
const StoredEntries = memo(function StoredEntries(props: StoredProps) {
  const { messages, stored, options, isSending, contestable, onContest } = props
  const { earlier, rewritable, onRewrite } = props
  const answers = useMemo(() => answersByQuestion(stored), [stored])
  const isAnswered = stored.findLastIndex(isTutors) > stored.findLastIndex(isLearners)
  const lastSaid = isSending ? -1 : messages.findLastIndex(isLearners)
  return messages.map((message, index) => {
    const before = messages[index - 1]
    const isFar = index < messages.length - NEAR
    return (
      <div
        key={message.id}
        className={classes.entry}
        data-entry={message.id}
        data-far={isFar || undefined}
      >
        {isNewDay(before, message) && <Day at={message.createdAt} />}
        {message.role === 'learner' ? (
          <LearnerMessage
            {...wordsOf(message, options)}
            at={message.createdAt}
            {...(index === lastSaid ? { isAnswered } : {})}
          />
        ) : (
          <StoredMessage
            message={message}
            isFirst={before?.role !== message.role}
            isLast={messages[index + 1]?.role !== message.role}
            isInHand={!isSending && index > lastSaid}
            answer={answers.get(message.questionId ?? '')}
            onContest={contestable === message.id ? onContest : undefined}
            earlier={earlier.get(message.id)}
            onRewrite={rewritable === message.id ? onRewrite : undefined}
          />
        )}
      </div>
    )
  })
})

const LONG_MS = 15_000

/** The tutor is at work; after a while, that it takes long. */
function Working() {
  const { t } = useTranslation()
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), LONG_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={classes.working}>
      <Loader type="dots" size="sm" aria-hidden />
      <Text size="sm" c="dimmed">
        {isLong ? t('arc.workingLong') : t('arc.working')}
      </Text>
    </div>
  )
}

function Day({ at }: { at: string }) {
  const { i18n } = useTranslation()
  const format = dateFormat(i18n.language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  })
  return (
    <div className={classes.day}>
      <span>{format.format(Date.parse(at))}</span>
    </div>
  )
}

/** So many of the last messages are always drawn; older ones only while they are in view. */
const NEAR = 40

/** Reads older messages as soon as the reader comes near the oldest one. */
function useOlder(
  box: RefObject<HTMLDivElement | null>,
  hasOlder: boolean,
  holdStill: () => void,
  read: (holdStill: () => void) => Promise<unknown>,
) {
  const top = useRef<HTMLDivElement>(null)
  const latest = useRef({ holdStill, read })
  latest.current = { holdStill, read }
  useEffect(() => {
    if (!hasOlder || !top.current) return
    let isReading = false
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting || isReading) return
        isReading = true
        void latest.current.read(latest.current.holdStill).finally(() => {
          isReading = false
          // To be told again, as it may still be near.
          observer.disconnect()
          if (top.current) observer.observe(top.current)
        })
      },
      { root: box.current, rootMargin: '600px 0px 0px' },
    )
    observer.observe(top.current)
    return () => observer.disconnect()
  }, [box, hasOlder])
  return top
}

const isLearners = ({ role }: ArcMessage) => role === 'learner'
const isTutors = ({ role }: ArcMessage) => role === 'tutor'

const dayOf = (at: string) => new Date(at).toDateString()
const isNewDay = (before: ArcMessage | undefined, message: ArcMessage) =>
  before === undefined || dayOf(before.createdAt) !== dayOf(message.createdAt)

const optionsByQuestion = (messages: readonly ArcMessage[]): Map<string, Option[]> =>
  new Map(
    messages.flatMap((message) =>
      message.role === 'tutor' && message.questionId
        ? [[message.questionId, optionsOf(message)] as const]
        : [],
    ),
  )

/** What the learner said, in full where it was an option's letter. */
function wordsOf(
  { text, questionId }: { text: string; questionId?: string | undefined },
  options: Map<string, Option[]>,
): { text: string; isOption: boolean } {
  const chosen = options.get(questionId ?? '')?.find(({ id }) => id === text.trim())
  return chosen ? { text: chosen.text, isOption: true } : { text, isOption: false }
}
