import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AgendaView } from '../../src/contracts/agenda.ts'
import type { ChannelName } from '../../src/contracts/channel.ts'
import type {
  Activity,
  Fact,
  LearnerPatch,
  LearnerView,
  Level,
} from '../../src/contracts/learner.ts'
import { callApi } from './client.ts'

const ME = '/learners/me'

/** Reviews fall due by themselves: what waits is looked up again this often. */
export const AGENDA_MS = 20_000

const meKey = ['me'] as const

/** The learner who looks at the page, and their settings. */
const learnerQuery = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => callApi<LearnerView>(ME, { signal }),
  staleTime: 300_000,
})

export const useLearner = () => useQuery(learnerQuery)

/** Changes settings; the answer is the learner as they are now. */
export function useChangeLearner() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (patch: LearnerPatch) => callApi<LearnerView>(ME, { method: 'PATCH', body: patch }),
    onSuccess: (learner) => {
      client.setQueryData(meKey, learner)
      return client.invalidateQueries({ queryKey: agendaKey })
    },
  })
}

export const agendaKey = ['agenda'] as const

/** What waits today over all topics. */
const agendaQuery = queryOptions({
  queryKey: agendaKey,
  queryFn: ({ signal }) => callApi<AgendaView>(`${ME}/agenda`, { signal }),
  refetchInterval: AGENDA_MS,
  refetchOnMount: 'always',
})

export const useAgenda = () => useQuery(agendaQuery)

export interface ForecastDay {
  /** In the learner's zone, YYYY-MM-DD. */
  date: string
  count: number
}

export const forecastQuery = queryOptions({
  queryKey: ['forecast'],
  queryFn: async ({ signal }) =>
    (await callApi<{ forecast: ForecastDay[] }>(`${ME}/forecast`, { signal })).forecast,
  refetchOnMount: 'always',
})

export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: ({ signal }) => callApi<Activity>(`${ME}/activity?days=182`, { signal }),
  refetchOnMount: 'always',
})

const memoryKey = ['memory'] as const

export const memoryQuery = queryOptions({
  queryKey: memoryKey,
  queryFn: ({ signal }) => callApi<{ items: Fact[]; levels: Level[] }>(`${ME}/memory`, { signal }),
  refetchOnMount: 'always',
})

/** Corrects a fact that is remembered, or has it forgotten where there is no text. */
export function useChangeFact() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, fact }: { id: string; fact: string | null }) =>
      fact === null
        ? callApi<unknown>(`${ME}/memory/${id}`, { method: 'DELETE' })
        : callApi<unknown>(`${ME}/memory/${id}`, { method: 'PATCH', body: { fact } }),
    onSuccess: () => client.invalidateQueries({ queryKey: memoryKey }),
  })
}

/** A way to reach the learner. */
export interface Channel {
  channel: ChannelName
  status: 'pending' | 'linked'
  /** What tells two of a channel apart; empty where there can be but one. */
  place: string
  /** What a person knows it by: an address, a chat's name, a host. */
  label: string | null
  /** Why it was taken out of use. */
  failure: string | null
}

/** A channel that was asked for, with what has to be done to finish it: send a code, where. */
export interface AskedChannel {
  channel: ChannelName
  status: 'pending' | 'linked'
  code?: string
  url?: string
}

const channelsKey = ['channels'] as const

/** Where the learner can be reached with no page open. */
export const channelsQuery = queryOptions({
  queryKey: channelsKey,
  queryFn: async ({ signal }) =>
    (await callApi<{ items: Channel[] }>(`${ME}/channels`, { signal })).items,
  refetchOnMount: 'always',
})

export function useAskForChannel(channel: ChannelName) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: object) =>
      callApi<AskedChannel>(`${ME}/channels/${channel}`, {
        method: 'POST',
        body,
        idempotencyKey: crypto.randomUUID(),
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: channelsKey }),
  })
}

export function useLeaveChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ channel, place }: Channel) => {
      const which = place === '' ? '' : `?place=${encodeURIComponent(place)}`
      return callApi<unknown>(`${ME}/channels/${channel}${which}`, { method: 'DELETE' })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: channelsKey }),
  })
}

/** Sends a test message to the learner's webhook. */
export const useTestWebhook = () =>
  useMutation({
    mutationFn: () =>
      callApi<{ taken: boolean; detail: string | null }>(`${ME}/channels/webhook/test`, {
        method: 'POST',
        body: {},
      }),
  })

const calendarFeedKey = ['calendar-feed'] as const

/** Since when the calendar has a private address. */
export const calendarFeedQuery = queryOptions({
  queryKey: calendarFeedKey,
  queryFn: ({ signal }) => callApi<{ since: string | null }>(`${ME}/calendar-feed`, { signal }),
})

/** Makes a private address; an older one ends. */
export function useRenewCalendarFeed() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi<{ url: string }>(`${ME}/calendar-feed`, { method: 'POST', body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: calendarFeedKey }),
  })
}

export function useEndCalendarFeed() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi<unknown>(`${ME}/calendar-feed`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: calendarFeedKey }),
  })
}
