import { Alert, Button, List, Text } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'

interface Props {
  error: unknown
  /** In place of the server's own title. */
  title?: string
  onRetry?: () => void
  children?: ReactNode
}

/** An error as the server explained it: title and detail, or a line for each bad field. */
export function ProblemAlert({ error, title: given, onRetry, children }: Props) {
  const { t } = useTranslation()
  if (!error) return null
  const problem = isProblem(error) ? error : null
  const title = given ?? problem?.title ?? t('problem.title')
  const detail = problem ? problem.detail : String((error as Error).message ?? error)
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<CircleAlert aria-hidden />}
      title={title}
    >
      {detail && detail !== title && <Text size="sm">{detail}</Text>}
      {problem && !detail && problem.errors.length > 0 && (
        <List size="sm" mt={4}>
          {problem.errors.map(({ pointer, detail: text }) => (
            <List.Item key={`${pointer} ${text}`}>
              {fieldName(pointer)}
              {text}
            </List.Item>
          ))}
        </List>
      )}
      {problem?.retryAfter != null && (
        <Text size="sm">{t('problem.retryAfter', { count: problem.retryAfter })}</Text>
      )}
      {children}
      {onRetry && (
        <Button size="xs" variant="default" mt="xs" onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      )}
    </Alert>
  )
}

const fieldName = (pointer: string) => {
  const name = pointer.replace(/^#?\//, '').replaceAll('/', ' › ')
  return name === '' ? '' : `${name}: `
}
