import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { PendingQuestion } from '../../src/contracts/arc.ts'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { askedForProgram, type PreparedWorld, startPreparedWorld } from './prepared-world.ts'

vi.setConfig(PATIENCE)

let world: PreparedWorld
let browser: Browser
let arcId: string
let question: PendingQuestion
let page: Page
let errors: string[]

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startPreparedWorld(), sharedChromium()])
})
beforeEach(async () => {
  arcId = await askedForProgram(world)
  question = (await world.arc(arcId)).pendingQuestion as PendingQuestion
  ;({ page, errors } = await openPage(browser))
  await page.goto(`${world.meno.url()}/arcs/${arcId}`)
  await editor().waitFor()
})
afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(() => world?.meno.remove())

const editor = () => page.getByRole('textbox', { name: 'Your program' })

/** What the page sends to the tutor next. */
const sent = async () => {
  const request = await page.waitForRequest(
    (one) => one.method() === 'POST' && one.url().endsWith(`/api/arcs/${arcId}/messages`),
  )
  return request.postDataJSON() as { text: string; questionId: string }
}

it('is written in an editor that indents, sent as it was written, and run', async () => {
  expect(await page.getByRole('cell', { name: 'price(4)' }).count()).toBe(1)
  await editor().click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('def price(number, each=2):\nreturn number * each - 3 * (number >= 10)')
  const message = sent()
  await page.getByRole('button', { name: 'Run and send' }).click()
  const lines = ['def price(number, each=2):', '    return number * each - 3 * (number >= 10)']
  const text = ['```python', ...lines, '```'].join('\n')
  expect(await message).toMatchObject({ text, questionId: question.id })
  const graded = () =>
    world.meno.rows(
      `select quality, said.text from arc_questions as asked
       join arc_messages as said on said.question_id = asked.id and said.role = 'learner'
       where asked.id = $1`,
      [question.id],
    )
  await soon(graded).toEqual([{ quality: 5, text }])
})

it('is written and left by keyboard alone', async () => {
  await editor().focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Tab')
  await page.keyboard.type('return 3')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await soon(() => page.locator(':focus').textContent()).toBe('Run and send')
  await editor().focus()
  const message = sent()
  await page.keyboard.press('ControlOrMeta+Enter')
  const { starter } = question.program ?? {}
  expect((await message).text).toBe(`\`\`\`python\n${starter}    return 3\n\`\`\``)
  // It was run: the first line that returns is the starter's.
  await page.getByText('its result is not the one asked for', { exact: false }).waitFor()
})

it('has no finding against WCAG 2.2 AA, in light and in dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await editor().waitFor()
    expect(await axeFindings(page)).toEqual([])
  }
})
