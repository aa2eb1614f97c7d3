import { Badge, Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TeacherSession } from '../../src/contracts/practice.ts'
import { sessionsQuery } from '../api/teacher.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { ListSection } from './list-section.tsx'

interface Props {
  onReport: (sessionId: string) => void
}

/** Practice sessions as they run, the latest active first. */
export function SessionTable({ onReport }: Props) {
  const { t } = useTranslation()
  const sessions = useQuery(sessionsQuery)
  return (
    <ListSection title={t('teacher.sessions')} empty={t('teacher.noSessions')} query={sessions}>
      {(items) => (
        <Table.ScrollContainer
          minWidth={760}
          scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('teacher.sessions') } }}
        >
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('teacher.student')}</Table.Th>
                <Table.Th>{t('teacher.status')}</Table.Th>
                <Table.Th>{t('teacher.currentProblem')}</Table.Th>
                <Table.Th>{t('teacher.attempts')}</Table.Th>
                <Table.Th>{t('teacher.time')}</Table.Th>
                <Table.Th>{t('teacher.delivery')}</Table.Th>
                <Table.Th>{t('teacher.report')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((session) => (
                <SessionRow key={session.id} session={session} onReport={onReport} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </ListSection>
  )
}

const COLOURS = { active: '#237032', paused: 'gray.7', completed: 'ink.8' } as const

function SessionRow({ session, onReport }: Props & { session: TeacherSession }) {
  const { t } = useTranslation()
  const { id, studentId, externalSessionId, status, currentProblem } = session
  return (
    <Table.Tr>
      <Table.Td>
        {studentId}
        <Text size="xs" c="dimmed">
          {externalSessionId}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="filled" color={COLOURS[status]}>
          {t(`sessionStatus.${status}`)}
        </Badge>
      </Table.Td>
      <Table.Td>{currentProblem ? <InlineMarkdown text={currentProblem.text} /> : '–'}</Table.Td>
      <Table.Td>{session.attempts}</Table.Td>
      <Table.Td>{minutesAndSeconds(session.elapsedSeconds)}</Table.Td>
      <Table.Td>{t(`delivery.${session.delivery}`)}</Table.Td>
      <Table.Td>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('teacher.reportOf', { student: studentId })}
          onClick={() => onReport(id)}
        >
          {t('teacher.report')}
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}

const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
