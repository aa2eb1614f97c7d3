import { Badge, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeskSession } from '../../src/contracts/teaching.ts'
import { classesQuery, type SessionSearch, sessionsQuery } from '../api/teacher.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { relativeTime, useNow } from '../shell/time.ts'
import { PupilLink, SessionLink } from './links.tsx'
import { ListSection } from './list-section.tsx'

interface Props {
  empty: string
  /** Only those of a class. */
  classId?: string
}

const STATUSES = ['active', 'paused', 'completed'] as const

/** Practice sessions as they run, the latest active first, by what is looked for. */
export function SessionTable({ empty, classId }: Props) {
  const { t } = useTranslation()
  const [status, setStatus] = useState<string | null>(null)
  const [chosenClass, setChosenClass] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), 300)
  const all = useQuery(classesQuery)
  const of = classId ?? chosenClass
  const wanted: SessionSearch = {
    ...(status ? { status: status as DeskSession['status'] } : {}),
    ...(of ? { classId: of } : {}),
    ...(settled ? { search: settled } : {}),
  }
  const sessions = useQuery(sessionsQuery(wanted))
  const isNarrowed = status !== null || settled !== '' || chosenClass !== null
  const filters = (
    <Group gap="xs" mb="sm">
      <TextInput
        type="search"
        size="xs"
        w={220}
        aria-label={t('desk.findSession')}
        placeholder={t('desk.findSession')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Select
        size="xs"
        w={150}
        aria-label={t('teacher.status')}
        placeholder={t('desk.anyStatus')}
        clearable
        data={STATUSES.map((value) => ({ value, label: t(`sessionStatus.${value}`) }))}
        value={status}
        onChange={setStatus}
      />
      {classId === undefined && (all.data?.length ?? 0) > 0 && (
        <Select
          size="xs"
          w={150}
          aria-label={t('desk.class')}
          placeholder={t('desk.anyClass')}
          clearable
          data={(all.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
          value={chosenClass}
          onChange={setChosenClass}
        />
      )}
    </Group>
  )
  return (
    <ListSection
      title={t('teacher.sessions')}
      empty={isNarrowed ? t('desk.noneFound') : empty}
      query={sessions}
      filters={isNarrowed || (sessions.data?.length ?? 0) > 0 ? filters : null}
    >
      {(items) => <SessionRows items={items} />}
    </ListSection>
  )
}

/** The same table without filters. */
export function SessionRows({ items }: { items: DeskSession[] }) {
  const { t } = useTranslation()
  return (
    <Table.ScrollContainer
      minWidth={820}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('teacher.sessions') } }}
    >
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('teacher.student')}</Table.Th>
            <Table.Th>{t('desk.practice')}</Table.Th>
            <Table.Th>{t('teacher.status')}</Table.Th>
            <Table.Th>{t('teacher.currentProblem')}</Table.Th>
            <Table.Th>{t('desk.solved')}</Table.Th>
            <Table.Th>{t('teacher.attempts')}</Table.Th>
            <Table.Th>{t('teacher.time')}</Table.Th>
            <Table.Th>{t('desk.lastActive')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const COLOURS = { active: '#237032', paused: 'gray.7', completed: 'ink.8' } as const

function SessionRow({ session }: { session: DeskSession }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const { id, studentId, name, title, status, currentProblem, delivery } = session
  return (
    <Table.Tr>
      <Table.Td>
        <PupilLink id={studentId}>{name}</PupilLink>
      </Table.Td>
      <Table.Td>
        <SessionLink id={id}>{title ?? t('desk.ownProblem')}</SessionLink>
        {delivery !== 'none' && (
          <Text size="xs" c="dimmed">
            {t('desk.reportDelivery', { how: t(`delivery.${delivery}`) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Badge variant="filled" color={COLOURS[status]} miw="max-content">
          {t(`sessionStatus.${status}`)}
        </Badge>
      </Table.Td>
      <Table.Td>{currentProblem ? <InlineMarkdown text={currentProblem.text} /> : '–'}</Table.Td>
      <Table.Td>
        {t('desk.ofTotal', { done: session.problemsDone, total: session.problemsTotal })}
      </Table.Td>
      <Table.Td>{session.attempts}</Table.Td>
      <Table.Td>{minutesAndSeconds(session.elapsedSeconds)}</Table.Td>
      <Table.Td>
        {relativeTime(Math.min(Date.parse(session.lastActiveAt), now), now, i18n.language)}
      </Table.Td>
    </Table.Tr>
  )
}

const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
