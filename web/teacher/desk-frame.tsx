import { Badge, Container, Group, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useTeacherEvents } from '../api/teacher.ts'
import { useTitle } from '../shell/use-title.ts'
import classes from './teacher.module.css'
import '../i18n/desk-words.ts'

interface Props {
  title: string
  /** What can be done with all of it. */
  actions?: ReactNode
  /** Whether a link leads back to the desk. */
  isWithin?: boolean
  children: ReactNode
}

/** The frame of a page of the teacher's desk; what happens in sessions is followed while one is open. */
export function DeskFrame({ title, actions, isWithin = true, children }: Props) {
  const { t } = useTranslation()
  const connection = useTeacherEvents()
  useTitle(title)
  return (
    <Container size={1180} py={{ base: 18, sm: 32 }} px={{ base: 14, sm: 24 }}>
      {isWithin && (
        <Link to="/teaching" className={classes.back ?? ''}>
          <ArrowLeft size={14} aria-hidden /> {t('nav.teacher')}
        </Link>
      )}
      <Group justify="space-between" mb="lg" gap="sm">
        <Title order={1} size={26} className={classes.title ?? ''}>
          {title}
        </Title>
        <Group gap="xs">
          {connection === 'reconnecting' && (
            <Badge color="orange" variant="light" leftSection={<WifiOff size={12} aria-hidden />}>
              {t('arc.reconnecting')}
            </Badge>
          )}
          {actions}
        </Group>
      </Group>
      {children}
    </Container>
  )
}
