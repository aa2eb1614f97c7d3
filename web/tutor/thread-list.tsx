import { Button, Container, Modal, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CourseSummary } from '../../src/client/arc-client.ts'
import { openThread, type Thread, threadsQuery } from '../api/tutor.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { timeAgo, useNow } from '../shell/time.ts'
import { CoursePicker } from '../start/course-picker.tsx'
import classes from './tutor.module.css'

interface Props {
  threads: Thread[]
  courses: CourseSummary[]
}

/** The learner's threads, newest first, and the way to a new one. */
export function ThreadList({ threads, courses }: Props) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const [isOpen, setIsOpen] = useState(false)
  const nameOf = (courseId: string) =>
    courses.find((course) => course.courseId === courseId)?.title ?? courseId
  return (
    <>
      <Button
        fullWidth
        variant="default"
        leftSection={<Plus size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('tutor.new')}
      </Button>
      <nav aria-label={t('tutor.sessions')} className={classes.threads}>
        {threads.map(({ threadId, courseId, title, createdAt, lastMessageAt }) => (
          <Link
            key={threadId}
            to="/tutor/$threadId"
            params={{ threadId }}
            className={classes.thread ?? ''}
            activeProps={{ 'data-active': true }}
          >
            {title ?? nameOf(courseId)}
            <br />
            <small>
              {title && `${nameOf(courseId)} · `}
              {timeAgo(Date.parse(lastMessageAt ?? createdAt), now, i18n.language)}
            </small>
          </Link>
        ))}
      </nav>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={t('tutor.new')}>
        <NewSession onOpened={() => setIsOpen(false)} />
      </Modal>
    </>
  )
}

/** What stands in the middle while no thread is open. */
export function Start() {
  const { t } = useTranslation()
  return (
    <Container size={640} py={{ base: 24, sm: 48 }} px={{ base: 16, sm: 24 }}>
      <Title order={1} size={26}>
        {t('tutor.title')}
      </Title>
      <Text c="dimmed" mt={6} mb="lg">
        {t('tutor.lead')}
      </Text>
      <NewSession />
    </Container>
  )
}

function NewSession({ onOpened }: { onOpened?: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [course, setCourse] = useState<CourseSummary | null>(null)
  const [title, setTitle] = useState('')
  const [key] = useState(() => crypto.randomUUID())
  const open = useMutation({
    mutationFn: (courseId: string) =>
      openThread({ courseId, ...(title.trim() ? { title: title.trim() } : {}) }, key),
    onSuccess: async ({ threadId }) => {
      await client.invalidateQueries({ queryKey: threadsQuery.queryKey })
      onOpened?.()
      await navigate({ to: '/tutor/$threadId', params: { threadId } })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (course) open.mutate(course.courseId)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <CoursePicker picked={course?.courseId ?? null} onPick={setCourse} />
        <TextInput
          label={t('tutor.name')}
          placeholder={t('tutor.nameExample')}
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <ProblemAlert error={open.error} />
        <Button type="submit" disabled={!course} loading={open.isPending}>
          {t('tutor.start')}
        </Button>
      </Stack>
    </form>
  )
}
