import '@mantine/core/styles.css'
import './global.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isProblem } from '../src/client/problem.ts'
import { outbox } from './arc/use-outbox.ts'
import './i18n/i18n.ts'
import { router } from './router.tsx'
import { cssVariables, theme } from './theme.ts'
import { registerServiceWorker } from './worker/register.ts'

const queries = new QueryClient({
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

outbox.start()
registerServiceWorker()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
