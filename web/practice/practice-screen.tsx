import { Button, Group, Progress, Skeleton, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, LifeBuoy, SkipForward } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'
import type { SessionTurns, SessionView } from '../../src/contracts/practice.ts'
import { useEnd, usePractice, useTurn, useTurns } from '../api/practice.ts'
import frame from '../conversation/conversation.module.css'
import { LearnerMessage, TutorTurn } from '../conversation/message.tsx'
import { answerKindOf } from '../keys/answer-kind.ts'
import { PhoneKeys } from '../keys/phone-keys.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { useTitle } from '../shell/use-title.ts'
import { TurnComposer } from '../tutor/turn-composer.tsx'
import classes from './practice.module.css'

const route = getRouteApi('/arcs/$arcId/practice/$sessionId')

/** A practice session on a concept of an arc: one problem at a time, with help for the asking. */
export function PracticeScreen() {
  const { t } = useTranslation()
  const { arcId, sessionId } = route.useParams()
  const practice = usePractice(sessionId)
  const turns = useTurns(sessionId)
  useTitle(t('practice.title'))
  if (isProblem(practice.error) && practice.error.status === 404) return <NotFound />
  if (practice.isPending || turns.isPending) return <Skeleton h={160} m={24} aria-busy="true" />
  if (!practice.data || !turns.data) {
    const again = () => void Promise.all([practice.refetch(), turns.refetch()])
    return <ProblemAlert error={practice.error ?? turns.error} onRetry={again} />
  }
  return (
    <div className={frame.screen}>
      <Head arcId={arcId} session={practice.data} />
      <Exchange key={sessionId} sessionId={sessionId} session={practice.data} turns={turns.data} />
    </div>
  )
}

function Head({ arcId, session }: { arcId: string; session: SessionView }) {
  const { t } = useTranslation()
  const { problems_total: total, current_problem_index: index } = session
  const isOver = session.status === 'completed'
  const place = t('practice.place', { number: Math.min(index + 1, total), total })
  return (
    <div className={classes.head}>
      <Group justify="space-between" wrap="nowrap">
        <h1 className={classes.title}>{t('practice.title')}</h1>
        <Button
          component={Link}
          to={`/arcs/${encodeURIComponent(arcId)}`}
          size="compact-sm"
          variant="default"
          leftSection={<ArrowLeft size={14} aria-hidden />}
        >
          {t('practice.back')}
        </Button>
      </Group>
      <Group gap={12} wrap="nowrap">
        <Progress
          className={classes.bar ?? ''}
          value={isOver ? 100 : (index / Math.max(1, total)) * 100}
          aria-label={place}
        />
        {!isOver && <Text size="sm">{place}</Text>}
      </Group>
    </div>
  )
}

interface Line {
  id: string
  from: 'learner' | 'tutor'
  text: string
}

interface Props {
  sessionId: string
  session: SessionView
  turns: SessionTurns
}

/** What was said, and where the learner answers. */
function Exchange({ sessionId, session, turns }: Props) {
  const { t } = useTranslation()
  const field = useRef<HTMLTextAreaElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const [lines, setLines] = useState<Line[]>(() => linesOf(turns))
  const turn = useTurn(sessionId)
  const ending = useEnd(sessionId)
  const isOver = session.status === 'completed'
  const isBusy = turn.isPending || ending.isPending

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new line is followed
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [lines, isOver])

  const say = (text: string) => {
    const messageId = crypto.randomUUID()
    setLines((before) => [...before, { id: messageId, from: 'learner', text }])
    turn.mutate(
      { messageId, text },
      {
        onSuccess: ({ output }) =>
          setLines((before) => [
            ...before,
            { id: `${messageId}-reply`, from: 'tutor', text: output },
          ]),
      },
    )
  }
  return (
    <>
      <div className={frame.timelineFrame}>
        <div
          className={frame.timeline}
          role="log"
          aria-label={t('arc.conversation')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
          tabIndex={0}
          id="timeline"
        >
          <div className={frame.column}>
            <div className={frame.log}>
              {lines.map(({ id, from, text }) =>
                from === 'learner' ? (
                  <LearnerMessage key={id} text={text} />
                ) : (
                  <TutorTurn key={id} isFirst>
                    <Markdown text={text} />
                  </TutorTurn>
                ),
              )}
              {isOver && <Summary session={session} />}
            </div>
            <ProblemAlert
              error={turn.error ?? ending.error}
              {...(turn.variables && turn.isError
                ? { onRetry: () => turn.variables && turn.mutate(turn.variables) }
                : {})}
            />
            <div ref={end} />
          </div>
        </div>
      </div>
      {!isOver && (
        <div className={frame.dock}>
          <div className={frame.column}>
            <Group gap={6} mb={8}>
              <Way Icon={LifeBuoy} label={t('practice.stuck')} isBusy={isBusy} onClick={say} />
              <Way Icon={SkipForward} label={t('action.skip')} isBusy={isBusy} onClick={say} />
              <Button
                size="compact-sm"
                variant="subtle"
                ml="auto"
                disabled={isBusy}
                onClick={() => ending.mutate()}
              >
                {t('practice.end')}
              </Button>
            </Group>
            <PhoneKeys kind={answerKindOf(session.current_problem?.text ?? '')} field={field} />
            <TurnComposer
              field={field}
              isBusy={isBusy}
              onSend={say}
              label={t('composer.answer')}
              example={t('practice.answerExample')}
            />
          </div>
        </div>
      )}
    </>
  )
}

/** The first problem, then every message with its reply; later problems end the replies before them. */
const linesOf = ({ first_problem: { id, text }, items }: SessionTurns): Line[] => [
  { id: `problem-${id}`, from: 'tutor', text },
  ...items.flatMap(({ message_id, student_message, tutor_response }): Line[] => [
    { id: message_id, from: 'learner', text: student_message },
    { id: `${message_id}-reply`, from: 'tutor', text: tutor_response },
  ]),
]

interface WayProps {
  Icon: typeof LifeBuoy
  label: string
  isBusy: boolean
  onClick: (text: string) => void
}

/** What one may say instead of an answer. */
function Way({ Icon, label, isBusy, onClick }: WayProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      radius="xl"
      disabled={isBusy}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => onClick(label)}
    >
      {label}
    </Button>
  )
}

function Summary({ session }: { session: SessionView }) {
  const { t } = useTranslation()
  return (
    <div className={classes.summary} role="status">
      <Text fw={650}>{t('practice.done')}</Text>
      <Text size="sm">
        {t('practice.solved', {
          solved: session.problems_completed,
          total: session.problems_total,
        })}
      </Text>
    </div>
  )
}
