import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Draft, Nudge } from '../../src/client/arc-event.ts'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import { mergeMessages } from './arc-state.ts'
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
  queryFn: ({ signal }) => arcs.arcs('me', signal),
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

export function useMessages(arcId: string) {
  const client = useQueryClient()
  const queryKey = arcKeys(arcId).messages
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const read = await arcs.messages(arcId, null, signal)
      // An event may have brought a message after the server read the list.
      return mergeMessages(read, client.getQueryData<ArcMessage[]>(queryKey) ?? [])
    },
  })
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
