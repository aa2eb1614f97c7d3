import { QueryClient } from '@tanstack/react-query'
import { isProblem } from '../../src/client/problem.ts'

/** What the page has read of the server. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Also without a network: what was read before is still there.
      networkMode: 'offlineFirst',
      staleTime: 10_000,
      retry: (failures, error) => failures < 3 && !(isProblem(error) && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
})
