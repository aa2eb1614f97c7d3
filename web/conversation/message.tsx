import { Button, Group, Text } from '@mantine/core'
import { CircleHelp, History, Info, RefreshCw, RotateCcw, Scale } from 'lucide-react'
import { Fragment, memo, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import type { Outgoing } from '../device/outgoing.ts'
import { InlineMarkdown, Markdown } from '../markdown/markdown.tsx'
import { ownWords } from '../markdown/own-words.ts'
import { Logo } from '../shell/logo.tsx'
import { dateAndTime, hour } from '../shell/time.ts'
import { isSecondTry, learnedIn, optionsOf, practiceOf } from './conversation.ts'
import { LearnedCard } from './learned-card.tsx'
import classes from './message.module.css'
import { PracticeLink } from './practice-link.tsx'
import { SteppedLesson } from './stepped-lesson.tsx'

/** What the learner said, as it was typed; an option as the course words it. */
function Said({ text, isOption = false }: { text: string; isOption?: boolean }) {
  if (isOption) return <InlineMarkdown text={text} />
  return ownWords(text).map(({ kind, text: piece }, index) => {
    // The place of a piece is its identity: what was said does not change.
    const key = String(index)
    if (kind === 'words') return <Fragment key={key}>{piece}</Fragment>
    return kind === 'program' ? (
      <Markdown key={key} text={piece} />
    ) : (
      <InlineMarkdown key={key} text={piece} />
    )
  })
}

interface LearnerProps {
  text: string
  isOption?: boolean
  /** When it was said; left out, it does not say. */
  at?: string
  /** Whether the tutor has answered it; left out, it does not say. */
  isAnswered?: boolean
}

/** What the learner said, on the right. */
export const LearnerMessage = memo(function LearnerMessage(props: LearnerProps) {
  const { text, isOption, at, isAnswered } = props
  const { t } = useTranslation()
  // A program may press a button without a word: its reply tells what it was.
  if (text.trim() === '') return null
  return (
    <div className={classes.learner} data-from="learner">
      <span className={classes.who}>{t('arc.you')}</span>
      <div className={classes.bubble}>
        <Said text={text} isOption={isOption ?? false} />
      </div>
      {at !== undefined && (
        <div className={classes.below}>
          <Time at={at} />
          {isAnswered !== undefined && (
            <span data-testid="state">{t(isAnswered ? 'message.answered' : 'message.sent')}</span>
          )}
        </div>
      )}
    </div>
  )
})

/** The hour of a message; the day stands above, and in full where the pointer rests. */
function Time({ at }: { at: string | number }) {
  const { i18n } = useTranslation()
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={dateAndTime(date.getTime(), i18n.language)}>
      {hour(date.getTime(), i18n.language)}
    </time>
  )
}

interface OutgoingProps {
  message: Outgoing
  text: string
  isOption: boolean
  /** Whether it is about to be sent: nothing stands in its way. */
  isUnderWay: boolean
  isOnline: boolean
  onRetry: (messageId: string) => void
  onDiscard: (messageId: string) => void
}

/** The same before the server has told it back: where it is, and if it cannot be sent why, with a way to try again. */
export function OutgoingMessage(props: OutgoingProps) {
  const { message, text, isOption, isUnderWay, isOnline, onRetry, onDiscard } = props
  const { t } = useTranslation()
  const { messageId, state, isKept, trouble, refusal, typedAt } = message
  const isHeld = state === 'waiting' && !isUnderWay
  return (
    <div className={classes.learner} data-from="learner">
      <span className={classes.who}>{t('arc.you')}</span>
      <div className={classes.bubble} data-state={isHeld ? 'held' : state}>
        <Said text={text} isOption={isOption} />
      </div>
      <div className={classes.below}>
        <Time at={typedAt} />
        {state === 'sent' && <span data-testid="state">{t('message.sent')}</span>}
        {isHeld && (
          <span data-testid="state">{t(isKept ? 'message.onDevice' : 'message.inWindow')}</span>
        )}
      </div>
      {(state === 'refused' || (isHeld && isOnline && trouble !== undefined)) && (
        <div role="alert" className={classes.failed} data-state={state}>
          <Text size="sm">
            {state === 'refused' ? `${t('arc.notSent')} ${refusal ?? ''}` : trouble}{' '}
            {isHeld && t('message.byItself')}
          </Text>
          <Group gap={6} justify="flex-end">
            <Button size="compact-xs" variant="default" onClick={() => onDiscard(messageId)}>
              {t('arc.discard')}
            </Button>
            <Button
              size="compact-xs"
              leftSection={<RotateCcw size={12} aria-hidden />}
              onClick={() => onRetry(messageId)}
            >
              {t('arc.retry')}
            </Button>
          </Group>
        </div>
      )}
    </div>
  )
}

interface TurnProps {
  isFirst: boolean
  /** When it was said; left out, it does not say. */
  at?: string | undefined
  children: ReactNode
}

/** The frame of the tutor's words: full width, with a mark at the first of a row. */
export function TutorTurn({ isFirst, at, children }: TurnProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.tutor}>
      <div className={classes.mark} aria-hidden>
        {isFirst && <Logo size={26} />}
      </div>
      <div className={classes.words}>
        <span className={classes.who}>{t('arc.tutor')}</span>
        {children}
        {at !== undefined && (
          <div className={classes.below}>
            <Time at={at} />
          </div>
        )}
      </div>
    </div>
  )
}

interface StoredProps {
  message: ArcMessage
  isFirst: boolean
  /** Whether nothing of the tutor follows at once: its time stands below. */
  isLast: boolean
  /** Whether the learner has said nothing since. */
  isInHand: boolean
  answer: string | undefined
  onContest: (() => void) | undefined
  /** What it said before it was written again, the latest first. */
  earlier: string[] | undefined
  onRewrite: ((messageId: string) => void) | undefined
}

/** What the tutor, or the system, said. */
export const StoredMessage = memo(function StoredMessage(props: StoredProps) {
  const { message, isFirst, isLast, isInHand, answer, onContest, earlier, onRewrite } = props
  const { t } = useTranslation()
  const practice = practiceOf(message)
  const learned = learnedIn(message)
  if (message.role === 'system') {
    return (
      <div className={classes.system}>
        <Info size={16} aria-hidden />
        <Markdown text={message.text} />
      </div>
    )
  }
  return (
    <TutorTurn isFirst={isFirst} at={isLast ? message.createdAt : undefined}>
      {message.questionId ? (
        <AskedQuestion message={message} answer={answer} />
      ) : (
        <SteppedLesson messageId={message.id} text={message.text} isInHand={isInHand} />
      )}
      {practice && <PracticeLink sessionId={practice} />}
      {learned && <LearnedCard nodeId={learned} isInHand={isInHand} />}
      {onContest && (
        <Button
          className={classes.contest ?? ''}
          size="compact-sm"
          variant="subtle"
          leftSection={<Scale size={14} aria-hidden />}
          onClick={onContest}
        >
          {t('action.contest')}
        </Button>
      )}
      {onRewrite && (
        <Button
          className={classes.contest ?? ''}
          size="compact-sm"
          variant="subtle"
          leftSection={<RefreshCw size={13} aria-hidden />}
          onClick={() => onRewrite(message.id)}
        >
          {t('again.do')}
        </Button>
      )}
      {earlier && <Earlier versions={earlier} />}
    </TutorTurn>
  )
})

/** What the message said before it was written again, for those who want to see it. */
function Earlier({ versions }: { versions: string[] }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        className={classes.contest ?? ''}
        size="compact-sm"
        variant="subtle"
        aria-expanded={isOpen}
        leftSection={<History size={13} aria-hidden />}
        onClick={() => setIsOpen(!isOpen)}
      >
        {t('again.earlier', { count: versions.length })}
      </Button>
      {isOpen &&
        versions.map((text) => (
          <div key={text} className={classes.earlier}>
            <Markdown text={text} />
          </div>
        ))}
    </>
  )
}

/** A question that is no longer open, with the option that was chosen. */
function AskedQuestion({ message, answer }: { message: ArcMessage; answer: string | undefined }) {
  const { t } = useTranslation()
  const options = optionsOf(message)
  return (
    <div className={classes.asked}>
      <div className={classes.askedTitle}>
        <CircleHelp size={15} aria-hidden />{' '}
        {t(isSecondTry(message) ? 'question.second' : 'question.asked')}
      </div>
      {!isSecondTry(message) && <Markdown text={message.text} />}
      {options.length > 0 && (
        <ul className={classes.askedOptions}>
          {options.map(({ id, text }) => (
            <li key={id} data-chosen={answer?.trim() === id || undefined}>
              <InlineMarkdown text={text} />
              {answer?.trim() === id && (
                <Text span size="xs" fw={650}>
                  {t('question.yours')}
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
