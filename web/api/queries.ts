import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Draft, Nudge } from '../../src/client/arc-event.ts'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import { withLastPage } from './arc-state.ts'
import { arcs } from './client.ts'

/** Where the parts of an arc live in the query cache. */
export const arcKeys = (arcId: string) => ({
  arc: ['arc', arcId] as const,
  messages: ['arc', arcId, 'messages'] as const,
  mindMap: ['arc', arcId, 'mindMap'] as const,
  draft: ['arc', arcId, 'draft'] as const,
  nudge: ['arc', arcId, 'nudge'] as const,
})

export const arcsQuery = queryOptions({
  queryKey: ['arcs'],
  queryFn: ({ signal }) => arcs.arcs('all', signal),
  refetchOnMount: 'always',
})

export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  staleTime: 600_000,
  queryFn: ({ signal }) => arcs.courses(signal),
})

export const useArc = (arcId: string) =>
  useQuery({
    queryKey: arcKeys(arcId).arc,
    queryFn: ({ signal }) => arcs.arc(arcId, signal),
  })

export const useMindMap = (arcId: string) =>
  useQuery({
    queryKey: arcKeys(arcId).mindMap,
    queryFn: ({ signal }) => arcs.mindMap(arcId, signal),
  })

/** So many messages are read at a time. */
const PAGE = 40

/** The last messages of an arc, and older ones as far as they were asked for. */
export function useMessages(arcId: string) {
  const client = useQueryClient()
  const queryKey = arcKeys(arcId).messages
  const known = () => client.getQueryData<ArcMessage[]>(queryKey) ?? []
  const [oldest, setOldest] = useState<string | null>(null)
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const page = await arcs.lastMessages(arcId, null, PAGE, signal)
      const messages = withLastPage(page, known())
      if (page.length < PAGE) setOldest(page[0]?.id ?? null)
      return messages
    },
  })
  const { data = [] } = query
  /** Reads the page before; `onRead` is called just before it is there. */
  const readOlder = async (onRead: () => void) => {
    const first = known()[0]?.id
    if (first === undefined) return
    const page = await arcs.lastMessages(arcId, first, PAGE)
    if (page.length < PAGE) setOldest(page[0]?.id ?? first)
    onRead()
    client.setQueryData<ArcMessage[]>(queryKey, (now = []) =>
      now[0]?.id === first ? [...page, ...now] : now,
    )
  }
  return { ...query, hasOlder: data.length >= PAGE && data[0]?.id !== oldest, readOlder }
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
