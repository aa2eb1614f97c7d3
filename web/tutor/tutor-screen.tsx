import { Button, Drawer, Group, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Info, Menu } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { coursesQuery } from '../api/queries.ts'
import { threadsQuery } from '../api/tutor.ts'
import { NotFound } from '../shell/not-found.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { useTitle } from '../shell/use-title.ts'
import { SnapshotPanel } from './snapshot-panel.tsx'
import { Start, ThreadList } from './thread-list.tsx'
import { ThreadPanel } from './thread-panel.tsx'
import classes from './tutor.module.css'
import '../i18n/tutor-words.ts'

/** The course tutor's workspace: threads, the conversation with its cards, and where the learner stands. Seed 004 EPIC G. */
export function TutorScreen() {
  const { t } = useTranslation()
  const { threadId } = useParams({ strict: false })
  const threads = useQuery(threadsQuery)
  const courses = useQuery(coursesQuery)
  const thread = threads.data?.find((one) => one.threadId === threadId)
  const course = courses.data?.find(({ courseId }) => courseId === thread?.courseId)
  const title = thread?.title ?? course?.title ?? thread?.courseId
  useTitle(title ?? t('nav.tutor'))
  if (threads.isPending) return <Skeleton className={classes.alone ?? ''} h={120} />
  if (threads.isError) {
    return (
      <div className={classes.alone}>
        <ProblemAlert error={threads.error} onRetry={() => void threads.refetch()} />
      </div>
    )
  }
  // A thread that was just made is in the list only after it was read again.
  if (threadId !== undefined && !thread) {
    return threads.isFetching ? <Skeleton className={classes.alone ?? ''} h={120} /> : <NotFound />
  }
  return (
    <Workspace
      list={<ThreadList threads={threads.data} courses={courses.data ?? []} />}
      info={thread && <SnapshotPanel key={thread.threadId} threadId={thread.threadId} />}
    >
      {thread ? (
        <ThreadPanel key={thread.threadId} thread={thread} title={title ?? ''} course={course} />
      ) : (
        <Start />
      )}
    </Workspace>
  )
}

interface WorkspaceProps {
  list: ReactNode
  info: ReactNode
  children: ReactNode
}

/** Three columns; where there is no room for them the outer two are drawers. */
function Workspace({ list, info, children }: WorkspaceProps) {
  const { t } = useTranslation()
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const [drawer, setDrawer] = useState<'list' | 'info' | null>(null)
  const close = () => setDrawer(null)
  return (
    <div className={classes.screen}>
      {isWide ? (
        <div className={classes.list}>{list}</div>
      ) : (
        <Group className={classes.bar ?? ''} justify="space-between">
          <Button
            variant="default"
            size="xs"
            leftSection={<Menu size={15} aria-hidden />}
            onClick={() => setDrawer('list')}
          >
            {t('tutor.sessions')}
          </Button>
          {info && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Info size={15} aria-hidden />}
              onClick={() => setDrawer('info')}
            >
              {t('tutor.info')}
            </Button>
          )}
        </Group>
      )}
      <div className={classes.talk}>{children}</div>
      {isWide && info && (
        <aside className={classes.info} aria-label={t('tutor.info')}>
          {info}
        </aside>
      )}
      <Drawer opened={!isWide && drawer === 'list'} onClose={close} title={t('tutor.sessions')}>
        <div onClickCapture={(event) => event.target instanceof HTMLAnchorElement && close()}>
          {list}
        </div>
      </Drawer>
      <Drawer
        opened={!isWide && drawer === 'info'}
        onClose={close}
        position="right"
        title={t('tutor.info')}
      >
        {info}
      </Drawer>
    </div>
  )
}
