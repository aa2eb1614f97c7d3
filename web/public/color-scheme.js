// Sets the colour scheme before the first paint; a file of its own, so that no inline script is needed.
try {
  const stored = localStorage.getItem('mantine-color-scheme-value')
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const scheme = stored === 'light' || stored === 'dark' ? stored : dark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
} catch {}
