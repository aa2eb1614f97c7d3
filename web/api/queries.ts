import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  ArcMessage,
  ArcView,
  CreateArc,
  CreatedArc,
  MindMapView,
} from '../../src/contracts/arc.ts'
import { type Draft, mergeMessages, type Nudge } from './arc-state.ts'
import { callApi } from './client.ts'

/** A course as the API lists it. */
export interface CourseSummary {
  courseId: string
  title: string
  description?: string
  units: { unitId: string; title: string; effortMinutes: number }[]
}

/** Where the parts of an arc live in the query cache. */
export const arcKeys = (arcId: string) => ({
  arc: ['arc', arcId] as const,
  messages: ['arc', arcId, 'messages'] as const,
  mindMap: ['arc', arcId, 'mindMap'] as const,
  draft: ['arc', arcId, 'draft'] as const,
  nudge: ['arc', arcId, 'nudge'] as const,
})

const path = (arcId: string) => `/arcs/${encodeURIComponent(arcId)}`

export const arcsQuery = queryOptions({
  queryKey: ['arcs'],
  queryFn: ({ signal }) =>
    callApi<{ items: ArcView[]; nextCursor: string | null }>('/arcs?limit=50', { signal }),
  refetchOnMount: 'always',
})

export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  staleTime: 600_000,
  queryFn: async ({ signal }) => {
    const answer = await callApi<CourseSummary[] | { items: CourseSummary[] }>('/courses', {
      signal,
    })
    return Array.isArray(answer) ? answer : answer.items
  },
})

export const useArc = (arcId: string) =>
  useQuery({
    queryKey: arcKeys(arcId).arc,
    queryFn: ({ signal }) => callApi<ArcView>(path(arcId), { signal }),
  })

export const useMindMap = (arcId: string) =>
  useQuery({
    queryKey: arcKeys(arcId).mindMap,
    queryFn: ({ signal }) => callApi<MindMapView>(`${path(arcId)}/mind-map`, { signal }),
  })

export function useMessages(arcId: string) {
  const client = useQueryClient()
  const queryKey = arcKeys(arcId).messages
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const read = await readAllMessages(arcId, signal)
      // An event may have brought a message after the server read the list.
      return mergeMessages(read, client.getQueryData<ArcMessage[]>(queryKey) ?? [])
    },
  })
}

const PAGE = 100

async function readAllMessages(arcId: string, signal: AbortSignal): Promise<ArcMessage[]> {
  const messages: ArcMessage[] = []
  for (;;) {
    const after = messages.at(-1)?.id
    const place = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
    const url = `${path(arcId)}/messages?limit=${PAGE}${place}`
    const { items } = await callApi<{ items: ArcMessage[] }>(url, { signal })
    messages.push(...items)
    if (items.length < PAGE) return messages
  }
}

/** What the events alone write: the text being written, and a nudge. */
export const useDraft = (arcId: string) =>
  useQuery<Draft | null>({
    queryKey: arcKeys(arcId).draft,
    queryFn: () => null,
    enabled: false,
    initialData: null,
  }).data

export const useNudge = (arcId: string) =>
  useQuery<Nudge | null>({
    queryKey: arcKeys(arcId).nudge,
    queryFn: () => null,
    enabled: false,
    initialData: null,
  }).data

export type NewArc = z.input<typeof CreateArc>

export const createArc = (body: NewArc, idempotencyKey: string) =>
  callApi<z.infer<typeof CreatedArc>>('/arcs', { method: 'POST', body, idempotencyKey })

/** Ends the text being written: what is shown of it becomes the message. */
export const stopWriting = (arcId: string, turnId: string) =>
  callApi<unknown>(`${path(arcId)}/stop`, { method: 'POST', body: { turnId } })

/** Has the tutor's last lesson or answer written again. */
export const writeAgain = (arcId: string, messageId: string) =>
  callApi<unknown>(`${path(arcId)}/regenerate`, { method: 'POST', body: { messageId } })

/** What a person may do to an arc as a whole. */
export type ArcCommand = 'abandon' | 'replan' | 'reviews/start' | 'pause' | 'resume'

export const commandArc = (
  arcId: string,
  command: ArcCommand,
  body: { reason?: string; goal?: string } = {},
  idempotencyKey: string = crypto.randomUUID(),
) => callApi<unknown>(`${path(arcId)}/${command}`, { method: 'POST', body, idempotencyKey })
