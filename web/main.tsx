import '@mantine/core/styles.layer.css'
import './global.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { queryClient } from './api/query-client.ts'
import { outbox } from './conversation/use-outbox.ts'
import { firstSpoken, speak } from './i18n/i18n.ts'
import { router } from './router.tsx'
import { cssVariables, themeWith } from './theme.ts'
import { registerServiceWorker } from './worker/register.ts'

outbox.start()
registerServiceWorker()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
await speak(firstSpoken(navigator.languages)).catch(() => {})
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

function App() {
  const { t } = useTranslation()
  const close = t('nav.close')
  const theme = useMemo(() => themeWith(close), [close])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
