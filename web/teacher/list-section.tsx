import { Group, Skeleton, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import classes from './teacher.module.css'

interface Props<T> {
  title: string
  /** What it says where there is nothing, with the one action that fills it. */
  empty: ReactNode
  query: {
    data: T[] | undefined
    isPending: boolean
    error: unknown
    refetch: () => unknown
  }
  /** Beside the title. */
  actions?: ReactNode
  /** Between title and list, also while there is nothing. */
  filters?: ReactNode
  children: (items: T[]) => ReactNode
}

/** A titled list that is being read, could not be read, is empty, or is shown. */
export function ListSection<T>({ title, empty, query, actions, filters, children }: Props<T>) {
  const id = useId()
  const { data, isPending, error, refetch } = query
  return (
    <section aria-labelledby={id} className={classes.section}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size={18} id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {filters}
      {isPending && <Skeleton h={72} radius="md" />}
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && (
        <Text component="div" size="sm" c="dimmed" className={classes.empty ?? ''}>
          {empty}
        </Text>
      )}
      {data && data.length > 0 && children(data)}
    </section>
  )
}
