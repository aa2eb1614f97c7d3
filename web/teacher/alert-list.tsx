import { Badge, Button, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TeacherAlert } from '../../src/contracts/practice.ts'
import { alertsQuery, useAcknowledge } from '../api/teacher.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { timeAgo, useNow } from '../shell/time.ts'
import { ListSection } from './list-section.tsx'
import classes from './teacher.module.css'

interface Props {
  onReport: (sessionId: string) => void
}

/** Who struggles or is stuck, what nobody has acknowledged first. */
export function AlertList({ onReport }: Props) {
  const { t } = useTranslation()
  const alerts = useQuery(alertsQuery)
  return (
    <ListSection title={t('teacher.alerts')} empty={t('teacher.noAlerts')} query={alerts}>
      {(items) => (
        <ul className={classes.alerts}>
          {openFirst(items).map((alert) => (
            <AlertItem key={alert.id} alert={alert} onReport={onReport} />
          ))}
        </ul>
      )}
    </ListSection>
  )
}

const openFirst = (alerts: TeacherAlert[]) =>
  alerts.toSorted((a, b) => Number(a.acknowledgedAt !== null) - Number(b.acknowledgedAt !== null))

function AlertItem({ alert, onReport }: Props & { alert: TeacherAlert }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const { studentId, problemId, signal, createdAt, acknowledgedAt, note } = alert
  return (
    <li className={classes.alert} data-open={acknowledgedAt === null || undefined}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Badge color={signal === 'stuck' ? 'red' : 'yellow'} variant="light">
            {t(`signal.${signal}`)}
          </Badge>
          <Text span fw={600}>
            {studentId}
          </Text>
          <Text span size="sm" c="dimmed">
            {t('teacher.problem', { problem: problemId })} ·{' '}
            {timeAgo(Date.parse(createdAt), now, i18n.language)}
          </Text>
        </Group>
        <Button size="compact-sm" variant="subtle" onClick={() => onReport(alert.sessionId)}>
          {t('teacher.report')}
        </Button>
      </Group>
      {acknowledgedAt === null ? (
        <Acknowledge alert={alert} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('teacher.acknowledged', {
            when: timeAgo(Date.parse(acknowledgedAt), now, i18n.language),
          })}
          {note && ` “${note}”`}
        </Text>
      )}
    </li>
  )
}

function Acknowledge({ alert }: { alert: TeacherAlert }) {
  const { t } = useTranslation()
  const [note, setNote] = useState('')
  const acknowledge = useAcknowledge(alert.id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    acknowledge.mutate(note.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" mt={8}>
        <TextInput
          className={classes.note ?? ''}
          size="xs"
          aria-label={t('teacher.noteFor', { student: alert.studentId })}
          placeholder={t('teacher.note')}
          maxLength={2_000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" loading={acknowledge.isPending}>
          {t('teacher.acknowledge')}
        </Button>
      </Group>
      <ProblemAlert error={acknowledge.error} />
    </form>
  )
}
