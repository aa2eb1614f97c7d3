import { Skeleton, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import classes from './teacher.module.css'

interface Props<T> {
  title: string
  /** What it says where there is nothing. */
  empty: string
  query: UseQueryResult<T[]>
  children: (items: T[]) => ReactNode
}

/** A titled list that is being read, could not be read, is empty, or is shown. */
export function ListSection<T>({ title, empty, query, children }: Props<T>) {
  const id = useId()
  const { data, isPending, error, refetch } = query
  return (
    <section aria-labelledby={id} className={classes.section}>
      <Title order={2} size={18} id={id} mb="sm">
        {title}
      </Title>
      {isPending && <Skeleton h={72} radius="md" />}
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      {data && data.length > 0 && children(data)}
    </section>
  )
}
