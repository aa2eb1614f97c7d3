import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { PendingQuestion } from '../../src/contracts/arc.ts'
import { openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import {
  beginAsked,
  isChoice,
  isWritten,
  LEVEL_CHECK,
  type PreparedWorld,
  refuse,
  saidIn,
  startPreparedWorld,
} from './prepared-world.ts'

vi.setConfig(PATIENCE)

let world: PreparedWorld
let browser: Browser
let page: Page
let errors: string[]
let arcId: string
let question: PendingQuestion
/** The messages that the page has sent. */
let sent: Record<string, unknown>[]

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startPreparedWorld(), sharedChromium()])
})
afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(() => world?.meno.remove())

async function open(path: string): Promise<void> {
  // What the page sends is counted, and answered by the test where it must fail.
  ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
  sent = []
  page.on('request', (request) => {
    if (request.url().endsWith('/messages') && request.method() === 'POST')
      sent.push(request.postDataJSON())
  })
  await page.goto(world.meno.url() + path)
}

/** Opens an arc that has such a question open. */
async function openAsked(
  wanted: (question: PendingQuestion) => boolean,
  more: Record<string, unknown> = {},
): Promise<void> {
  ;({ arcId, question } = await beginAsked(world, wanted, more))
  await open(`/arcs/${arcId}`)
  await panel(question.id).waitFor()
}

const panel = (id: string) => page.locator(`[data-testid="question"][data-question="${id}"]`)
const log = () => page.getByRole('log')
const said = () => log().locator('[data-from="learner"]')
const answerField = () => page.getByRole('textbox', { name: 'Your answer' })
const stored = () => saidIn(world, arcId)
const optionId = (at: number) => question.options?.[at]?.id ?? ''

/** Waits until the product has taken up what was sent, and asks again. */
async function nextQuestion(): Promise<PendingQuestion> {
  const isNext = (open: PendingQuestion | null) => open !== null && open.id !== question.id
  return (await world.until(arcId, ({ pendingQuestion }) => isNext(pendingQuestion)))
    .pendingQuestion as PendingQuestion
}

it('is answered with the mouse, and the next one takes its place', async () => {
  await openAsked((asked) => !!asked.options?.every(({ text }) => text.startsWith('$')))
  const [key] = await world.meno.rows<{ id: string }>(
    `select answer_key ->> 'correct' as id from arc_questions where id = $1`,
    [question.id],
  )
  const radio = page.locator(`input[type="radio"][value="${key?.id}"]`)
  const label = page.locator('label', { has: page.locator('.katex') })
  // The styles of the kit that a part of a part needs are there too: the words stand beside the button.
  const at = question.options?.findIndex(({ id }) => id === key?.id) ?? -1
  const [button, words] = [await radio.boundingBox(), await label.nth(at).boundingBox()]
  expect(Math.abs((button?.y ?? 0) - (words?.y ?? Number.NaN))).toBeLessThan(20)
  await radio.check()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  const next = await nextQuestion()
  await panel(next.id).getByText('Quiz question').waitFor()
  await log().getByText('Right.', { exact: true }).waitFor()
  expect(sent).toMatchObject([{ text: key?.id, questionId: question.id }])
  expect(await stored()).toMatchObject([{ text: key?.id, questionId: question.id }])
  expect(await page.getByTestId('question').count()).toBe(1)
  expect(await said().count()).toBe(1)
  await soon(() => log().locator('[data-chosen]').allInnerTexts()).toMatchObject([
    expect.stringContaining('Your answer'),
  ])
})

it('is answered by keyboard alone', async () => {
  await openAsked(isChoice)
  await page.keyboard.press('2')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await soon(stored).toMatchObject([{ text: optionId(2), questionId: question.id }])
})

it('takes a short answer with Enter, a new line with Shift and Enter', async () => {
  await openAsked(isWritten, LEVEL_CHECK)
  await soon(() => answerField().and(page.locator(':focus')).count()).toBe(1)
  await page.keyboard.type('x = 2')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('I think')
  await page.keyboard.press('Escape')
  expect(await log().and(page.locator(':focus')).count()).toBe(1)
  await page.keyboard.press('Shift+Escape')
  expect(await answerField().and(page.locator(':focus')).count()).toBe(1)
  expect(sent).toEqual([])
  await page.keyboard.press('Enter')
  await soon(stored).toMatchObject([{ text: 'x = 2\nI think', questionId: question.id }])
  expect(sent).toHaveLength(1)
})

it.each([
  ['I don’t know', 'dont_know', 'That is all right; this is how it goes.'],
  ['Show me', 'show', 'That is all right; this is how it goes.'],
  ['Skip', 'skip', 'Skipped.'],
])('can be met with “%s”', async (name, action, reply) => {
  await openAsked(isChoice)
  await panel(question.id).getByRole('button', { name, exact: true }).click()
  const next = await nextQuestion()
  await panel(next.id).waitFor()
  await log().getByText(reply, { exact: true }).waitFor()
  expect(sent).toMatchObject([{ action, questionId: question.id }])
  expect(await stored()).toMatchObject([{ text: name, action, questionId: question.id }])
})

it('can be met with “Hint”, until there is none left', async () => {
  await openAsked(({ hintsLeft }) => hintsLeft === 2)
  const button = (name: string) => panel(question.id).getByRole('button', { name, exact: true })
  await button('Hint (2 left)').click()
  await button('Hint (1 left)').click()
  await button('Hint').waitFor()
  const hint = { action: 'hint', questionId: question.id }
  expect(await stored()).toMatchObject([hint, hint])
})

it('is not repeated: an answer the server refuses waits for a word of the learner', async () => {
  await openAsked(isWritten, LEVEL_CHECK)
  await page.context().setOffline(true)
  await answerField().fill('2')
  await page.keyboard.press('Enter')
  await page.getByTestId('state').getByText('On this device').waitFor()
  await world.command(arcId, 'abandon')
  await world.until(arcId, ({ phase }) => phase === 'ABANDONED')
  await page.context().setOffline(false)
  const refusal = page.getByRole('alert').getByText(/^Not sent\. This topic is closed/)
  await refusal.waitFor()
  sent = []
  await page.reload()
  await refusal.waitFor()
  await page.getByRole('button', { name: 'Go on with it' }).waitFor()
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Discard' }).click()
  await soon(() => said().count()).toBe(0)
  await page.reload()
  await page.getByRole('button', { name: 'Go on with it' }).waitFor()
  expect(await said().count()).toBe(0)
  expect(await stored()).toEqual([])
})

it('shows the learner’s words as they were typed', async () => {
  const words = '2*3*4 is __init__, or $x^2$'
  await openAsked(isWritten, LEVEL_CHECK)
  await answerField().fill(words)
  await page.keyboard.press('Enter')
  await soon(stored).toMatchObject([{ text: words }])
  for (const isRead of [false, true]) {
    if (isRead) await page.reload()
    await said().locator('.katex').waitFor()
    expect(await said().innerText()).toContain('2*3*4 is __init__, or')
  }
})

it('keeps what was begun over a reload, a choice as well as words', async () => {
  await openAsked(isWritten, LEVEL_CHECK)
  await answerField().fill('x = 2, because')
  await page.reload()
  await soon(() => answerField().inputValue()).toBe('x = 2, because')
  await page.goto(world.meno.url())
  await page.goto(`${world.meno.url()}/arcs/${arcId}`)
  await soon(() => answerField().inputValue()).toBe('x = 2, because')
  const choice = await beginAsked(world, isChoice)
  await page.goto(`${world.meno.url()}/arcs/${choice.arcId}`)
  const radio = page.getByRole('radio').nth(1)
  await radio.check()
  await page.reload()
  await soon(() => radio.isChecked()).toBe(true)
  expect(sent).toEqual([])
})

it('lets a quiz grade be contested until something else is said', async () => {
  arcId = await world.begin('linear equations')
  await world.reach(arcId, 'quiz')
  await open(`/arcs/${arcId}`)
  const contest = page.getByRole('button', { name: 'Contest this grade' })
  await page.getByTestId('question').getByText('Quiz question').waitFor()
  expect(await contest.count()).toBe(0)
  await world.answer(arcId, 'wrong')
  await log().getByText('Not right yet.').waitFor()
  await contest.click()
  await log()
    .getByText(/the verdict stands/)
    .waitFor()
  await soon(() => contest.count()).toBe(0)
  expect(sent).toMatchObject([{ action: 'contest' }])
  expect((await stored()).at(-1)?.action).toBe('contest')
  // There is nothing to contest in what was right.
  await world.answer(arcId, 'right')
  await log().getByText('with a little help').waitFor()
  await page.getByTestId('question').getByText('Check question').waitFor()
  expect(await contest.count()).toBe(0)
})

it('keeps an answer that cannot be sent, and sends it again under the same id', async () => {
  await openAsked(isWritten, LEVEL_CHECK)
  const refusal = { method: 'POST', status: 429, detail: 'Please wait a moment.' }
  const heal = await refuse(page, '**/api/arcs/*/messages', refusal)
  await answerField().fill('2')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Please wait a moment.').waitFor()
  await heal()
  await page.getByRole('button', { name: 'Send again' }).click()
  await panel((await nextQuestion()).id).waitFor()
  const bodies = sent.map((body) => JSON.stringify(body))
  expect(bodies.length).toBeGreaterThan(1)
  expect(new Set(bodies).size).toBe(1)
  expect(await stored()).toMatchObject([{ id: sent[0]?.messageId, text: '2' }])
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await said().count()).toBe(1)
})
