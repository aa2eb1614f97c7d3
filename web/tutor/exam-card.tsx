import { Alert, Badge, Button, Group, Radio, Text } from '@mantine/core'
import { Check, GraduationCap, Lock } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type {
  ClientEvent,
  SupportViewedResponse,
  TutorCard,
} from '../../src/contracts/course-tutor.ts'
import { useExamAnswer, useExamSupport } from '../api/tutor.ts'
import { InlineMarkdown, Markdown } from '../markdown/markdown.tsx'
import { speakable } from '../markdown/speakable.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { useNow } from '../shell/time.ts'
import classes from './card.module.css'
import { type CardContext, CardFrame } from './card-frame.tsx'
import { latexText } from './latex-text.ts'
import { currentStatus, type ExamState, timeLeft } from './lockout.ts'
import { TierBadge } from './tier-badge.tsx'

export type Exam = Extract<TutorCard, { type: 'EXAM' }>

interface Props {
  card: Exam
  context: CardContext
  isLast: boolean
  onEvent: (event: ClientEvent) => void
}

/** An exam question: options, memo and video, and while it is locked the time left. Seed 004 PV-AI-022. */
export function ExamCard({ card, context, isLast, onEvent }: Props) {
  const { t } = useTranslation()
  const now = useNow()
  const { unitId, questionId, tier } = card
  const { threadId, courseId } = context
  const [chosen, setChosen] = useState<string | null>(null)
  const [state, setState] = useState<ExamState>(card)
  const answer = useExamAnswer(threadId)
  const support = useExamSupport(threadId)
  const status = currentStatus(state, now)
  const [isAsking, setIsAsking] = useState(false)
  const isClosed = status !== 'available' || !isLast
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen === null || isClosed || answer.isPending) return
    const selected = { courseId, questionId, selectedOptionId: chosen }
    answer.mutate(selected, { onSuccess: setState })
  }
  const view = (supportType: 'memo') =>
    support.mutate({ courseId, unitId, questionId, supportType }, { onSuccess: setState })
  return (
    <CardFrame
      kind="exam"
      title={
        <>
          <GraduationCap size={17} aria-hidden /> {t('card.exam')} <TierBadge tier={tier} />
        </>
      }
      unit={context.titles.get(unitId) ?? unitId}
      actions={
        isLast &&
        status !== 'available' && (
          <Button
            disabled={context.isBusy}
            onClick={() => onEvent({ type: 'EXAM_CONTINUE', unitId, questionId, result: status })}
          >
            {t('card.continue')}
          </Button>
        )
      }
    >
      <form onSubmit={submit}>
        <Radio.Group
          label={<Markdown text={latexText(card.questionLatex)} />}
          value={chosen}
          onChange={setChosen}
          classNames={{ label: classes.question ?? '' }}
        >
          <div className={classes.options}>
            {card.options.map(({ id, text }) => (
              <Radio
                key={id}
                value={id}
                aria-label={speakable(text)}
                disabled={isClosed}
                label={<InlineMarkdown text={text} />}
              />
            ))}
          </div>
        </Radio.Group>
        <Standing
          status={status}
          until={state.lockedUntil}
          now={now}
          isWrong={answer.data?.isCorrect === false}
        />
        {isLast && (
          <div className={classes.buttons}>
            <Button
              variant="default"
              disabled={support.isPending}
              onClick={() => {
                // A question that can still be answered is locked by looking.
                if (status === 'available') setIsAsking(true)
                else view('memo')
              }}
            >
              {t('card.memo')}
            </Button>
            <Button type="submit" disabled={chosen === null || isClosed} loading={answer.isPending}>
              {t('card.submit')}
            </Button>
          </div>
        )}
      </form>
      {isLast && isAsking && status === 'available' && (
        <Alert mt="sm" color="yellow" variant="light" role="alert">
          <Text size="sm">{t('card.supportLocks')}</Text>
          <Group gap={8} mt="xs">
            <Button size="compact-sm" variant="default" onClick={() => setIsAsking(false)}>
              {t('card.keepTrying')}
            </Button>
            <Button
              size="compact-sm"
              loading={support.isPending}
              onClick={() => {
                setIsAsking(false)
                view('memo')
              }}
            >
              {t('card.lockAndShow')}
            </Button>
          </Group>
        </Alert>
      )}
      {support.data && <Support support={support.data} />}
      <ProblemAlert error={answer.error ?? support.error} />
    </CardFrame>
  )
}

interface StandingProps {
  status: ExamState['status']
  until: string | undefined
  now: number
  isWrong: boolean
}

function Standing({ status, until, now, isWrong }: StandingProps) {
  const { t } = useTranslation()
  return (
    <div role="status" className={classes.standing}>
      {status === 'passed' && (
        <Badge color="#237032" variant="filled" leftSection={<Check size={12} aria-hidden />}>
          {t('card.passed')}
        </Badge>
      )}
      {status === 'locked' && (
        <>
          <Lock size={15} aria-hidden />
          {isWrong ? t('card.wrongLocked') : t('card.locked')}{' '}
          <span aria-live="off">
            {until !== undefined &&
              t('card.availableIn', { left: timeLeft(Date.parse(until), now) })}
          </span>
        </>
      )}
    </div>
  )
}

function Support({ support }: { support: SupportViewedResponse }) {
  const { t } = useTranslation()
  const { text, url } = support
  return (
    <div className={classes.verdict}>
      {text && <Markdown text={text} />}
      {url && /^https?:/.test(url) && (
        <a href={url} target="_blank" rel="noreferrer">
          {t('card.openVideo')}
        </a>
      )}
      {!text && !url && <Text size="sm">{t('card.noSupport')}</Text>}
    </div>
  )
}
