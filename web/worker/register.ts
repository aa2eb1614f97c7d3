/** Has the service worker keep what is read, and takes the page of a new release where the old one lacks its files. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  addEventListener('load', () => {
    void register().catch(() => {
      // Without one everything works but for being offline.
    })
  })
  addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED)) return
    sessionStorage.setItem(RELOADED, 'yes')
    event.preventDefault()
    location.reload()
  })
}

const RELOADED = 'meno-reloaded'

/** What is under way when the worker takes over is through by then. */
const LATER_MS = 4_000

async function register(): Promise<void> {
  const { serviceWorker } = navigator
  if (serviceWorker.controller === null) {
    serviceWorker.addEventListener(
      'controllerchange',
      () => {
        tellLoaded()
        setTimeout(tellLoaded, LATER_MS)
      },
      { once: true },
    )
  }
  await serviceWorker.register('/service-worker.js')
}

/** Tells the worker what this window has loaded without it. */
function tellLoaded(): void {
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/`))
  navigator.serviceWorker.controller?.postMessage({ loaded: [...new Set(loaded)] })
}
