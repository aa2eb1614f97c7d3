import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, it, onTestFailed, vi } from 'vitest'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import { startNoticeGateway } from '../support/notice-gateway.ts'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'

vi.setConfig(PATIENCE)

let meno: MenoProcess
let browser: Browser

beforeAll(async () => {
  // A day of five seconds: the first review of a concept comes while the next one is taught.
  ;[meno, browser] = await Promise.all([
    startMenoProcess({ MENO_DAY_SECONDS: '5' }),
    sharedChromium(),
  ])
})

afterAll(async () => {
  await meno?.remove()
})

interface OpenQuestion {
  id: string
  kind: string
  expected: string
  key: { type: string; correct?: string } | null
}

const arcIdOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** The question that the arc has open, once it is another than `before`, with its answer. */
async function openQuestion(page: Page, before: string | null): Promise<OpenQuestion> {
  const find = async () => {
    const [row] = await meno.rows<OpenQuestion>(
      `select id, kind, expected, answer_key as key from arc_questions
       where id = (select pending_question from arcs where id = $1)`,
      [arcIdOf(page)],
    )
    return row
  }
  await soon(async () => (await find())?.id ?? before).not.toBe(before)
  return (await find()) as OpenQuestion
}

/** Answers in the page, rightly. */
async function answerRightly(page: Page, question: OpenQuestion): Promise<void> {
  const panel = page.locator(`[data-testid="question"][data-question="${question.id}"]`)
  await panel.waitFor()
  if (question.key?.type === 'choice') {
    await panel.locator(`input[value="${question.key.correct}"]`).check()
    await panel.getByRole('button', { name: 'Answer', exact: true }).click()
    return
  }
  await page.getByRole('textbox', { name: 'Your answer' }).fill(question.expected)
  // The question can be there a moment before the tutor has laid down the pen; what is sent then stays in the field.
  await soon(() => page.getByRole('button', { name: 'Send answer' }).isEnabled()).toBe(true)
  await page.keyboard.press('Enter')
}

async function startAlgebra(page: Page, skipDiagnosis: boolean): Promise<void> {
  await page.goto(meno.url())
  await page.getByRole('button', { name: /^Algebra basics/ }).click()
  if (skipDiagnosis) {
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('switch', { name: 'Skip the level check' }).check()
  }
  await page.getByRole('button', { name: 'Start learning' }).click()
  const again = page.getByRole('button', { name: 'Start it a second time' })
  await again.or(page.getByText('I am Meno')).first().waitFor()
  if (await again.isVisible()) await again.click()
  await page.waitForURL('**/arcs/*')
}

it('a learner starts the offline course, answers two questions, and finds the place again', async () => {
  const { page, errors } = await openPage(browser)
  await startAlgebra(page, false)
  await page.getByText('I am Meno').waitFor()
  const first = await openQuestion(page, null)
  expect(first.kind).toBe('diagnostic')
  await answerRightly(page, first)
  const second = await openQuestion(page, first.id)
  await page.getByRole('log').getByText('Noted.').first().waitFor()
  await answerRightly(page, second)
  const third = await openQuestion(page, second.id)
  await page.locator(`[data-question="${third.id}"]`).waitFor()
  await soon(() => page.getByRole('log').locator('[data-from="learner"]').count()).toBe(2)
  await page.reload()
  await page.locator(`[data-question="${third.id}"]`).waitFor()
  await soon(() => page.getByRole('log').locator('[data-from="learner"]').count()).toBe(2)
  expect(await axeFindings(page)).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
})

it('a concept is taught, quizzed, and comes back for review', async () => {
  const { page, errors } = await openPage(browser)
  onTestFailed(async () => console.log(await page.getByRole('log').innerText()))
  await startAlgebra(page, true)
  const map = page.getByRole('region', { name: 'Mind map' })
  await map.getByText('List', { exact: true }).click()
  const root = map.getByRole('listitem').first()
  const kinds: string[] = []
  let question: OpenQuestion | null = null
  while (kinds.at(-1) !== 'review') {
    question = await openQuestion(page, question?.id ?? null)
    kinds.push(question.kind)
    if (kinds.length === 5) {
      await soon(() => root.textContent()).toMatch(/In review/)
      await soon(() => dueIn(page)).toBeLessThanOrEqual(0)
    }
    if (kinds.length > 8) break
    await answerRightly(page, question)
  }
  expect(kinds.slice(0, 5)).toEqual(['teach', 'quiz', 'quiz', 'quiz', 'teach'])
  expect(kinds.at(-1)).toBe('review')
  await page
    .getByRole('log')
    .getByText(/comes back in/)
    .last()
    .waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})

/** Milliseconds until the next review of the arc is due. */
async function dueIn(page: Page): Promise<number> {
  const [row] = await meno.rows<{ ms: number }>(
    `select extract(epoch from next_review_at - now()) * 1000 as ms from arcs where id = $1`,
    [arcIdOf(page)],
  )
  return Number(row?.ms ?? Number.POSITIVE_INFINITY)
}

it('leads a learner from the lesson through practice and back', async () => {
  const { page, errors } = await openPage(browser)
  const response = await fetch(`${meno.url()}/api/arcs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ topic: 'Algebra basics', settings: { skipDiagnosis: true } }),
  })
  const { arcId } = (await response.json()) as { arcId: string }
  await page.goto(`${meno.url()}/arcs/${arcId}`)
  await page.getByTestId('question').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Practise' }).click()
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
  await page.getByText('1 of 5 solved').first().waitFor()
  await page.getByTestId('question').waitFor()
  expect(errors).toEqual([])
})

/** What each key writes, as a keyboard of mathematics has it. */
const KEYS: Record<string, string> = {
  minus: '-',
  'divided by': '/',
  'open bracket': '(',
  'close bracket': ')',
  'to the power of': '^',
}

it('an answer is written with the keys of a phone, by touch, and is judged as if it had been typed', async () => {
  const { page, errors } = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  let question: OpenQuestion | null = null
  // Which question comes first differs from arc to arc: one that is answered with a number.
  for (let n = 0; n < 40 && question?.key?.type !== 'number'; n += 1) {
    await startAlgebra(page, true)
    question = await openQuestion(page, null)
  }
  if (!question) throw new Error('no question is open')
  const field = page.getByRole('textbox', { name: 'Your answer' })
  const keys = page.getByRole('group', { name: 'Signs for your answer' })
  await keys.waitFor()
  await field.tap()
  await keys.getByRole('button', { name: 'minus', exact: true }).tap()
  expect(await field.inputValue()).toBe('−')
  await page.keyboard.press('Backspace')
  for (const sign of question.expected) {
    const name = Object.keys(KEYS).find((key) => KEYS[key] === sign)
    if (name) await keys.getByRole('button', { name, exact: true }).tap()
    else await page.keyboard.type(sign)
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Your answer')
  }
  expect((await field.inputValue()).replace('−', '-')).toBe(question.expected)
  // A key writes where the cursor is, in place of what is selected.
  await field.evaluate((box: { setSelectionRange(from: number, to: number): void }) =>
    box.setSelectionRange(0, 1),
  )
  await keys.getByRole('button', { name: 'minus', exact: true }).tap()
  expect(await field.inputValue()).toBe(`−${question.expected.slice(1)}`)
  await field.fill(question.expected)
  await page.getByTestId('reading').waitFor()
  expect(await axeFindings(page)).toEqual([])
  for (const key of await keys.getByRole('button').all()) {
    const box = await key.boundingBox()
    expect(box?.width).toBeGreaterThanOrEqual(44)
    expect(box?.height).toBeGreaterThanOrEqual(44)
  }
  await page.getByRole('button', { name: 'Send answer' }).tap()
  await page.getByRole('log').getByText('Right.').first().waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})

it.each(['practice', 'a drill of the course tutor'])(
  'the keys of a phone write in %s too',
  async (place) => {
    const { page, errors } = await openPage(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    if (place === 'practice') {
      await startAlgebra(page, true)
      await page.getByTestId('question').getByRole('button', { name: 'More' }).tap()
      await page.getByRole('menuitem', { name: 'Practise' }).tap()
      await page.getByRole('link', { name: 'Open the practice' }).tap()
      // The lesson has a field and keys of the same names.
      await page.waitForURL('**/practice/**')
      await page.getByRole('heading', { level: 1, name: 'Practice' }).waitFor()
    } else {
      await page.goto(`${meno.url()}/tutor`)
      await page.getByRole('button', { name: /Algebra basics/ }).tap()
      await page.getByRole('button', { name: 'Start session' }).tap()
      await page.getByRole('textbox', { name: 'Message to the tutor' }).fill('give me an exercise')
      await page.getByRole('button', { name: 'Send' }).tap()
    }
    const field = page.getByRole('textbox', { name: 'Your answer' })
    const keys = page.getByRole('group', { name: 'Signs for your answer' })
    await keys.waitFor()
    await field.fill('35')
    await field.evaluate((box: { setSelectionRange(from: number, to: number): void }) =>
      box.setSelectionRange(1, 1),
    )
    await keys.getByRole('button', { name: 'divided by', exact: true }).tap()
    expect(await field.inputValue()).toBe('3/5')
    expect(await axeFindings(page)).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  },
)

it('links a program of one’s own in the settings, tries it, and unlinks it', async () => {
  const gateway = await startNoticeGateway()
  const { page, errors } = await openPage(browser)
  await page.goto(`${meno.url()}/settings`)
  await page.getByRole('textbox', { name: 'Address of your program' }).fill(gateway.url)
  await page.getByRole('button', { name: 'Link a webhook' }).click()
  const secret = page.getByRole('status').filter({ hasText: 'Every message is signed' })
  await soon(() => secret.locator('code').innerText()).toMatch(/^[0-9a-f]{64}$/)
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByText('Your program has taken it.').waitFor()
  // A review that falls due meanwhile is nudged for on the same way.
  expect(gateway.received.filter(({ notice }) => notice.items.length === 0)).toHaveLength(1)
  gateway.close()
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByText(/^It was not taken: ./).waitFor()
  await page.reload()
  await page.getByRole('button', { name: /^Unlink 127/ }).click()
  await soon(() => page.getByRole('button', { name: /^Unlink/ }).count()).toBe(0)
  expect(await page.getByText('Every message is signed').count()).toBe(0)
  expect(errors).toEqual([])
  await page.context().close()
})

it('makes a private calendar address, renews it so that the old one ends, and ends it', async () => {
  const { page, errors } = await openPage(browser)
  await page.goto(`${meno.url()}/settings`)
  const feed = page.getByRole('region', { name: 'Reviews in your calendar' })
  const address = async (button: string, before: string) => {
    await feed.getByRole('button', { name: button }).click()
    await soon(() => feed.getByRole('status').locator('code').innerText()).not.toBe(before)
    return feed.getByRole('status').locator('code').innerText()
  }
  const statusOf = async (url: string) => (await fetch(url)).status
  const first = await address('Make a private address', '')
  expect(await statusOf(first)).toBe(200)
  const second = await address('Renew the address', first)
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
  await page.reload()
  await feed.getByText(/There has been a private address since/).waitFor()
  expect(await feed.innerText()).not.toContain(second)
  await feed.getByRole('button', { name: 'End the address' }).click()
  await feed.getByRole('button', { name: 'Make a private address' }).waitFor()
  expect(await statusOf(second)).toBe(404)
  expect(errors).toEqual([])
  await page.context().close()
})

it('takes everything along and brings it back; what is no export is refused in words', async () => {
  const { page, errors } = await openPage(browser)
  await page.goto(`${meno.url()}/settings`)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'All my data (JSON)' }).click()
  const file = await (await download).path()
  const bring = page.getByRole('region', { name: 'Bring it here' })
  const choose = bring.locator('input[type="file"]')
  await choose.setInputFiles(file)
  await bring.getByText(/are here already/).waitFor()
  const cut = (await readFile(file)).subarray(0, 500)
  await choose.setInputFiles({ name: 'half.json', mimeType: 'application/json', buffer: cut })
  await bring.getByRole('alert', { name: 'The file was not brought here' }).waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})
