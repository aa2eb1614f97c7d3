import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'

vi.setConfig(PATIENCE)

/** A day of ten minutes: a review after 0.01 days comes in six seconds, the one after it not in this test. */
const DAY = '600'
const STEPS = [0.01, 20]
const TOPIC = 'linear equations'

let meno: MenoProcess
let browser: Browser
let page: Page
let errors: string[]
let arcId: string

beforeAll(async () => {
  ;[meno, browser] = await Promise.all([
    startMenoProcess({ MENO_DAY_SECONDS: DAY }),
    sharedChromium(),
  ])
})
afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(() => meno?.remove())

async function open(path: string, options: Parameters<typeof openPage>[1] = {}): Promise<void> {
  ;({ page, errors } = await openPage(browser, options))
  await page.goto(meno.url() + path)
}

async function call<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(meno.url() + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return (await response.json()) as T
}

interface OpenQuestion {
  id: string
  kind: string
  expected: string
  key: { type: string; correct?: string } | null
}

async function openQuestion(): Promise<OpenQuestion | undefined> {
  const [row] = await meno.rows<OpenQuestion>(
    `select id, kind, expected, answer_key as key from arc_questions
     where id = (select pending_question from arcs where id = $1)`,
    [arcId],
  )
  return row
}

const keyOf = ({ key, expected }: OpenQuestion) =>
  key?.type === 'choice' ? (key.correct ?? '') : expected

/** Answers rightly over the API until a question of that kind has been answered. */
async function answerUntil(kind: string): Promise<void> {
  for (let asked = ''; ; ) {
    await soon(async () => (await openQuestion())?.id ?? asked).not.toBe(asked)
    const question = (await openQuestion()) as OpenQuestion
    asked = question.id
    await call(`/api/arcs/${arcId}/messages`, { text: keyOf(question), questionId: question.id })
    if (question.kind === kind) return
  }
}

const today = () => page.getByRole('region', { name: 'Today' })

it('meets who comes first with the start form, and says what a topic will become', async () => {
  await open('/')
  await page.getByRole('heading', { level: 1, name: 'What would you like to learn?' }).waitFor()
  await page.getByRole('group', { name: 'For example' }).getByRole('button').first().click()
  await page
    .getByTestId('plan')
    .getByText(/concepts? of Algebra basics/)
    .waitFor()
  await page.getByRole('textbox', { name: 'Topic' }).fill(TOPIC)
  await page.getByText('3 concepts of Algebra basics, about 1 h').waitFor()
  await page.getByText('Show the way').click()
  await soon(() => page.getByTestId('plan').getByRole('listitem').allTextContents()).toEqual([
    'Numbers, signs and order of operations',
    'Inverse operations',
    'Linear equations',
  ])
})

it('says what can be taught where a topic cannot, and how to connect a model', async () => {
  await open('/')
  await page.getByRole('textbox', { name: 'Topic' }).fill('the history of weaving')
  await page.keyboard.press('Enter')
  const alert = page.getByRole('alert')
  await alert.getByText(/ANTHROPIC_API_KEY/).waitFor()
  await alert.getByRole('button', { name: 'Take Python fundamentals' }).click()
  await soon(() => page.getByRole('textbox', { name: 'Topic' }).inputValue()).toBe(
    'Python fundamentals',
  )
  await page.getByText(/concepts of Python fundamentals/).waitFor()
})

it('leads from what is due to being done for today, by keyboard alone', async () => {
  const settings = { skipDiagnosis: true, learningSteps: STEPS, quizQuestions: 1 }
  ;({ arcId } = await call<{ arcId: string }>('/api/arcs', { topic: TOPIC, settings }))
  await open('/')
  await today().getByText('Go on where you left off').waitFor()
  expect(await page.title()).toBe('Meno')
  await answerUntil('quiz')
  // What waits is looked up again by itself.
  await soon(() => page.title()).toBe('(1) Meno')
  await today().getByText('1 review', { exact: false }).first().waitFor()
  const card = page.getByRole('article', { name: TOPIC })
  await soon(() => card.textContent()).toMatch(/1 learned/)

  await page.reload()
  const start = today().getByRole('button', { name: 'Start reviewing' })
  await start.waitFor()
  for (let presses = 0; presses < 15; presses += 1) {
    if (await start.and(page.locator(':focus')).count()) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/arcs/${arcId}`)
  await answerUntil('review')
  await page.getByRole('link', { name: 'Today' }).click()
  await today().getByText('Done for today').waitFor()
  await soon(() => page.title()).toBe('Meno')
  await soon(() => card.textContent()).toMatch(/1 in memory/)
  await today()
    .getByRole('link', { name: /Go on with linear equations/ })
    .waitFor()
})

it('offers practice when nothing is due, of any concept', async () => {
  await open('/')
  await today().getByRole('button', { name: 'Practise something' }).click()
  await today().getByRole('combobox', { name: 'What to practise' }).click()
  await page.getByRole('option', { name: /^Inverse operations/ }).click()
  await today().getByRole('button', { name: 'Start practising' }).click()
  await page.waitForURL(`**/arcs/${arcId}/practice/*`)
  await page.getByText('Problem 1 of 5').waitFor()
  await page.getByRole('button', { name: 'End the practice' }).click()
  await page.getByText('That was the practice.').waitFor()
})

it('renames a topic, puts it away and takes it out again', async () => {
  await open('/')
  const menuOf = (name: string) => page.getByRole('button', { name: `What to do with ${name}` })
  await menuOf(TOPIC).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename the topic' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Solving for x')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'Solving for x' }).waitFor()
  await menuOf('Solving for x').click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  const fold = page.getByRole('button', { name: '1 archived topic' })
  await fold.waitFor()
  await soon(() => page.getByRole('article').count()).toBe(0)
  await fold.click()
  await menuOf('Solving for x').click()
  await page.getByRole('menuitem', { name: 'Take out of the archive' }).click()
  await soon(() => fold.count()).toBe(0)
  await page.getByRole('article', { name: 'Solving for x' }).waitFor()
})

it('offers to go on with a topic that is started a second time', async () => {
  await open('/')
  await page.getByRole('textbox', { name: 'Topic' }).fill(' Linear  equations ')
  await page.keyboard.press('Enter')
  const alert = page.getByRole('alert')
  await alert.getByText('You are learning “Solving for x” already').waitFor()
  await alert.getByRole('link', { name: 'Go on with it' }).click()
  await page.waitForURL(`**/arcs/${arcId}`)
})

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)('has no finding against WCAG 2.2 AA in %s, %i wide', async (colorScheme, width) => {
  await open('/', { colorScheme, viewport: { width, height: 844 } })
  const button = today().getByRole('button', { name: 'Practise something' })
  await button.waitFor()
  const box = await button.boundingBox()
  expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(844)
  await button.click()
  await today().getByRole('button', { name: 'Start practising' }).waitFor()
  const overflow = () =>
    page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
  const found = { today: await axeFindings(page), todayOver: await overflow() }
  await page.goto(`${meno.url()}/me`)
  await page.getByRole('heading', { name: 'What Meno knows of you' }).waitFor()
  await page.getByText('Recalled in reviews').waitFor()
  const me = { me: await axeFindings(page), meOver: await overflow() }
  await page.goto(`${meno.url()}/settings`)
  await page.getByRole('button', { name: 'Save' }).waitFor()
  const settings = { settings: await axeFindings(page), settingsOver: await overflow() }
  expect({ ...found, ...me, ...settings }).toEqual({
    ...{ today: [], todayOver: 0, me: [], meOver: 0, settings: [], settingsOver: 0 },
  })
})

it('opens a concept of the map by a click, and says to the tutor what to do with it', async () => {
  await open(`/arcs/${arcId}`)
  const concept = page.locator('[data-concept]').filter({ hasText: 'Inverse operations' })
  await concept.waitFor()
  await page.waitForTimeout(500)
  const box = await concept.boundingBox()
  if (!box) throw new Error('the concept is not on the page')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  const card = page.getByRole('dialog', { name: 'Inverse operations' })
  await card.getByText('What you answered').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await card.getByRole('button', { name: 'Read it again' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('log').getByText('Explain Inverse operations again').first().waitFor()
  expect(
    await page.locator('[aria-label="Inverse operations comes before Linear equations"]').count(),
  ).toBe(1)
})

it('looks at the plan again with what was written, and shows what came of it', async () => {
  await open(`/arcs/${arcId}`)
  await page.getByRole('button', { name: 'More about this topic' }).click()
  await page.getByRole('menuitem', { name: 'Look at the plan again' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /What should be different/ }).fill('more brackets')
  await dialog.getByRole('button', { name: 'Plan again' }).click()
  await dialog.getByRole('button', { name: 'Close' }).last().waitFor()
  await soon(() => dialog.getByText(/plan/i).count()).toBeGreaterThan(1)
  const [input] = await meno.rows<{ payload: { reason?: string } }>(
    `select payload from inbox where entity_id = $1 and type = 'replan'`,
    [arcId],
  )
  expect(input?.payload.reason).toBe('more brackets')
})

it('offers to plan a hard part of the map again, and takes the learner’s word on it', async () => {
  const propose = () =>
    meno.rows(
      `insert into replan_proposals (arc_id, node_id, struggling_nodes, created_at)
       select arcs.id, node.id, jsonb_build_array(node.id), now()
       from arcs join mind_map_nodes node using (mind_map_id)
       where arcs.id = $1 and node.label = 'Linear equations'`,
      [arcId],
    )
  const decided = async () =>
    (
      await meno.rows<{ status: string }>(
        'select status from replan_proposals where arc_id = $1 order by created_at',
        [arcId],
      )
    ).map(({ status }) => status)
  await propose()
  await open(`/arcs/${arcId}`)
  const card = page.getByTestId('proposal')
  await card.getByText('Plan Linear equations again?').waitFor()
  await card.getByText('This part stays hard: Linear equations.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await card.getByRole('button', { name: 'Leave it as it is' }).click()
  await card.waitFor({ state: 'detached' })
  expect(await decided()).toEqual(['declined'])
  await propose()
  await page.reload()
  await card.getByRole('button', { name: 'Plan it again' }).click()
  await card.waitFor({ state: 'detached' })
  expect(await decided()).toEqual(['declined', 'accepted'])
  const asked = await meno.rows<{ payload: { reason?: string } }>(
    `select payload from inbox where entity_id = $1 and id like 'proposal/%'`,
    [arcId],
  )
  expect(asked.map(({ payload }) => payload.reason)).toEqual([
    'The part from “Linear equations” on has been hard lately: “Linear equations”.',
  ])
})

it('reopens a closed topic in its place', async () => {
  await call(`/api/arcs/${arcId}/abandon`, {})
  await open('/')
  const card = page.getByRole('article', { name: 'Solving for x' })
  await soon(async () => {
    await page.reload()
    await card.waitFor()
    return card.textContent()
  }).toContain('Closed')
  await page.getByRole('button', { name: 'What to do with Solving for x' }).click()
  await page.getByRole('menuitem', { name: 'Reopen' }).click()
  await page.waitForURL('**/arcs/*')
  expect(page.url()).not.toContain(arcId)
  await page.getByRole('link', { name: 'Today' }).click()
  await soon(() => page.getByRole('article').count()).toBe(1)
  await soon(() => card.textContent()).toMatch(/1 in memory/)
})

it('corrects and deletes what Meno knows of a learner', async () => {
  await meno.rows(
    `insert into learner_facts (learner_id, arc_id, fact)
     select learner_id, id, 'likes pictures' from arcs where id = $1`,
    [arcId],
  )
  await meno.rows(
    `insert into learner_facts (learner_id, arc_id, fact, source)
     select learner_id, id, 'Signs: $-3^2$ is $9$.', 'mistake' from arcs where id = $1`,
    [arcId],
  )
  await open('/me')
  const memory = page.getByRole('region', { name: 'What Meno knows of you' })
  await memory
    .getByText(/Noticed in Solving for x/)
    .first()
    .waitFor()
  await memory.getByText('A mistake that came back:').waitFor()
  await memory.locator('.katex').first().waitFor()
  await memory.getByRole('button', { name: /^Delete: Signs/ }).click()
  await memory.getByRole('button', { name: 'Correct: likes pictures' }).click()
  await memory.getByRole('textbox', { name: 'What is so' }).fill('likes number lines')
  await page.keyboard.press('Enter')
  await memory.getByText('likes number lines').waitFor()
  await memory.getByText('Corrected by you').waitFor()
  await memory.getByRole('button', { name: 'Delete: likes number lines' }).click()
  await memory.getByText('Nothing is remembered of how you learn yet.').waitFor()
})

it('sends the browser’s time zone once, keeps the settings, and speaks the language that is set', async () => {
  const me = () => call<{ timeZone: string; chosen: string[] }>('/api/learners/me')
  await open('/settings', { timezoneId: 'Asia/Tokyo', locale: 'de-AT' })
  await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('de')
  await soon(async () => (await me()).timeZone).toBe('Asia/Tokyo')
  await page.getByRole('textbox', { name: 'Name' }).fill('Rosa')
  await page.getByLabel('Ferien bis').fill('2031-07-31')
  await page.getByLabel('Lernzeit').fill('17:30')
  await page.getByRole('combobox', { name: 'Sprache der Seite' }).click()
  await page.getByRole('option', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  expect(await me()).toMatchObject({
    ...{ name: 'Rosa', studyTime: '17:30', language: 'en', timeZone: 'Asia/Tokyo' },
    // Midnight in Tokyo after the last day.
    holidayUntil: '2031-07-31T15:00:00.000Z',
  })
  await page.reload()
  await soon(() => page.getByLabel('On holiday until').inputValue()).toBe('2031-07-31')
  await page.getByRole('link', { name: 'My page' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Rosa’s page' }).waitFor()
  await page.context().close()
  await open('/', { timezoneId: 'Europe/Vienna', locale: 'de-AT' })
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  expect((await me()).timeZone).toBe('Asia/Tokyo')
})
