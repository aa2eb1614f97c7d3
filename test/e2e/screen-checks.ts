import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import i18next, { type TFunction } from 'i18next'
import de from '../../web/i18n/de.json' with { type: 'json' }
import en from '../../web/i18n/en.json' with { type: 'json' }
import ofDesks from '../../web/i18n/en-desks.json' with { type: 'json' }
import ofMe from '../../web/i18n/en-me.json' with { type: 'json' }
import ofTutor from '../../web/i18n/en-tutor.json' with { type: 'json' }
import { listControls, listOverflow, settleColours, stateOfPage } from './in-page.mjs'

/** A screen of the page in one of its states. */
export interface Screen {
  name: string
  /** Brings a page there, by the words of its language, and waits until it is all there. */
  open(page: Page, t: TFunction): Promise<void>
  /** Controls that are not pressed: what they do is undone by nothing. Keys of the page's words, or what they are called. */
  leave?: (string | RegExp)[] | undefined
  /** The status of answers that belong to it. */
  refused?: number | undefined
}

export interface Control {
  id: string
  name: string
  role: string
  kind: string
  isOff: boolean
  isChosen: boolean
  /** Whether it leads to another site. */
  isAway: boolean
  problems: string[]
}

/** Where pictures go, when they are asked for. */
const PICTURES = process.env.MENO_PICTURES

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const SMALLEST = 320
/** The least size of a target, for a mouse and for a finger. WCAG 2.2, 2.5.8 and 2.5.5. */
const TARGET = { mouse: 24, finger: 44 }

const words = i18next.createInstance()
await words.init({
  resources: { en: { translation: en }, de: { translation: de } },
  fallbackLng: 'en',
  interpolation: { escapeValue: false },
})
for (const part of [ofDesks, ofMe, ofTutor])
  words.addResourceBundle('en', 'translation', part, true)

/** All that axe finds, best practices too, one line for each place; `only` some of its rules. */
async function findings(page: Page, only?: string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page })
  const { violations } = await (only ? builder.withRules(only) : builder).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
  )
}

/** Rules that colours decide. */
const COLOURS = ['color-contrast', 'link-in-text-block']

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name.replace(/[^\w]+/g, '-')}.png`) })
}

export const controlsOf = (page: Page, size = TARGET.mouse): Promise<Control[]> =>
  page.evaluate(listControls, size)

const problemsOf = (controls: Control[]) =>
  controls.flatMap(({ role, name, problems }) => problems.map((one) => `${role} “${name}”: ${one}`))

/** What is wrong with the screen as it is seen and reached: nothing, as far as this can be measured. */
export async function lookAt(
  browser: Browser,
  base: string,
  screen: Screen,
  view: 'desk' | 'phone',
): Promise<Record<string, string[]>> {
  const isPhone = view === 'phone'
  const context = await browser.newContext({
    baseURL: base,
    viewport: isPhone ? PHONE : DESKTOP,
    colorScheme: isPhone ? 'dark' : 'light',
    locale: isPhone ? 'de-AT' : 'en-GB',
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  const errors = watch(page, screen)
  await screen.open(page, words.getFixedT(isPhone ? 'de' : 'en'))
  const found: Record<string, string[]> = {}
  await picture(page, `${screen.name} ${view} ${isPhone ? 'dark' : 'light'}`)
  found.axe = await findings(page)
  if (!isPhone || PICTURES) {
    await page.emulateMedia({ colorScheme: isPhone ? 'light' : 'dark' })
    await page.evaluate(settleColours)
    await picture(page, `${screen.name} ${view} ${isPhone ? 'light' : 'dark'}`)
  }
  // In light the phone has the colours of the desk.
  if (!isPhone) found.colours = await findings(page, COLOURS)
  found.overflow = await page.evaluate(listOverflow)
  found.controls = problemsOf(await controlsOf(page, isPhone ? TARGET.finger : TARGET.mouse))
  if (isPhone) {
    await page.setViewportSize({ ...PHONE, width: SMALLEST })
    found.small = await page.evaluate(listOverflow)
    await picture(page, `${screen.name} ${SMALLEST}`)
  }
  found.errors = errors()
  await context.close()
  return Object.fromEntries(Object.entries(found).filter(([, lines]) => lines.length > 0))
}

/** Collects what goes wrong in a page: errors of scripts and of the console, and refused requests. */
function watch(page: Page, { refused }: Screen): () => string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      errors.push(message.text())
    }
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && response.status() !== refused) {
      errors.push(`${response.status()} ${response.request().method()} ${response.url()}`)
    }
  })
  return () => errors.splice(0)
}

/** Of controls that do the same for one entry of a list each, so many are pressed. */
const OF_A_LIST = 2

/** The way to the end is there only while the conversation is scrolled away from it. */
const COMES_AND_GOES = /^Go to the (end|question)$/

const known = ({ role, name }: Control) => `${role} ${name}`

/**
 * Presses the controls of a screen, each on the screen as it was: something has to come of it, and nothing to break. What
 * is in `done` was pressed on a screen before, and is not pressed again.
 */
export async function pressAll(
  browser: Browser,
  base: string,
  screen: Screen,
  done: Set<string>,
): Promise<string[]> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: DESKTOP,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const t = words.getFixedT('en')
  const left = (screen.leave ?? []).map((one) => (typeof one === 'string' ? t(one) : one))
  const isLeft = ({ name }: Control) =>
    COMES_AND_GOES.test(name) ||
    left.some((one) => (typeof one === 'string' ? one === name : one.test(name)))
  let page = await context.newPage()
  let errors = watch(page, screen)
  await screen.open(page, t)
  const kinds = new Map<string, number>()
  const wanted = (await controlsOf(page)).filter((control) => {
    const { kind, isOff, isChosen, isAway } = control
    if (isOff || isChosen || isAway || done.has(known(control)) || isLeft(control)) return false
    const earlier = kinds.get(kind) ?? 0
    kinds.set(kind, earlier + 1)
    return kind === '' || earlier < OF_A_LIST
  })
  const problems: string[] = []
  for (const [index, control] of wanted.entries()) {
    if (index > 0) {
      await page.close()
      page = await context.newPage()
      errors = watch(page, screen)
      await screen.open(page, t)
    }
    done.add(known(control))
    const before = await page.evaluate(stateOfPage)
    const went: string[] = []
    page.on('download', (download) => went.push(download.suggestedFilename()))
    const said = (what: string) => problems.push(`${known(control)}: ${what}`)
    const again = (await controlsOf(page)).find((one) => known(one) === known(control))
    if (!again) {
      said('it is not there any more')
      continue
    }
    await press(page, again.id).catch((error) => said(String(error).split('\n')[0] ?? ''))
    const isSeen = async () => went.length > 0 || (await page.evaluate(stateOfPage)) !== before
    for (const until = Date.now() + SEEN_WITHIN_MS; ; await page.waitForTimeout(60)) {
      // A page on its way to another address cannot be asked.
      if (await isSeen().catch(() => true)) break
      if (Date.now() < until) continue
      said('nothing happens')
      break
    }
    await page.waitForTimeout(120)
    for (const error of errors()) said(error)
  }
  await context.close()
  return problems
}

const SEEN_WITHIN_MS = 8_000

const TYPED = ['text', 'search', 'email', 'textarea', 'url', 'textbox']

async function press(page: Page, id: string): Promise<void> {
  const control = page.locator(`[data-control="${id}"]`)
  const [kind, isHidden] = await control.evaluate((element) => {
    const one = element as unknown as { type?: string; getAttribute(name: string): string | null }
    const box = (
      element as unknown as { getBoundingClientRect(): { width: number } }
    ).getBoundingClientRect()
    return [one.getAttribute('role') ?? one.type ?? '', box.width < 3] as const
  })
  // The map is moved by hand: nothing is to be scrolled.
  const box = (await control
    .locator('xpath=ancestor::*[contains(@class, "react-flow__node")]')
    .count())
    ? await control.boundingBox()
    : null
  if (box) return void (await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2))
  if (TYPED.includes(kind)) return void (await control.pressSequentially('7'))
  if (kind === 'number') return void (await control.fill('7'))
  if (kind === 'time') return void (await control.fill('17:30'))
  if (kind === 'date') return void (await control.fill('2031-07-31'))
  if (kind === 'range') return void (await control.press('ArrowRight'))
  if (['checkbox', 'radio', 'switch'].includes(kind)) {
    // Their label is what is seen of them.
    const label = page.locator(`label:has([data-control="${id}"])`)
    if (isHidden || (await label.count()) > 0) {
      const own = await control.getAttribute('id')
      const target =
        (await label.count()) > 0 ? label.first() : page.locator(`label[for="${own}"]`).first()
      return void (await target.click({ timeout: 5_000 }))
    }
  }
  await control.click({ timeout: 5_000 })
}
