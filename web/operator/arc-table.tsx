import { Anchor, Badge, Button, Group, Menu, Select, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { EllipsisVertical, ExternalLink } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperatorArc } from '../../src/contracts/operator.ts'
import { operatorArcsQuery } from '../api/operator.ts'
import { relativeTime, useNow } from '../shell/time.ts'
import { ListSection } from '../teacher/list-section.tsx'
import { CommandDialog } from './command-dialog.tsx'
import classes from './operator.module.css'

const route = getRouteApi('/operating')

const PHASES = [
  ...['PENDING', 'DIAGNOSING', 'PLANNING', 'TEACHING', 'QUIZZING', 'REVIEWING'],
  ...['COMPLETED', 'ABANDONED'],
]
const HELD = ['any', 'blocked', 'late', 'fault']
const OVER = ['COMPLETED', 'ABANDONED']
const UNPLANNED = ['PENDING', 'DIAGNOSING']

type Command = 'abandon' | 'replan'

/** Arcs of all learners by phase, by what holds them up, by learner; what is looked for stands in the address. */
export function ArcTable() {
  const { t } = useTranslation()
  const wanted = route.useSearch()
  const query = useInfiniteQuery(operatorArcsQuery(wanted))
  const [asked, setAsked] = useState<{ arc: OperatorArc; command: Command } | null>(null)
  const isNarrowed = Object.values(wanted).some((value) => value !== undefined)
  const data = query.data?.pages.flatMap(({ items }) => items)
  return (
    <div id="arcs">
      <ListSection
        title={t('operator.arcs')}
        empty={t(isNarrowed ? 'operator.noArcFound' : 'operator.noArcs')}
        query={{ ...query, data }}
        filters={<Filters />}
      >
        {(items) => (
          <Table.ScrollContainer
            minWidth={760}
            scrollAreaProps={{
              viewportProps: { tabIndex: 0, 'aria-label': t('operator.arcs') },
            }}
          >
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('operator.topic')}</Table.Th>
                  <Table.Th>{t('operator.learner')}</Table.Th>
                  <Table.Th>{t('operator.phase')}</Table.Th>
                  <Table.Th>{t('operator.heldBy')}</Table.Th>
                  <Table.Th>{t('operator.lastSession')}</Table.Th>
                  <Table.Th>{t('operator.do')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((arc) => (
                  <ArcRow
                    key={arc.arcId}
                    arc={arc}
                    onCommand={(command) => setAsked({ arc, command })}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListSection>
      {query.hasNextPage && (
        <Button
          variant="default"
          size="compact-md"
          mb="xl"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('operator.more')}
        </Button>
      )}
      {asked && <CommandDialog {...asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

function Filters() {
  const { t } = useTranslation()
  const wanted = route.useSearch()
  const navigate = route.useNavigate()
  const [search, setSearch] = useState(wanted.search ?? '')
  const [settled] = useDebouncedValue(search.trim(), 300)
  useEffect(() => {
    void navigate({
      search: (before) => ({ ...before, search: settled === '' ? undefined : settled }),
      replace: true,
    })
  }, [settled, navigate])
  const choose = (change: { phase?: string | undefined; held?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <Group gap="xs" mb="sm">
      <TextInput
        type="search"
        size="xs"
        w={220}
        aria-label={t('operator.find')}
        placeholder={t('operator.find')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Select
        size="xs"
        w={150}
        aria-label={t('operator.phase')}
        placeholder={t('operator.anyPhase')}
        clearable
        data={PHASES.map((value) => ({ value, label: t(`phase.${value}`) }))}
        value={wanted.phase ?? null}
        onChange={(phase) => choose({ phase: phase ?? undefined })}
      />
      <Select
        size="xs"
        w={190}
        aria-label={t('operator.heldBy')}
        placeholder={t('operator.heldOrNot')}
        clearable
        data={HELD.map((value) => ({ value, label: t(`operator.filter.${value}`) }))}
        value={wanted.held ?? null}
        onChange={(held) => choose({ held: held ?? undefined })}
      />
    </Group>
  )
}

function ArcRow({ arc, onCommand }: { arc: OperatorArc; onCommand: (command: Command) => void }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const ago = (at: string) => relativeTime(Math.min(Date.parse(at), now), now, i18n.language)
  const isOver = OVER.includes(arc.phase)
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/arcs/${encodeURIComponent(arc.arcId)}`} inherit>
          {arc.title}
        </Anchor>
      </Table.Td>
      <Table.Td>{arc.learner.name ?? arc.learner.handle}</Table.Td>
      <Table.Td>
        {t(`phase.${arc.phase}`)}
        {arc.paused && ` · ${t('operator.paused')}`}
      </Table.Td>
      <Table.Td>
        <Held arc={arc} ago={ago} />
      </Table.Td>
      <Table.Td>{ago(arc.lastSessionAt ?? arc.startedAt)}</Table.Td>
      <Table.Td>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('operator.actions', { topic: arc.title })}
            >
              <EllipsisVertical size={15} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              disabled={isOver || UNPLANNED.includes(arc.phase)}
              onClick={() => onCommand('replan')}
            >
              {t('operator.replan')}
            </Menu.Item>
            <Menu.Item disabled={isOver} onClick={() => onCommand('abandon')}>
              {t('operator.abandon')}
            </Menu.Item>
            {arc.temporalUrl && (
              <Menu.Item
                component="a"
                href={arc.temporalUrl}
                target="_blank"
                rel="noreferrer"
                rightSection={<ExternalLink size={13} aria-hidden />}
              >
                {t('operator.workflow')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  )
}

/** What holds an arc up and since when; a dash where nothing does. */
function Held({ arc, ago }: { arc: OperatorArc; ago: (at: string) => string }) {
  const { blocked, late, fault } = arc
  if (!blocked && !late && !fault) return <>–</>
  return (
    <div className={classes.stack}>
      {fault && (
        <HeldBy why="fault" since={ago(fault.since)}>
          <code className={classes.message}>{fault.message}</code>
        </HeldBy>
      )}
      {blocked && (
        <HeldBy why="blocked" since={ago(blocked.since)}>
          <Text size="sm">{blocked.reason}</Text>
        </HeldBy>
      )}
      {late && <HeldBy why="late" since={ago(late.since)} />}
    </div>
  )
}

interface HeldByProps {
  why: 'fault' | 'blocked' | 'late'
  since: string
  children?: ReactNode
}

function HeldBy({ why, since, children }: HeldByProps) {
  const { t } = useTranslation()
  return (
    <div>
      <Badge color={why === 'fault' ? 'red' : 'orange'} variant="light">
        {t(`operator.why.${why}`)}
      </Badge>{' '}
      <Text span size="sm">
        {since}
      </Text>
      {children}
    </div>
  )
}
