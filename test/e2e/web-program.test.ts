import type { Browser, Page } from '@playwright/test'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { PendingQuestion } from '../../src/contracts/arc.ts'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { type StubApi, startStubApi } from './stub-api.ts'
import { ARC_ID, arcView, asked } from './stub-world.ts'

vi.setConfig(PATIENCE)

const question: PendingQuestion = {
  id: '0b6f3c5e-3f0f-4a39-9d54-4a4f0f6d2a77',
  kind: 'quiz',
  text: 'Write a function `add(a, b)` that returns the sum.',
  format: 'program',
  attempt: 1,
  hintsLeft: 0,
  program: {
    language: 'python',
    starter: 'def add(a, b):\n    ...',
    examples: [{ input: 'add(1, 2)', output: '3' }],
  },
}

let browser: Browser
let stub: StubApi
let page: Page
let errors: string[]

beforeAll(async () => {
  browser = await sharedChromium()
})
beforeEach(async () => {
  stub = await startStubApi()
  stub.arc = arcView({ pendingQuestion: question, phase: 'QUIZZING' })
  stub.messages = []
  stub.say(question.text, asked(question))
  ;({ page, errors } = await openPage(browser, {}))
  await page.goto(`${stub.url}/arcs/${ARC_ID}`)
  await soon(() => stub.streams.length).toBeGreaterThan(0)
})
afterEach(async () => {
  await page.context().close()
  await stub.stop()
  expect(errors).toEqual([])
})

const editor = () => page.getByRole('textbox', { name: 'Your program' })
const posted = () => stub.posted.filter(({ path }) => path.endsWith('/messages'))

it('is written in an editor that indents, and sent as it was written', async () => {
  await editor().waitFor()
  expect(await page.getByRole('cell', { name: 'add(1, 2)' }).count()).toBe(1)
  await editor().click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('def add(a, b):\nreturn a + b')
  await page.getByRole('button', { name: 'Run and send' }).click()
  await soon(() => posted().length).toBe(1)
  expect(posted()[0]?.body).toMatchObject({
    text: '```python\ndef add(a, b):\n    return a + b\n```',
    questionId: question.id,
  })
})

it('is written and left by keyboard alone', async () => {
  await editor().waitFor()
  await editor().focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('return 3')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await soon(() => page.locator(':focus').textContent()).toBe('Run and send')
  await editor().focus()
  await page.keyboard.press('ControlOrMeta+Enter')
  await soon(() => posted().length).toBe(1)
  expect(String(posted()[0]?.body.text)).toMatch(/ {4}\.\.\.\n {8}return 3\n```$/)
})

it('has no finding against WCAG 2.2 AA, in light and in dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await editor().waitFor()
    expect(await axeFindings(page)).toEqual([])
  }
})
