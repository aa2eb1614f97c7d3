import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ListPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AlertList } from './alert-list.tsx'
import { ClassList } from './class-list.tsx'
import { DeskFrame } from './desk-frame.tsx'
import { SessionTable } from './session-table.tsx'
import { SetList } from './set-list.tsx'

/** The teacher's desk: who struggles, the classes, who practises now, and what can be given. */
export function TeacherScreen() {
  const { t } = useTranslation()
  const newSet = (
    <Button
      component={Link}
      to="/teaching/sets/new"
      variant="default"
      size="compact-md"
      leftSection={<ListPlus size={15} aria-hidden />}
    >
      {t('desk.newSet')}
    </Button>
  )
  return (
    <DeskFrame title={t('nav.teacher')} isWithin={false}>
      <AlertList />
      <ClassList />
      <SessionTable empty={t('desk.noSessions')} />
      <SetList action={newSet} />
    </DeskFrame>
  )
}
