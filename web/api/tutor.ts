import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isProblem } from '../../src/client/problem.ts'
import type {
  ClientEvent,
  CreateThread,
  DrillGradeRequest,
  DrillGradeResponse,
  McqSubmitResponse,
  SnapshotLite,
  SupportViewedResponse,
  ThreadList,
  ThreadView,
  TurnDebug,
  TurnResponse,
  TutorMessage,
} from '../../src/contracts/course-tutor.ts'
import { callApi } from './client.ts'

export type Thread = ThreadList['items'][number]

/** Where the parts of a thread live in the query cache. */
const threadKeys = (threadId: string) => ({
  messages: ['tutor', threadId, 'messages'] as const,
  snapshot: ['tutor', threadId, 'snapshot'] as const,
  debug: ['tutor', threadId, 'debug'] as const,
})

const path = (threadId: string) => `/tutor/threads/${encodeURIComponent(threadId)}`

export const threadsQuery = queryOptions({
  queryKey: ['tutor', 'threads'],
  queryFn: async ({ signal }) => (await callApi<ThreadList>('/tutor/threads', { signal })).items,
})

export const openThread = (body: CreateThread, idempotencyKey: string) =>
  callApi<{ threadId: string }>('/tutor/threads', { method: 'POST', body, idempotencyKey })

export const useThreadMessages = (threadId: string) =>
  useQuery({
    queryKey: threadKeys(threadId).messages,
    queryFn: ({ signal }) => readAllMessages(threadId, signal),
  })

const PAGE = 500

async function readAllMessages(threadId: string, signal: AbortSignal): Promise<TutorMessage[]> {
  const messages: TutorMessage[] = []
  for (;;) {
    const after = messages.at(-1)?.id
    const place = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
    const url = `${path(threadId)}/messages?limit=${PAGE}${place}`
    const { items } = await callApi<{ items: TutorMessage[] }>(url, { signal })
    messages.push(...items)
    if (items.length < PAGE) return messages
  }
}

/** How the last turn came about; null before the first. Refused with 403 to those who may not look. */
export const useTurnDebug = (threadId: string) =>
  useQuery({
    queryKey: threadKeys(threadId).debug,
    queryFn: async ({ signal }) => {
      try {
        return await callApi<TurnDebug>(`${path(threadId)}/debug`, { signal })
      } catch (error) {
        if (isProblem(error) && error.status === 404) return null
        throw error
      }
    },
  })

/** Where the learner stands: as the thread says when it is opened, then as every answer of the server says. */
export const useSnapshot = (threadId: string) =>
  useQuery({
    queryKey: threadKeys(threadId).snapshot,
    queryFn: async ({ signal }) =>
      (await callApi<ThreadView>(path(threadId), { signal })).snapshotLite,
  }).data

interface Turn {
  messageText?: string
  messageLatex?: string
  voiceTranscript?: string
  clientEvent?: ClientEvent
}

/** A turn on its way, under a key that makes a repeat of it harmless. */
export interface PendingTurn extends Turn {
  key: string
}

/** Says something in a thread, or presses a button of a card, and takes in what the tutor answers. */
export function useTurn({ threadId, courseId }: Pick<Thread, 'threadId' | 'courseId'>) {
  const client = useQueryClient()
  const keys = threadKeys(threadId)
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: ({ key, ...turn }: PendingTurn) =>
      callApi<TurnResponse>(`${path(threadId)}/turn`, {
        method: 'POST',
        body: { courseId, ...turn },
        idempotencyKey: key,
      }),
    onSuccess: ({ messages, snapshotLite }) => {
      client.setQueryData<TutorMessage[]>(keys.messages, (known = []) => {
        const added = new Set(messages.map(({ id }) => id))
        return [...known.filter(({ id }) => !added.has(id)), ...messages]
      })
      client.setQueryData(keys.snapshot, snapshotLite)
      void client.invalidateQueries({ queryKey: keys.debug })
      void client.invalidateQueries({ queryKey: threadsQuery.queryKey })
    },
  })
  return {
    say: (turn: Turn) => mutate({ ...turn, key: crypto.randomUUID() }),
    again: () => variables && mutate(variables),
    pending: isPending ? variables : null,
    error,
  }
}

/**
 * A verdict of the server on a card; brings the snapshot up to date, and after a conflict the thread. The same asked
 * again after a failure goes under the same key.
 */
function useVerdict<Asked, Answer extends { snapshotLite: SnapshotLite }>(
  threadId: string,
  endpoint: string,
) {
  const client = useQueryClient()
  const keys = threadKeys(threadId)
  const failed = useRef<{ asked: string; idempotencyKey: string } | null>(null)
  return useMutation({
    mutationFn: (body: Asked) => {
      const asked = JSON.stringify(body)
      if (failed.current?.asked !== asked) {
        failed.current = { asked, idempotencyKey: crypto.randomUUID() }
      }
      const { idempotencyKey } = failed.current
      return callApi<Answer>(`${path(threadId)}/${endpoint}`, {
        method: 'POST',
        body,
        idempotencyKey,
      })
    },
    onSuccess: ({ snapshotLite }) => {
      failed.current = null
      client.setQueryData(keys.snapshot, snapshotLite)
    },
    onError: (error) => {
      if (!isProblem(error) || error.status !== 409) return
      void client.invalidateQueries({ queryKey: keys.messages })
    },
  })
}

interface SentDrill extends Omit<DrillGradeRequest, 'drill'> {
  drill: { prompt: string; question_latex: string; token: string }
}

export const useDrillGrade = (threadId: string) =>
  useVerdict<SentDrill, DrillGradeResponse>(threadId, 'drill/grade')

interface SentOption {
  courseId: string
  questionId: string
  selectedOptionId: string
}

export const useExamAnswer = (threadId: string) =>
  useVerdict<SentOption, McqSubmitResponse>(threadId, 'exam/mcq-submit')

interface AskedSupport {
  courseId: string
  unitId: string
  questionId: string
  supportType: 'memo' | 'video'
}

export const useExamSupport = (threadId: string) =>
  useVerdict<AskedSupport, SupportViewedResponse>(threadId, 'exam/support-viewed')
