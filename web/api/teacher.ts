import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Connection, followEvents, type ServerEvent } from '../../src/client/event-stream.ts'
import type { TeacherAlert, TeacherClass, TeacherSession } from '../../src/contracts/practice.ts'
import type { TeacherReport } from '../../src/domain/practice/report.ts'
import { callApi } from './client.ts'

interface Items<T> {
  items: T[]
}

export const sessionsQuery = queryOptions({
  queryKey: ['teacher', 'sessions'],
  queryFn: async ({ signal }) =>
    (await callApi<Items<TeacherSession>>('/teacher/sessions', { signal })).items,
})

export const alertsQuery = queryOptions({
  queryKey: ['teacher', 'alerts'],
  queryFn: async ({ signal }) =>
    (await callApi<Items<TeacherAlert>>('/teacher/alerts', { signal })).items,
})

export const classesQuery = queryOptions({
  queryKey: ['teacher', 'classes'],
  queryFn: async ({ signal }) =>
    (await callApi<Items<TeacherClass>>('/teacher/classes', { signal })).items,
})

const reportKey = (sessionId: string) => ['teacher', 'reports', sessionId] as const

export const useReport = (sessionId: string) =>
  useQuery({
    queryKey: reportKey(sessionId),
    queryFn: ({ signal }) =>
      callApi<TeacherReport>(`/teacher/sessions/${encodeURIComponent(sessionId)}/report`, {
        signal,
      }),
  })

/** Takes an alert off the desk. */
export function useAcknowledge(alertId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (note: string) =>
      callApi<TeacherAlert>(`/teacher/alerts/${encodeURIComponent(alertId)}/acknowledge`, {
        method: 'POST',
        body: note === '' ? {} : { note },
      }),
    onSuccess: (alert) =>
      client.setQueryData(alertsQuery.queryKey, (known) => withItem(known, alert)),
  })
}

/** Asks for the report to be sent to the learning platform once more. */
export function useResend(sessionId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      callApi<unknown>(`/teacher/reports/${encodeURIComponent(sessionId)}/resend`, {
        method: 'POST',
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

const CLASSES_EVERY_MS = 5_000

/** Follows what happens in all sessions and writes it into the query cache. */
export function useTeacherEvents(): Connection {
  const client = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')
  useEffect(() => {
    const stopping = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const readClassesAgain = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void client.invalidateQueries({ queryKey: classesQuery.queryKey })
      }, CLASSES_EVERY_MS)
    }
    void followEvents(() => '', '/api/teacher/events', {
      signal: stopping.signal,
      network: globalThis as unknown as EventTarget,
      onConnection: (next) => {
        if (!stopping.signal.aborted) setConnection(next)
      },
      // What happened between reading the lists and the stream's opening is in no event.
      onGap: () => void client.invalidateQueries({ queryKey: ['teacher'] }),
      onEvent: (event) => {
        takeEvent(client, event)
        readClassesAgain()
      },
    })
    return () => {
      stopping.abort()
      clearTimeout(timer)
    }
  }, [client])
  return connection
}

function takeEvent(client: QueryClient, { type, data }: ServerEvent): void {
  if (type === 'session') {
    const session = data as TeacherSession
    client.setQueryData(sessionsQuery.queryKey, (known) => withItem(known, session))
    void client.invalidateQueries({ queryKey: reportKey(session.id) })
  } else if (type === 'alert') {
    client.setQueryData(alertsQuery.queryKey, (known) => withItem(known, data as TeacherAlert))
  } else if (type === 'report') {
    void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
}

/** The items with one changed where it stands, or put first if it is new. */
export function withItem<T extends { id: string }>(
  known: readonly T[] | undefined,
  item: T,
): T[] | undefined {
  if (!known) return undefined
  const isKnown = known.some(({ id }) => id === item.id)
  return isKnown ? known.map((one) => (one.id === item.id ? item : one)) : [item, ...known]
}
