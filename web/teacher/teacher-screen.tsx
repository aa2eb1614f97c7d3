import { Badge, Container, Group, Title } from '@mantine/core'
import { WifiOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTeacherEvents } from '../api/teacher.ts'
import { useTitle } from '../shell/use-title.ts'
import { AlertList } from './alert-list.tsx'
import { ClassList } from './class-list.tsx'
import { ReportDrawer } from './report-drawer.tsx'
import { SessionTable } from './session-table.tsx'

/** The teacher's desk: who struggles, who practises now, and how the classes do. */
export function TeacherScreen() {
  const { t } = useTranslation()
  const connection = useTeacherEvents()
  const [sessionId, setSessionId] = useState<string | null>(null)
  useTitle(t('nav.teacher'))
  return (
    <Container size={1120} py={{ base: 20, sm: 36 }} px={{ base: 14, sm: 24 }}>
      <Group justify="space-between" mb="lg">
        <Title order={1} size={26}>
          {t('teacher.title')}
        </Title>
        {connection === 'reconnecting' && (
          <Badge color="orange" variant="light" leftSection={<WifiOff size={12} aria-hidden />}>
            {t('arc.reconnecting')}
          </Badge>
        )}
      </Group>
      <AlertList onReport={setSessionId} />
      <SessionTable onReport={setSessionId} />
      <ClassList />
      <ReportDrawer sessionId={sessionId} onClose={() => setSessionId(null)} />
    </Container>
  )
}
