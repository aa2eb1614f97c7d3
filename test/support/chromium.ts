import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../../src/config.ts'
import { waitForLock } from '../../src/dev/pid-lock.mjs'
import { findOnPath, type Log, runCommand } from '../../src/dev/run-command.ts'

/** First the one without a window: it draws the same pages with two thirds of the work. */
const NAMES = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable', 'chrome'],
]
const FONTS = 'fonts-dejavu-core'
/** Tried in this order: not every system has the first. */
const APT_PACKAGES = ['chromium-headless-shell', 'chromium']

/**
 * The path of a Chromium or Chrome for the browser tests: `CHROMIUM_PATH`, else one on PATH, else
 * the one Playwright downloaded, else installed with apt when we are root on such a machine.
 * Throws with the command that would mend it.
 */
export async function findChromium(
  options: { env?: NodeJS.ProcessEnv; log?: Log } = {},
): Promise<string> {
  const { env = process.env, log = console.log } = options
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH
  const cache = cacheFolder(env)
  mkdirSync(cache, { recursive: true })
  // Test files that begin together look one after the other: apt serves one at a time, and what is half installed is on PATH.
  const lock = await waitForLock(join(cache, 'chromium.lock'))
  try {
    const found = onPath(env.PATH) ?? (await playwrightsOwn()) ?? (await installed(env, log))
    if (found) return found
  } finally {
    lock.release()
  }
  throw new Error(
    'No Chromium for the browser tests. Install one with: npx playwright install chromium\n' +
      `or: apt-get install -y --no-install-recommends chromium ${FONTS}\n` +
      'or name one: CHROMIUM_PATH=/path/to/chrome npm test',
  )
}

/** Installs it with apt; null where we may not, or no package brings it. */
async function installed(env: NodeJS.ProcessEnv, log: Log): Promise<string | null> {
  const apt = findOnPath('apt-get', env.PATH)
  if (!apt || process.getuid?.() !== 0) return null
  const quiet = { log, env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } }
  await runCommand(apt, ['update'], { label: 'Reading the package lists', ...quiet })
  for (const name of APT_PACKAGES) {
    const install = ['install', '-y', '--no-install-recommends', name, FONTS]
    const installing = runCommand(apt, install, { label: `Installing ${name}`, ...quiet })
    await installing.catch((error) => log(String(error)))
    const found = onPath(env.PATH)
    if (found) return found
  }
  return null
}

/** Playwright's launch options for that browser; without a sandbox where root would be refused one. */
export function chromiumLaunchOptions(executablePath: string) {
  return {
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  }
}

function onPath(path: string | undefined): string | null {
  return NAMES.map((name) => findOnPath(name, path)).find((found) => found !== null) ?? null
}

async function playwrightsOwn(): Promise<string | null> {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : null
}
