import { Button, Group, Text } from '@mantine/core'
import { CircleHelp, History, Info, RefreshCw, RotateCcw, Scale } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import { InlineMarkdown, Markdown } from '../markdown/markdown.tsx'
import { Logo } from '../shell/logo.tsx'
import { type Outgoing, optionsOf, practiceOf } from './conversation.ts'
import classes from './message.module.css'
import { PracticeLink } from './practice-link.tsx'

/** A program stands in a fence, as a block; all else is read as a line. */
function Said({ text }: { text: string }) {
  return text.startsWith('```') ? <Markdown text={text} /> : <InlineMarkdown text={text} />
}

/** What the learner said, on the right. */
export const LearnerMessage = memo(function LearnerMessage({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <div className={classes.learner} data-from="learner">
      <span className={classes.who}>{t('arc.you')}</span>
      <div className={classes.bubble}>
        <Said text={text} />
      </div>
    </div>
  )
})

interface OutgoingProps {
  message: Outgoing
  text: string
  onRetry: (message: Outgoing) => void
  onDiscard: (messageId: string) => void
}

/** The same before the server has it; if it could not be sent, with a way to try again. */
export function OutgoingMessage({ message, text, onRetry, onDiscard }: OutgoingProps) {
  const { t } = useTranslation()
  const isFailed = message.state === 'failed'
  return (
    <div className={classes.learner} data-from="learner">
      <span className={classes.who}>{t('arc.you')}</span>
      <div className={classes.bubble} data-state={message.state}>
        <Said text={text} />
      </div>
      {isFailed && (
        <div role="alert" className={classes.failed}>
          <Text size="sm">
            {t('arc.notSent')} {isProblem(message.error) ? message.error.message : ''}
          </Text>
          <Group gap={6} justify="flex-end">
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onDiscard(message.messageId)}
            >
              {t('arc.discard')}
            </Button>
            <Button
              size="compact-xs"
              leftSection={<RotateCcw size={12} aria-hidden />}
              onClick={() => onRetry(message)}
            >
              {t('arc.retry')}
            </Button>
          </Group>
        </div>
      )}
    </div>
  )
}

/** The frame of the tutor's words: full width, with a mark at the first of a row. */
export function TutorTurn({ isFirst, children }: { isFirst: boolean; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={classes.tutor}>
      <div className={classes.mark} aria-hidden>
        {isFirst && <Logo size={26} />}
      </div>
      <div className={classes.words}>
        <span className={classes.who}>{t('arc.tutor')}</span>
        {children}
      </div>
    </div>
  )
}

interface StoredProps {
  message: ArcMessage
  isFirst: boolean
  answer: string | undefined
  onContest: (() => void) | undefined
  /** What it said before it was written again, the latest first. */
  earlier: string[] | undefined
  onRewrite: ((messageId: string) => void) | undefined
}

/** What the tutor, or the system, said. */
export const StoredMessage = memo(function StoredMessage(props: StoredProps) {
  const { message, isFirst, answer, onContest, earlier, onRewrite } = props
  const { t } = useTranslation()
  const practice = practiceOf(message)
  if (message.role === 'system') {
    return (
      <div className={classes.system}>
        <Info size={16} aria-hidden />
        <Markdown text={message.text} />
      </div>
    )
  }
  return (
    <TutorTurn isFirst={isFirst}>
      {message.questionId ? (
        <AskedQuestion message={message} answer={answer} />
      ) : (
        <Markdown text={message.text} />
      )}
      {practice && <PracticeLink sessionId={practice} />}
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
        <CircleHelp size={15} aria-hidden /> {t('question.asked')}
      </div>
      <Markdown text={message.text} />
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
