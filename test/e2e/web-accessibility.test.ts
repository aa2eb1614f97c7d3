import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import {
  beginAsked,
  beginAsleep,
  giveEveryStanding,
  isChoice,
  makeDue,
  type PreparedWorld,
  startPreparedWorld,
} from './prepared-world.ts'

const LESSON = `### Like terms

Terms are **like** if their letters are the same: $3x + 4x = 7x$.

$$
3x + 2y + 4x = 7x + 2y
$$

| term | like |
| --- | --- |
| $3x$ | $4x$ |

> In short: add the numbers, keep the \`letters\`. See [more](https://example.org).`

vi.setConfig(PATIENCE)

let world: PreparedWorld
let browser: Browser
let page: Page
let errors: string[]
/** The address of an arc with everything in it that an arc can hold. */
let full: string
let blocked: string

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startPreparedWorld(), sharedChromium()])
  const [due, closed] = await Promise.all([beginAsleep(world), world.begin('brackets')])
  await Promise.all([makeDue(world, due), world.command(closed, 'abandon')])
  ;[full, blocked] = await Promise.all([beginFull(), beginBlocked()])
})
afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(() => world?.meno.remove())

/** Begins an arc whose question has options, as had one before, with a review due and a lesson of every kind of text. */
async function beginFull(): Promise<string> {
  for (;;) {
    const more = { topic: 'brackets', goal: 'pass the test', settings: { skipDiagnosis: true } }
    const { arcId } = await beginAsked(world, isChoice, more)
    await world.answer(arcId, 'right')
    const { pendingQuestion: quiz } = await world.until(
      arcId,
      ({ pendingQuestion }) => pendingQuestion?.kind === 'quiz',
    )
    if (!quiz?.options) continue
    await world.meno.rows(
      `insert into arc_messages (arc_id, id, role, text, phase) values
         ($1, 'lesson', 'tutor', $2, 'QUIZZING'),
         ($1, 'notice', 'system', 'The model is slow at the moment.', 'QUIZZING')`,
      [arcId, LESSON],
    )
    await makeDue(world, arcId)
    await giveEveryStanding(world, arcId)
    return `/arcs/${arcId}`
  }
}

/** Begins an arc that an outage holds up. */
async function beginBlocked(): Promise<string> {
  const arcId = await world.begin('linear equations')
  await world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
  await world.meno.rows(
    `with held as (
       update arcs set pending_question = null, blocked = jsonb_build_object(
         'reason', 'No answer.', 'since', now(), 'retryAt', now() + interval '1 hour')
       where id = $1 returning id)
     insert into arc_messages (arc_id, id, role, text, phase)
     select id, 'notice', 'system', 'The model is not answering.', 'TEACHING' from held`,
    [arcId],
  )
  return `/arcs/${arcId}`
}

async function open(path: string, options: Parameters<typeof openPage>[1] = {}): Promise<void> {
  ;({ page, errors } = await openPage(browser, options))
  await page.goto(world.meno.url() + path)
}

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

describe.each([
  ['light', desktop],
  ['dark', desktop],
  ['light', phone],
  ['dark', phone],
] as const)('in %s, %o', (colorScheme, viewport) => {
  it('the first screen has no finding against WCAG 2.2 AA', async () => {
    await open('/', { colorScheme, viewport })
    await page.getByRole('article').getByText('Review due now').first().waitFor()
    await page.getByRole('article').getByText('Closed').first().waitFor()
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('textbox', { name: 'Topic' }).fill('weaving')
    await page.keyboard.press('Enter')
    await page.getByRole('alert', { name: 'This topic could not be started' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  it('an arc has none, with its map, its list, a card and a dialog', async () => {
    await open(full, { colorScheme, viewport })
    await page.getByTestId('question').getByRole('radio').nth(1).check()
    const log = page.getByRole('log')
    for (const part of ['table .katex', '.katex-display', '[data-chosen]', 'blockquote code'])
      await log.locator(part).first().waitFor()
    await page.getByText('after the open question').filter({ visible: true }).waitFor()
    const lesson = await axeFindings(page)
    if (viewport === phone) await page.getByText('Map and progress', { exact: true }).click()
    const map = page.getByRole('region', { name: 'Mind map' })
    await map.locator('[data-concept]').first().waitFor()
    const graph = await axeFindings(page)
    await map.getByText('List', { exact: true }).click()
    await map.getByRole('button', { name: /^Inverse operations/ }).click()
    await page.getByRole('dialog').getByText('Needs first', { exact: true }).waitFor()
    const card = await axeFindings(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More about this topic' }).click()
    await page.getByRole('menuitem', { name: 'Close this topic' }).click()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    const dialog = await axeFindings(page)
    expect({ lesson, graph, card, dialog }).toEqual({ lesson: [], graph: [], card: [], dialog: [] })
  })
})

it.each(['light', 'dark'] as const)(
  'a tutor that is blocked has none, in %s',
  async (colorScheme) => {
    await open(blocked, { colorScheme })
    await page.getByTestId('blocked').waitFor()
    await page.getByRole('log').getByText('The model is not answering.').waitFor()
    expect(await axeFindings(page)).toEqual([])
  },
)

it('the skip link leads past the header, and the conversation can be reached by keyboard', async () => {
  await open(full)
  await page.getByTestId('question').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await soon(() => page.locator('main:focus').count()).toBe(1)
  const reached: (string | null)[] = []
  for (let presses = 0; presses < 4; presses += 1) {
    await page.keyboard.press('Tab')
    reached.push(await page.locator(':focus').getAttribute('role'))
  }
  expect(reached).toContain('log')
})

it('says politely that a question waits, and never reads the lesson out', async () => {
  await open(full)
  const status = page.getByRole('status').filter({ hasText: 'A question is waiting for you.' })
  await status.waitFor()
  expect(await status.getAttribute('aria-live')).toBe('polite')
  expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off')
})
