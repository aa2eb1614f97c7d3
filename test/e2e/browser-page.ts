import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { expect } from 'vitest'
import { chromiumLaunchOptions, findChromium } from '../support/chromium.ts'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** For a browser on a machine that has other things to do. */
export const PATIENCE = { testTimeout: 180_000, hookTimeout: 180_000 }

/** Waits until what is read is as expected, as long as a busy machine may take. */
export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })

let launched: Promise<Browser> | null = null

/** The machine's own Chromium, one for all test files of a worker; it ends with the worker. */
export function sharedChromium(): Promise<Browser> {
  launched ??= findChromium().then((path) => chromium.launch(chromiumLaunchOptions(path)))
  return launched
}

/** A page with nothing moving, in English and UTC; it fails on errors of its own scripts. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('request', (request) => {
    const { hostname } = new URL(request.url())
    if (hostname !== '127.0.0.1' && hostname !== '')
      errors.push(`left the machine: ${request.url()}`)
  })
  return { page, errors }
}

/** What axe finds against WCAG 2.2 AA, one line for each place. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The page has no frames: what axe does for theirs takes as long as all the rest.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  const { violations } = await axe
    .options({ runOnly: { type: 'tag', values: WCAG }, resultTypes: ['violations'] })
    .analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
  )
}
