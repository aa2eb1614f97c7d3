import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { chromiumLaunchOptions, findChromium } from '../support/chromium.ts'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import { axeFindings, PATIENCE, soon } from './browser-page.ts'

vi.setConfig(PATIENCE)

let meno: MenoProcess
let profile: string
let context: BrowserContext
let arcId: string

beforeAll(async () => {
  meno = await startMenoProcess()
})
afterAll(async () => {
  await meno?.remove()
})
beforeEach(async () => {
  profile = mkdtempSync(path.join(tmpdir(), 'meno-browser-'))
  await openBrowser()
  arcId = await begin()
})
afterEach(async () => {
  await context.close()
  rmSync(profile, { recursive: true, force: true })
})

/** A browser on the profile of the test: what it keeps, it finds again. */
async function openBrowser(): Promise<void> {
  context = await chromium.launchPersistentContext(profile, {
    ...chromiumLaunchOptions(await findChromium()),
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(30_000)
}

/** An arc whose first question is answered in writing: which one is asked differs from arc to arc. */
async function begin(): Promise<string> {
  for (;;) {
    const id = await beginOne()
    let format: string | undefined
    await soon(async () => {
      const arc = await (await fetch(`${meno.url()}/api/arcs/${id}`)).json()
      format = (arc as { pendingQuestion: { format: string } | null }).pendingQuestion?.format
      return format
    }).toBeDefined()
    if (format === 'short_answer') return id
  }
}

async function beginOne(): Promise<string> {
  const response = await fetch(`${meno.url()}/api/arcs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ topic: 'Algebra basics', settings: { skipDiagnosis: true } }),
  })
  const { arcId } = (await response.json()) as { arcId: string }
  return arcId
}

interface Box {
  scrollTop: number
}

const address = () => `${meno.url()}/arcs/${arcId}`
const answerField = (page: Page) => page.getByRole('textbox', { name: 'Your answer' })
const said = (page: Page) => page.getByRole('log').locator('[data-from="learner"]')

async function openArc(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address())
  await page.getByTestId('question').waitFor()
  return page
}

/** What the learner has said, as the server has it. */
const stored = async (): Promise<string[]> =>
  (
    await meno.rows<{ text: string }>(
      `select text from arc_messages where arc_id = $1 and role = 'learner' order by position`,
      [arcId],
    )
  ).map(({ text }) => text)

it('keeps an answer typed without a network while the browser is closed, and sends it once', async () => {
  const page = await openArc()
  await context.setOffline(true)
  await page.getByTestId('offline').waitFor()
  await answerField(page).fill('23')
  await page.keyboard.press('Enter')
  await page.getByTestId('state').getByText('On this device').waitFor()
  expect(await page.getByText('you may close the page').count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
  await context.close()
  expect(await stored()).toEqual([])

  await openBrowser()
  const home = await context.newPage()
  await home.goto(meno.url())
  await soon(stored).toEqual(['23'])
  const again = await openArc()
  await soon(() => said(again).count()).toBe(1)
  await again.reload()
  await again.getByTestId('question').waitFor()
  expect(await stored()).toEqual(['23'])
})

it('shows in every window what one of them could not send, and sends it once from all', async () => {
  const [first, second] = [await openArc(), await openArc()]
  await context.setOffline(true)
  await answerField(first).fill('23')
  await first.keyboard.press('Enter')
  await second.getByTestId('state').getByText('On this device').waitFor()
  await context.setOffline(false)
  await Promise.all([soon(() => said(first).count()).toBe(1), soon(stored).toEqual(['23'])])
  await soon(() => second.getByTestId('state').textContent()).toBe('Answered')
  await second.waitForTimeout(1_000)
  expect(await stored()).toEqual(['23'])
})

it('opens without a network with what was read, and takes the answer to the open question', async () => {
  const page = await openArc()
  const question = await page.getByTestId('question').innerText()
  // The worker keeps what the window had loaded before it was there.
  await soon(() =>
    page.evaluate<number>(
      `caches.open('meno-reads').then((kept) => kept.keys()).then(({ length }) => length)`,
    ),
  ).toBeGreaterThan(2)
  await page.getByRole('log').locator('.katex').first().waitFor()
  await page.waitForTimeout(1_000)
  await page.close()
  await context.setOffline(true)
  const offline = await context.newPage()
  await offline.goto(address())
  await soon(() => offline.getByTestId('question').innerText()).toBe(question)
  await offline.getByRole('log').locator('.katex').first().waitFor()
  await offline.getByTestId('offline').waitFor()
  await answerField(offline).fill('23')
  await offline.keyboard.press('Enter')
  await offline.getByTestId('state').getByText('On this device').waitFor()
  await context.setOffline(false)
  await soon(stored).toEqual(['23'])
})

it('leaves the view where it is while an answer is written', async () => {
  const page = await openArc()
  const place = () =>
    page.getByRole('log').evaluate((element) => (element as unknown as Box).scrollTop)
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, 20_000)
  await page.waitForTimeout(300)
  const question = page.getByTestId('question')
  const before = await place()
  await answerField(page).click()
  for (let line = 1; line <= 4; line += 1) {
    await page.keyboard.type('because it is so ')
    await page.keyboard.press('Shift+Enter')
    expect(await place()).toBeGreaterThanOrEqual(before)
    // The whole question stands above the field that has grown.
    const [asked, log] = [await question.boundingBox(), await page.getByRole('log').boundingBox()]
    const bottom = (box: typeof asked) => (box ? box.y + box.height : Number.NaN)
    expect(bottom(asked)).toBeGreaterThan(log?.y ?? 0)
    expect(bottom(asked)).toBeLessThan(bottom(log) + 1)
  }
})
