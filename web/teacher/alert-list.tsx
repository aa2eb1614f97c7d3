import { Badge, Button, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TeacherAlert } from '../../src/contracts/practice.ts'
import { alertsQuery, useAcknowledge } from '../api/teacher.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { timeAgo, useNow } from '../shell/time.ts'
import { PupilLink, SessionLink } from './links.tsx'
import { ListSection } from './list-section.tsx'
import classes from './teacher.module.css'

/** Who struggles or is stuck, what nobody has acknowledged first. */
export function AlertList() {
  const { t } = useTranslation()
  const alerts = useQuery(alertsQuery)
  const [showsAll, setShowsAll] = useState(false)
  return (
    <ListSection title={t('teacher.alerts')} empty={t('teacher.noAlerts')} query={alerts}>
      {(items) => (
        <>
          <ul className={classes.alerts}>
            {items
              .filter(isOpen)
              .slice(0, showsAll ? undefined : FIRST)
              .map((alert) => (
                <AlertItem key={alert.id} alert={alert} />
              ))}
          </ul>
          {!showsAll && items.filter(isOpen).length > FIRST && (
            <Button size="compact-sm" variant="default" mt="xs" onClick={() => setShowsAll(true)}>
              {t('desk.allAlerts', { count: items.filter(isOpen).length })}
            </Button>
          )}
          {items.every((alert) => !isOpen(alert)) && (
            <Text size="sm" c="dimmed">
              {t('teacher.noAlerts')}
            </Text>
          )}
          <Done alerts={items.filter((alert) => !isOpen(alert))} />
        </>
      )}
    </ListSection>
  )
}

const isOpen = ({ acknowledgedAt }: TeacherAlert) => acknowledgedAt === null

const FIRST = 5
const SHOWN = 20

/** What was acknowledged, folded away. */
function Done({ alerts }: { alerts: TeacherAlert[] }) {
  const { t } = useTranslation()
  if (alerts.length === 0) return null
  return (
    <details className={classes.details}>
      <summary>{t('desk.acknowledgedAlerts', { count: alerts.length })}</summary>
      <ul className={classes.alerts}>
        {alerts.slice(0, SHOWN).map((alert) => (
          <AlertItem key={alert.id} alert={alert} />
        ))}
      </ul>
    </details>
  )
}

function AlertItem({ alert }: { alert: TeacherAlert }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const { studentId, signal, createdAt, acknowledgedAt, note } = alert
  return (
    <li className={classes.alert} data-open={acknowledgedAt === null || undefined}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Group gap="xs">
          <Badge color={signal === 'stuck' ? 'red' : 'yellow'} variant="light">
            {t(`signal.${signal}`)}
          </Badge>
          <Text span fw={600}>
            <PupilLink id={studentId}>{alert.name ?? studentId}</PupilLink>
          </Text>
          <Text span size="sm" c="dimmed">
            {alert.problemText && (
              <>
                <InlineMarkdown text={alert.problemText} /> ·{' '}
              </>
            )}
            {timeAgo(Date.parse(createdAt), now, i18n.language)}
          </Text>
        </Group>
        <SessionLink id={alert.sessionId}>{t('desk.whatWasSaid')}</SessionLink>
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
          aria-label={t('teacher.noteFor', { student: alert.name ?? alert.studentId })}
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
