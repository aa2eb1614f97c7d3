import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { Dumbbell } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** The way from the conversation to a practice session. */
export function PracticeLink({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation()
  const { arcId = '' } = useParams({ strict: false })
  return (
    <Button
      component={Link}
      to={`/arcs/${encodeURIComponent(arcId)}/practice/${encodeURIComponent(sessionId)}`}
      size="compact-md"
      mt={8}
      leftSection={<Dumbbell size={15} aria-hidden />}
    >
      {t('practice.open')}
    </Button>
  )
}
