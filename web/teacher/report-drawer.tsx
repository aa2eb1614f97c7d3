import { Badge, Button, Drawer, Group, List, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TeacherReport } from '../../src/domain/practice/report.ts'
import { sessionsQuery, useReport, useResend } from '../api/teacher.ts'
import { InlineMarkdown, Markdown } from '../markdown/markdown.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import classes from './teacher.module.css'

interface Props {
  sessionId: string | null
  onClose: () => void
}

/** The report of a session, so far or in the end. Seed 002 §3.6. */
export function ReportDrawer({ sessionId, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={sessionId !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('report.title')}
    >
      {sessionId !== null && <Loaded sessionId={sessionId} />}
    </Drawer>
  )
}

function Loaded({ sessionId }: { sessionId: string }) {
  const { data: report, isPending, error, refetch } = useReport(sessionId)
  if (isPending) return <Skeleton h={200} />
  if (!report) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  return (
    <Stack>
      <Summary report={report} />
      <Resend sessionId={sessionId} />
      <Problems report={report} />
      <Insights insights={report.insights} />
    </Stack>
  )
}

function Summary({ report: { student_id, question_set, summary } }: { report: TeacherReport }) {
  const { t } = useTranslation()
  const facts = [
    ['student', student_id],
    ['set', question_set ?? '–'],
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
function Resend({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation()
  const { data: sessions } = useQuery(sessionsQuery)
  const resend = useResend(sessionId)
  const session = sessions?.find(({ id }) => id === sessionId)
  if (session?.status !== 'completed' || session.delivery === 'none') return null
  return (
    <div>
      <Group gap="sm">
        <Text size="sm">{t(`delivery.${session.delivery}`)}</Text>
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

function Problems({ report }: { report: TeacherReport }) {
  const { t } = useTranslation()
  return (
    <section>
      <Title order={3} size={15} mb={6}>
        {t('report.problems')}
      </Title>
      <ol className={classes.problems}>
        {report.problem_breakdown.map((problem) => (
          <li key={problem.problem_id}>
            <InlineMarkdown text={problem.text} />
            <Group gap={6} my={4}>
              <Badge variant="default">{t(`problemStatus.${problem.status}`)}</Badge>
              {problem.mastery_signal && (
                <Badge variant="light">{t(`signal.${problem.mastery_signal}`)}</Badge>
              )}
              <Text size="sm" c="dimmed">
                {t('report.attempts', { count: problem.attempts })} · {problem.time_spent}
              </Text>
            </Group>
            {problem.scaffolding_used && (
              <Text size="sm">
                {t('report.scaffolded', { depth: problem.scaffolding_depth ?? 1 })}
              </Text>
            )}
            {problem.key_misconception && (
              <Text size="sm">{t('report.misconception', { tag: problem.key_misconception })}</Text>
            )}
            {problem.explanation_missing && <Text size="sm">{t('report.notExplained')}</Text>}
            <Hints problem={problem} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Hints({ problem }: { problem: TeacherReport['problem_breakdown'][number] }) {
  const { t } = useTranslation()
  const { hint_sequence } = problem
  if (hint_sequence.length === 0) return null
  return (
    <details className={classes.hints}>
      <summary>{t('report.said', { count: hint_sequence.length })}</summary>
      <Markdown
        text={hint_sequence.map((said) => `- ${said.replaceAll('\n', '\n  ')}`).join('\n')}
      />
    </details>
  )
}

const INSIGHTS = ['strengths', 'weaknesses', 'recommended_next_steps'] as const

function Insights({ insights }: Pick<TeacherReport, 'insights'>) {
  const { t } = useTranslation()
  return INSIGHTS.filter((kind) => insights[kind].length > 0).map((kind) => (
    <section key={kind}>
      <Title order={3} size={15} mb={6}>
        {t(`report.${kind}`)}
      </Title>
      <List size="sm">
        {insights[kind].map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </section>
  ))
}
