import { Badge, Button, Group, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import type { PupilPage } from '../../src/contracts/teaching.ts'
import { arcs } from '../api/client.ts'
import { pupilQuery } from '../api/teacher.ts'
import { optionsOf } from '../conversation/conversation.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import mastery from '../mind-map/mastery.module.css'
import { NotFound } from '../shell/not-found.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { dateAndTime } from '../shell/time.ts'
import { DeskFrame } from './desk-frame.tsx'
import { GiveDialog } from './give-dialog.tsx'
import { ListSection } from './list-section.tsx'
import { MistakeList } from './mistake-list.tsx'
import { NeedText } from './need-text.tsx'
import { SessionRows } from './session-table.tsx'
import classes from './teacher.module.css'
import { Transcript } from './transcript.tsx'

const route = getRouteApi('/teaching/pupils/$pupilId')

/** A pupil: topics with what was said in them, practice, answers beside what was expected, and mistakes in words. */
export function PupilScreen() {
  const { t } = useTranslation()
  const { pupilId } = route.useParams()
  const query = useQuery(pupilQuery(pupilId))
  const [isGiving, setGiving] = useState(false)
  const { data: pupil } = query
  if (isProblem(query.error) && query.error.status === 404) return <NotFound />
  if (!pupil) {
    return (
      <DeskFrame title={t('teacher.student')}>
        {query.isPending && <Skeleton h={240} aria-busy="true" />}
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      </DeskFrame>
    )
  }
  const give = (
    <Button
      size="compact-md"
      leftSection={<Send size={14} aria-hidden />}
      onClick={() => setGiving(true)}
    >
      {t('desk.give')}
    </Button>
  )
  const listed = <T,>(data: T[]) => ({ ...query, data })
  return (
    <DeskFrame title={pupil.name} actions={give}>
      <Group gap="md" mb="lg" align="flex-start">
        <NeedText of={{ ...pupil, struggling: strugglingIn(pupil) }} />
        <Text size="sm" c="dimmed" component="div">
          {pupil.classes.map(({ id, title }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link
                to="/teaching/classes/$classId"
                params={{ classId: id }}
                className={classes.inline ?? ''}
              >
                {title}
              </Link>
            </span>
          ))}
        </Text>
      </Group>
      <ListSection title={t('desk.topics')} empty={t('desk.noTopics')} query={listed(pupil.topics)}>
        {(topics) => (
          <div className={classes.stack}>
            {topics.map((topic) => (
              <TopicCard key={topic.arcId} topic={topic} name={pupil.name} />
            ))}
          </div>
        )}
      </ListSection>
      <ListSection
        title={t('teacher.sessions')}
        empty={t('desk.noPractice')}
        query={listed(pupil.sessions)}
      >
        {(items) => <SessionRows items={items} />}
      </ListSection>
      <ListSection
        title={t('desk.answers')}
        empty={t('desk.noAnswers')}
        query={listed(pupil.attempts)}
      >
        {(items) => <Answers items={items} />}
      </ListSection>
      <MistakeList items={pupil.mistakes} withNames={false} />
      {isGiving && <GiveDialog pupils={[pupil]} onClose={() => setGiving(false)} />}
    </DeskFrame>
  )
}

const strugglingIn = ({ topics }: PupilPage) =>
  topics.flatMap(({ concepts }) => concepts).filter(({ isStruggling }) => isStruggling).length

function TopicCard({ topic, name }: { topic: PupilPage['topics'][number]; name: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <article className={classes.class}>
      <Group justify="space-between" gap="xs">
        <h3 className={classes.classTitle}>{topic.title}</h3>
        <Group gap={6}>
          <Badge variant="default">{t(`phase.${topic.phase}`)}</Badge>
          <Text size="sm" c="dimmed">
            {t('desk.mastered', { done: topic.mastered, total: topic.concepts.length })}
          </Text>
        </Group>
      </Group>
      <ul className={classes.concepts}>
        {topic.concepts.map(({ id, label, status, isStruggling }) => (
          <li key={id} className={`${mastery.mastery} ${classes.concept}`} data-status={status}>
            {label}: {t(`mastery.${status}`)}
            {isStruggling && <strong> · {t('desk.struggles')}</strong>}
          </li>
        ))}
      </ul>
      <Button
        size="compact-sm"
        variant="default"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'desk.hideSaid' : 'desk.showSaid')}
      </Button>
      {isOpen && <Conversation arcId={topic.arcId} name={name} />}
    </article>
  )
}

/** What was said in a topic, read again now and then. */
function Conversation({ arcId, name }: { arcId: string; name: string }) {
  const { t } = useTranslation()
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['teacher', 'arc', arcId],
    queryFn: ({ signal }) => arcs.messages(arcId, null, signal),
    refetchInterval: 10_000,
  })
  if (isPending) return <Skeleton h={120} mt="sm" />
  if (!data) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (data.length === 0) return <Text size="sm">{t('desk.nothingSaid')}</Text>
  return (
    <div className={classes.conversation}>
      <Transcript
        name={name}
        items={data.map((message) => ({
          ...{ id: message.id, text: withOptions(message), at: message.createdAt },
          from: message.role === 'learner' ? 'pupil' : 'tutor',
        }))}
      />
    </div>
  )
}

/** A question as it was asked, its options below it: a pupil's "c" says nothing without them. */
function withOptions(message: ArcMessage): string {
  const options = optionsOf(message).map(({ id, text }) => `- ${id}) ${text}`)
  return [message.text, options.join('\n')].filter(Boolean).join('\n\n')
}

const COLOURS = { right: 'green', helped: 'yellow', close: 'orange', wrong: 'red' } as const

function Answers({ items }: { items: PupilPage['attempts'] }) {
  const { t, i18n } = useTranslation()
  return (
    <Table.ScrollContainer
      minWidth={720}
      mah={520}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('desk.answers') } }}
    >
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('desk.question')}</Table.Th>
            <Table.Th>{t('desk.answered')}</Table.Th>
            <Table.Th>{t('desk.expectedTitle')}</Table.Th>
            <Table.Th>{t('desk.verdictTitle')}</Table.Th>
            <Table.Th>{t('desk.where')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td>
                <InlineMarkdown text={one.question} />
              </Table.Td>
              <Table.Td className={classes.words ?? ''}>
                {one.answer.includes('$') ? (
                  <InlineMarkdown text={one.answer} />
                ) : (
                  one.answer || '–'
                )}
              </Table.Td>
              <Table.Td>{one.expected ? <InlineMarkdown text={one.expected} /> : '–'}</Table.Td>
              <Table.Td>
                <Badge color={COLOURS[one.verdict]} variant="light">
                  {t(`desk.verdict.${one.verdict}`)}
                </Badge>
              </Table.Td>
              <Table.Td>
                {one.concept ?? one.about}
                <Text size="xs" c="dimmed">
                  {dateAndTime(Date.parse(one.at), i18n.language)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
