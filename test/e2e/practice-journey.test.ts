import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import { axeFindings, launchChromium, openPage, PATIENCE, soon } from './browser-page.ts'

vi.setConfig(PATIENCE)

let meno: MenoProcess
let browser: Browser

beforeAll(async () => {
  ;[meno, browser] = await Promise.all([startMenoProcess(), launchChromium()])
})

afterAll(async () => {
  await browser?.close()
  await meno?.remove()
})

it('leads a learner from the lesson through practice and back', async () => {
  const { page, errors } = await openPage(browser)
  const response = await fetch(`${meno.url()}/api/arcs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ topic: 'Algebra basics', settings: { skipDiagnosis: true } }),
  })
  const { arcId } = (await response.json()) as { arcId: string }
  await page.goto(`${meno.url()}/arcs/${arcId}`)
  await page.getByRole('button', { name: 'Practise' }).click()
  await page.getByRole('link', { name: 'Open the practice' }).click()
  await page.waitForURL('**/practice/**')

  const problems = await meno.rows<{ text: string; answer: string }>(
    `select problem_text as text, correct_answer as answer
     from problem_attempts join tutoring_sessions using (session_id)
     where arc_id = $1 order by problem_index`,
    [arcId],
  )
  expect(problems).toHaveLength(5)
  const field = page.getByRole('textbox', { name: 'Your answer' })
  const say = async (text: string) => {
    await field.fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }
  await page.getByText('Problem 1 of 5').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'I’m stuck' }).click()
  await soon(() => page.getByRole('log').locator('[data-from]').count()).toBe(1)
  await say('987654')
  await page.getByText('987654').waitFor()
  await page.getByRole('button', { name: 'Skip' }).click()
  await page.getByText('Problem 2 of 5').waitFor()
  await say(problems[1]?.answer ?? '')
  await page.getByText('Problem 3 of 5').waitFor()
  await page.getByRole('button', { name: 'End the practice' }).click()
  await page.getByText('1 of 5 solved').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the lesson' }).click()
  await page.getByText('1 of 2 solved').waitFor()
  await page.getByTestId('question').waitFor()
  expect(errors).toEqual([])
})
