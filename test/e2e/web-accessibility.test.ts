import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { problem, type StubApi, startStubApi } from './stub-api.ts'
import { ARC_ID, arcView, asked, probe } from './stub-world.ts'

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

let browser: Browser
let stub: StubApi

beforeAll(async () => {
  browser = await sharedChromium()
  stub = await startStubApi()
  const past = new Date(Date.now() - 60_000).toISOString()
  stub.arcs = [
    arcView({
      phase: 'REVIEWING',
      nextReviewAt: past,
      mastery: { mastered: 1, total: 5, pct: 20 },
    }),
    arcView({ arcId: crypto.randomUUID(), phase: 'ABANDONED', paused: true }),
  ]
  stub.arc = arcView({
    phase: 'QUIZZING',
    goal: 'pass the test',
    currentNode: { id: 'n3', label: 'Like terms' },
    pendingQuestion: probe,
    nextReviewAt: past,
    mastery: { mastered: 1, total: 5, pct: 20 },
  })
  stub.say(LESSON)
  stub.say(probe.text, asked({ ...probe, id: 'earlier' }))
  stub.say('b', { role: 'learner', questionId: 'earlier', phase: 'QUIZZING' })
  stub.say('**Right.**')
  stub.say('The model is slow at the moment.', { role: 'system' })
  stub.say(probe.text, asked(probe))
})
afterAll(async () => {
  await stub.stop()
})

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

describe.each([
  ['light', desktop],
  ['dark', desktop],
  ['light', phone],
  ['dark', phone],
] as const)('in %s, %o', (colorScheme, viewport) => {
  it('the first screen has no finding against WCAG 2.2 AA', async () => {
    const { page } = await openPage(browser, { colorScheme, viewport })
    stub.onPost = () => problem(422, 'The request is not valid', 'No course covers it.')
    await page.goto(stub.url)
    await page.getByText('Review due now').waitFor()
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('textbox', { name: 'Topic' }).fill('weaving')
    await page.keyboard.press('Enter')
    await page.getByRole('alert', { name: 'This topic could not be started' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.context().close()
  })

  it('an arc has none, with its map, its list, a card and a dialog', async () => {
    const { page } = await openPage(browser, { colorScheme, viewport })
    await page.goto(`${stub.url}/arcs/${ARC_ID}`)
    await page.getByRole('radio', { name: /14/ }).check()
    await page.locator('.katex').first().waitFor()
    const lesson = await axeFindings(page)
    if (viewport === phone) await page.getByText('Map and progress', { exact: true }).click()
    const map = page.getByRole('region', { name: 'Mind map' })
    await map.getByRole('button', { name: /^Like terms/ }).waitFor()
    const graph = await axeFindings(page)
    await map.getByText('List', { exact: true }).click()
    await map.getByRole('button', { name: /^Like terms/ }).click()
    await page.getByRole('dialog').getByText('Needs first', { exact: true }).waitFor()
    const card = await axeFindings(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More about this topic' }).click()
    await page.getByRole('menuitem', { name: 'Close this topic' }).click()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    const dialog = await axeFindings(page)
    expect({ lesson, graph, card, dialog }).toEqual({ lesson: [], graph: [], card: [], dialog: [] })
    await page.context().close()
  })
})

it.each(['light', 'dark'] as const)(
  'a tutor that is blocked has none, in %s',
  async (colorScheme) => {
    const blockedStub = await startStubApi()
    const at = new Date().toISOString()
    blockedStub.arc = arcView({ blocked: { reason: 'No answer.', since: at, retryAt: at } })
    blockedStub.say('The model is not answering.', { role: 'system' })
    const { page } = await openPage(browser, { colorScheme })
    await page.goto(`${blockedStub.url}/arcs/${ARC_ID}`)
    await page.getByTestId('blocked').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.context().close()
    await blockedStub.stop()
  },
)

it('the skip link leads past the header, and the conversation can be reached by keyboard', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${stub.url}/arcs/${ARC_ID}`)
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
  await page.context().close()
})

it('says politely that a question waits, and never reads the lesson out', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${stub.url}/arcs/${ARC_ID}`)
  await page.getByRole('status').getByText('A question is waiting for you.').waitFor()
  expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off')
  await page.context().close()
})
