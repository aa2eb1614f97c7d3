import { Badge, Button, Group, List, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'
import type { DeskSession, SessionDetail } from '../../src/contracts/teaching.ts'
import type { TeacherReport } from '../../src/domain/practice/report.ts'
import { sessionQuery, useReport, useResend } from '../api/teacher.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { DeskFrame } from './desk-frame.tsx'
import { PupilLink } from './links.tsx'
import classes from './teacher.module.css'
import { type Said, Transcript } from './transcript.tsx'

const route = getRouteApi('/teaching/sessions/$sessionId')

/** A practice session: what was said, how each problem stands, and the report, so far or in the end (seed 002 §3.6). */
export function SessionScreen() {
  const { t } = useTranslation()
  const { sessionId } = route.useParams()
  const query = useQuery(sessionQuery(sessionId))
  const { data: detail } = query
  if (isProblem(query.error) && query.error.status === 404) return <NotFound />
  const title = detail?.session.title ?? t(detail ? 'desk.ownProblem' : 'desk.session')
  return (
    <DeskFrame title={title}>
      {query.isPending && <Skeleton h={240} aria-busy="true" />}
      <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      {detail && <Loaded detail={detail} />}
    </DeskFrame>
  )
}

function Loaded({ detail }: { detail: SessionDetail }) {
  const { t } = useTranslation()
  const { session, turns } = detail
  return (
    <>
      <Group gap="sm" mb="lg">
        <Text span fw={600}>
          <PupilLink id={session.studentId}>{session.name}</PupilLink>
        </Text>
        <Badge variant="default">{t(`sessionStatus.${session.status}`)}</Badge>
        <Text size="sm" c="dimmed">
          {t('desk.sessionId', { id: session.externalSessionId })}
        </Text>
      </Group>
      <div className={classes.columns}>
        <section aria-labelledby="said">
          <Title order={2} size={18} mb="sm" id="said">
            {t('desk.whatWasSaid')}
          </Title>
          {turns.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('desk.nothingSaid')}
            </Text>
          ) : (
            <Transcript name={session.name} items={saidIn(detail, t)} />
          )}
        </section>
        <aside aria-label={t('report.title')}>
          <Problems detail={detail} />
          <Report session={session} />
        </aside>
      </div>
    </>
  )
}

function saidIn({ turns }: SessionDetail, t: (key: string) => string): Said[] {
  return turns.flatMap(({ turn, student, tutor, category, at }) => [
    {
      ...{ id: `${turn}-pupil`, from: 'pupil' as const, text: student, at },
      note: t(`desk.category.${category}`),
    },
    { id: `${turn}-tutor`, from: 'tutor' as const, text: tutor, at: null },
  ])
}

/** How a problem stands; in a session that is over nothing is in hand any more. */
function problemStatus(
  status: SessionDetail['problems'][number]['status'],
  session: DeskSession['status'],
): string {
  if (session !== 'completed') return `problemStatus.${status}`
  if (status === 'in_progress') return 'desk.notFinished'
  return status === 'pending' ? 'desk.notReached' : `problemStatus.${status}`
}

function Problems({ detail: { problems, session } }: { detail: SessionDetail }) {
  const { t } = useTranslation()
  return (
    <>
      <Title order={2} size={18} mb="sm">
        {t('report.problems')}
      </Title>
      <ol className={classes.problems}>
        {problems.map(({ id, text, expected, status, signal, attempts }) => (
          <li key={id}>
            <InlineMarkdown text={text} />
            {expected !== null && (
              <Text size="sm" c="dimmed">
                {t('desk.expected')} <InlineMarkdown text={expected} />
              </Text>
            )}
            <Group gap={6} my={4}>
              <Badge variant="default">{t(problemStatus(status, session.status))}</Badge>
              {signal && <Badge variant="light">{t(`signal.${signal}`)}</Badge>}
              <Text size="sm" c="dimmed">
                {t('report.attempts', { count: attempts })}
              </Text>
            </Group>
          </li>
        ))}
      </ol>
    </>
  )
}

function Report({ session }: { session: DeskSession }) {
  const { t } = useTranslation()
  const { data: report, isPending, error, refetch } = useReport(session.id)
  return (
    <div className={classes.report}>
      <Title order={2} size={18} mb="sm">
        {t('report.title')}
      </Title>
      {isPending && <Skeleton h={120} />}
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {report && (
        <>
          <Summary report={report} />
          <Insights insights={report.insights} />
        </>
      )}
      <Resend session={session} />
    </div>
  )
}

function Summary({ report: { summary } }: { report: TeacherReport }) {
  const { t } = useTranslation()
  const facts = [
    ['completed', `${summary.problems_completed} / ${summary.problems_total}`],
    ['time', summary.total_time],
    ['mastery', summary.mastery_rate],
    ['scaffolding', summary.scaffolding_rate],
    ['effectiveness', summary.scaffolding_effectiveness ?? '–'],
  ] as const
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`report.${name}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Sends the report to the learning platform again, where it was to be sent at all. */
function Resend({ session }: { session: DeskSession }) {
  const { t } = useTranslation()
  const resend = useResend(session.id)
  if (session.status !== 'completed' || session.delivery === 'none') return null
  return (
    <div>
      <Group gap="sm">
        <Text size="sm">
          {t('desk.reportDelivery', { how: t(`delivery.${session.delivery}`) })}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          loading={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {t('report.resend')}
        </Button>
      </Group>
      <ProblemAlert error={resend.error} />
    </div>
  )
}

const INSIGHTS = ['strengths', 'weaknesses', 'recommended_next_steps'] as const

function Insights({ insights }: Pick<TeacherReport, 'insights'>) {
  const { t } = useTranslation()
  return INSIGHTS.filter((kind) => insights[kind].length > 0).map((kind) => (
    <section key={kind}>
      <Title order={3} size={15} my={6}>
        {t(`report.${kind}`)}
      </Title>
      <List size="sm">
        {insights[kind].map((text) => (
          <List.Item key={text}>
            <InlineMarkdown text={text} />
          </List.Item>
        ))}
      </List>
    </section>
  ))
}
