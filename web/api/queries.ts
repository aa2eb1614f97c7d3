import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
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
  queryFn: ({ signal }) => arcs.arcs('me', signal),
  refetchOnMount: 'always',
})

export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  staleTime: 600_000,
  queryFn: ({ signal }) => arcs.courses(signal),
})

const arcQuery = (arcId: string) =>
  queryOptions({
    queryKey: arcKeys(arcId).arc,
    queryFn: ({ signal }) => arcs.arc(arcId, signal),
  })

const mindMapQuery = (arcId: string) =>
  queryOptions({
    queryKey: arcKeys(arcId).mindMap,
    queryFn: ({ signal }) => arcs.mindMap(arcId, signal),
  })

/** The topic looked back upon, as it is whenever somebody looks. */
export const useSummary = (arcId: string) =>
  useQuery({
    queryKey: ['arc', arcId, 'summary'],
    queryFn: ({ signal }) => arcs.summary(arcId, signal),
    refetchOnMount: 'always',
  })

/** So many messages are read at a time. */
const PAGE = 30

/** Where the id of the oldest message of all stands, once it was read. */
const oldestKey = (arcId: string) => ['arc', arcId, 'oldest'] as const

/** The last messages of an arc, and older ones as far as they were asked for. */
const messagesQuery = (arcId: string) =>
  queryOptions({
    queryKey: arcKeys(arcId).messages,
    queryFn: async ({ signal, client, queryKey }) => {
      const page = await arcs.lastMessages(arcId, null, PAGE, signal)
      if (page.length < PAGE) client.setQueryData(oldestKey(arcId), page[0]?.id ?? '')
      return withLastPage(page, client.getQueryData<ArcMessage[]>(queryKey) ?? [])
    },
  })

/** Reads an arc while its screen is still being loaded; the last texts of its conversation. */
export async function prefetchArc(client: QueryClient, arcId: string): Promise<string[]> {
  void client.prefetchQuery(mindMapQuery(arcId))
  await Promise.all([
    client.prefetchQuery(arcQuery(arcId)),
    client.prefetchQuery(messagesQuery(arcId)),
  ])
  const messages = client.getQueryData(messagesQuery(arcId).queryKey) ?? []
  return messages.map(({ text }) => text)
}

export const useArc = (arcId: string) => useQuery(arcQuery(arcId))

export const useMindMap = (arcId: string) => useQuery(mindMapQuery(arcId))

/** The last messages of an arc, and a way to the ones before. */
export function useMessages(arcId: string) {
  const client = useQueryClient()
  const { queryKey } = messagesQuery(arcId)
  const query = useQuery(messagesQuery(arcId))
  const { data = [] } = query
  /** Reads the page before; `onRead` is called just before it is there. */
  const readOlder = async (onRead: () => void) => {
    const first = client.getQueryData(queryKey)?.[0]?.id
    if (first === undefined) return
    const page = await arcs.lastMessages(arcId, first, PAGE)
    if (page.length < PAGE) client.setQueryData(oldestKey(arcId), page[0]?.id ?? first)
    onRead()
    client.setQueryData(queryKey, (now = []) => (now[0]?.id === first ? [...page, ...now] : now))
  }
  const isWhole = data[0]?.id === client.getQueryData<string>(oldestKey(arcId))
  return { ...query, hasOlder: data.length >= PAGE && !isWhole, readOlder }
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
