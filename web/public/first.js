// Runs before the page is there; a file of its own, so that no inline script is needed.

// The colour scheme is set before the first paint.
try {
  const stored = localStorage.getItem('mantine-color-scheme-value')
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const scheme = stored === 'light' || stored === 'dark' ? stored : dark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
} catch {}

// What the screen asks for first is read while its code is on the way; `web/api/early-reads.ts` takes the answers.
const arc = /^\/arcs\/[\w-]+$/.exec(location.pathname)?.[0]
const ofScreen = arc
  ? [`/api${arc}`, `/api${arc}/messages?before=&limit=30`, `/api${arc}/mind-map`]
  : location.pathname === '/'
    ? ['/api/arcs?limit=100&learnerId=me']
    : []
const ofPage = ['/api/learners/me', '/api/learners/me/agenda', '/api/teacher/standing']
globalThis.menoReads = {}
for (const path of [...ofScreen, ...ofPage]) {
  const read = fetch(path, { headers: { accept: 'application/json' } })
  globalThis.menoReads[path] = read
  read.then((answer) => arc && answer.clone().text().then(expectFormulas)).catch(() => {})
}

// A browser's first format of dates takes it long to make, the next ones do not; here it has nothing else to do.
for (const style of [{ timeStyle: 'short' }, { dateStyle: 'medium', timeStyle: 'short' }]) {
  new Intl.DateTimeFormat(navigator.languages, style).format()
}

/** Fetches what sets formulas where there will be some. */
function expectFormulas(text) {
  const files = document.querySelector('meta[name="meno-formula"]')?.content.split(' ') ?? []
  if (!/\$|\\\\[([]/.test(text)) return
  for (const file of files) {
    const href = `/assets/${file}`
    if (document.querySelector(`link[href="${href}"]`)) continue
    const kind = href.endsWith('.css')
      ? { rel: 'preload', as: 'style', crossOrigin: '' }
      : { rel: 'modulepreload' }
    document.head.append(Object.assign(document.createElement('link'), kind, { href }))
  }
}
