import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type {
  FailedDelivery,
  HeldEntity,
  OperatorArc,
  OperatorOverview,
  TokenUse,
} from '../../src/contracts/operator.ts'
import { arcs, callApi } from './client.ts'

const EVERY_MS = 15_000

/** What arcs are looked for; all of it may be left out. */
export interface ArcSearch {
  phase?: string | undefined
  held?: string | undefined
  search?: string | undefined
}

export const overviewQuery = queryOptions({
  queryKey: ['operator', 'overview'],
  queryFn: ({ signal }) => callApi<OperatorOverview>('/operator/overview', { signal }),
  refetchInterval: EVERY_MS,
})

export const heldQuery = queryOptions({
  queryKey: ['operator', 'held'],
  queryFn: async ({ signal }) =>
    (await callApi<{ items: HeldEntity[] }>('/operator/held', { signal })).items,
  refetchInterval: EVERY_MS,
})

export const operatorArcsQuery = (wanted: ArcSearch) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'arcs', wanted],
    queryFn: ({ signal, pageParam }) => {
      const given = Object.entries({ ...wanted, cursor: pageParam }).filter(([, value]) => value)
      const query = new URLSearchParams(given as [string, string][])
      return callApi<{ items: OperatorArc[]; nextCursor: string | null }>(
        `/operator/arcs?${query}`,
        { signal },
      )
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: EVERY_MS,
  })

export const tokensQuery = (days: number) =>
  queryOptions({
    queryKey: ['operator', 'tokens', days],
    queryFn: ({ signal }) =>
      callApi<{ items: TokenUse[]; hasPrices: boolean }>(`/operator/tokens?days=${days}`, {
        signal,
      }),
  })

export const deliveriesQuery = queryOptions({
  queryKey: ['operator', 'deliveries'],
  queryFn: async ({ signal }) =>
    (await callApi<{ items: FailedDelivery[] }>('/operator/deliveries', { signal })).items,
})

/** What `/readyz` says of each part; it says so with 503 too. */
export const healthQuery = queryOptions({
  queryKey: ['operator', 'health'],
  queryFn: async ({ signal }) => {
    const response = await fetch('/readyz', { signal })
    return (await response.json()) as { status: string; checks: Record<string, string> }
  },
  refetchInterval: EVERY_MS,
})

/** Closes an arc, or has its plan looked at again, with the operator's reason. */
export function useArcCommand(arcId: string, command: 'abandon' | 'replan') {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (reason: string) => arcs.command(arcId, command, { reason }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['operator'] }),
  })
}
