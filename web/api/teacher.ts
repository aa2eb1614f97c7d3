import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Connection, followEvents, type ServerEvent } from '../../src/client/event-stream.ts'
import type { QuestionSet, TeacherAlert, TeacherSession } from '../../src/contracts/practice.ts'
import type {
  ClassGrid,
  DeskClass,
  DeskQuestionSet,
  DeskSession,
  Pupil,
  PupilPage,
  SessionDetail,
} from '../../src/contracts/teaching.ts'
import type { TeacherReport } from '../../src/domain/practice/report.ts'
import { callApi, callServer } from './client.ts'

interface Items<T> {
  items: T[]
}

/** What sessions are looked for; all of it may be left out. */
export interface SessionSearch {
  status?: 'active' | 'paused' | 'completed'
  classId?: string
  search?: string
}

const SESSIONS = ['teacher', 'sessions']

export const sessionsQuery = (wanted: SessionSearch = {}) =>
  queryOptions({
    queryKey: [...SESSIONS, wanted],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams(wanted as Record<string, string>).toString()
      const path = `/teacher/sessions${query && `?${query}`}`
      return (await callApi<Items<DeskSession>>(path, { signal })).items
    },
    placeholderData: keepPreviousData,
  })

export const alertsQuery = queryOptions({
  queryKey: ['teacher', 'alerts'],
  queryFn: async ({ signal }) =>
    (await callApi<Items<TeacherAlert>>('/teacher/alerts', { signal })).items,
})

export const classesQuery = queryOptions({
  queryKey: ['teacher', 'classes'],
  queryFn: async ({ signal }) =>
    (await callApi<Items<DeskClass>>('/teacher/classes', { signal })).items,
})

export const pupilsQuery = queryOptions({
  queryKey: ['teacher', 'pupils'],
  queryFn: async ({ signal }) => (await callApi<Items<Pupil>>('/teacher/pupils', { signal })).items,
})

export const questionSetsQuery = queryOptions({
  queryKey: ['teacher', 'question-sets'],
  queryFn: async ({ signal }) =>
    (await callApi<Items<DeskQuestionSet>>('/teacher/question-sets', { signal })).items,
})

const id = encodeURIComponent

export const gridQuery = (classId: string, course: string | undefined) =>
  queryOptions({
    queryKey: ['teacher', 'grids', classId, course ?? null],
    queryFn: ({ signal }) =>
      callApi<ClassGrid>(
        `/teacher/classes/${id(classId)}/grid${course ? `?course=${id(course)}` : ''}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
    // Lessons of arcs are in no event of the desk.
    refetchInterval: 30_000,
  })

export const pupilQuery = (pupilId: string) =>
  queryOptions({
    queryKey: ['teacher', 'pupils', pupilId],
    queryFn: ({ signal }) => callApi<PupilPage>(`/teacher/pupils/${id(pupilId)}`, { signal }),
    refetchInterval: 30_000,
  })

const sessionKey = (sessionId: string) => ['teacher', 'session', sessionId] as const

export const sessionQuery = (sessionId: string) =>
  queryOptions({
    queryKey: sessionKey(sessionId),
    queryFn: ({ signal }) =>
      callApi<SessionDetail>(`/teacher/sessions/${id(sessionId)}`, { signal }),
  })

/** Makes a class, or gives it another title and other pupils. */
export function usePutClass() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ classId, ...body }: { classId: string; title: string; studentIds: string[] }) =>
      callApi<DeskClass>(`/teacher/classes/${id(classId)}`, { method: 'PUT', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['teacher'] }),
  })
}

export function useRemoveClass() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (classId: string) =>
      callApi<void>(`/teacher/classes/${id(classId)}`, { method: 'DELETE' }),
    onSuccess: (_, classId) => {
      client.removeQueries({ queryKey: ['teacher', 'grids', classId] })
      return client.invalidateQueries({ queryKey: classesQuery.queryKey })
    },
  })
}

export function useStoreSet() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Omit<QuestionSet, 'problems'> & { problems: unknown[] }) =>
      callServer<{ question_set_id: string }>('/question-sets', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: questionSetsQuery.queryKey }),
  })
}

/** Begins a session over a set for a pupil; the same key begins one, however often it is called. */
export const giveSet = (questionSetId: string, pupilId: string, key: string) =>
  callServer<{ session_id: string }>('/sessions', {
    method: 'POST',
    body: { student_id: pupilId, question_set_id: questionSetId },
    idempotencyKey: key,
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
    onSuccess: () => client.invalidateQueries({ queryKey: ['teacher'] }),
  })
}

const COUNTED_EVERY_MS = 5_000

/** Follows what happens in all sessions and writes it into the query cache. */
export function useTeacherEvents(): Connection {
  const client = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')
  useEffect(() => {
    const stopping = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    // What is counted over many sessions is read again, for many events at once.
    const countAgain = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        for (const counted of ['classes', 'grids', 'pupils']) {
          void client.invalidateQueries({ queryKey: ['teacher', counted] })
        }
      }, COUNTED_EVERY_MS)
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
        countAgain()
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
    let isNew = true
    client.setQueriesData<DeskSession[]>({ queryKey: SESSIONS }, (known) => {
      const before = known?.find((one) => one.id === session.id)
      if (before) isNew = false
      return before ? withItem(known, { ...before, ...session }) : known
    })
    if (isNew) void client.invalidateQueries({ queryKey: SESSIONS })
    void client.invalidateQueries({ queryKey: reportKey(session.id) })
    void client.invalidateQueries({ queryKey: sessionKey(session.id) })
  } else if (type === 'alert') {
    const alert = data as TeacherAlert
    client.setQueryData(alertsQuery.queryKey, (known) =>
      withItem(known, { ...known?.find(({ id }) => id === alert.id), ...alert }),
    )
    void client.invalidateQueries({ queryKey: alertsQuery.queryKey })
  } else if (type === 'report') {
    void client.invalidateQueries({ queryKey: SESSIONS })
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
