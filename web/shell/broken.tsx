import { Button, Container } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from './problem-alert.tsx'

/** In place of a screen that failed: what went wrong, and the way back. */
export function Broken({ error }: ErrorComponentProps) {
  const { t } = useTranslation()
  return (
    <Container size="xs" py={96}>
      <ProblemAlert error={error} title={t('problem.title')} />
      <Button mt="md" onClick={() => location.reload()}>
        {t('problem.reload')}
      </Button>
    </Container>
  )
}
