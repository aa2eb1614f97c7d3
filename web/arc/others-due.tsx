import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useAgenda } from '../api/learner.ts'
import classes from '../conversation/conversation.module.css'

/** The way to the reviews of other topics, once none waits in this one. */
export function OthersDue({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const due = useAgenda().data?.due ?? []
  const [first] = due
  const isHere =
    arc.pendingQuestion?.kind === 'review' || due.some(({ arcId }) => arcId === arc.arcId)
  if (!first || isHere) return null
  const count = due.filter(({ arcId }) => arcId === first.arcId).length
  return (
    <div className={classes.others} role="status">
      <Text size="sm">{t('due.elsewhere', { count, topic: first.topic })}</Text>
      <Button
        component={Link}
        to={`/arcs/${encodeURIComponent(first.arcId)}`}
        size="compact-sm"
        variant="light"
        rightSection={<ArrowRight size={14} aria-hidden />}
      >
        {t('due.go')}
      </Button>
    </div>
  )
}
