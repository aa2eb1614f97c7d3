import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { type StubApi, startStubApi } from './stub-api.ts'
import { ARC_ID, arcView, asked, mindMapView, shortQuestion } from './stub-world.ts'

vi.setConfig(PATIENCE)

const LESSON = `### Order of operations

**Worked example.** Work out $10 - 2 \\cdot 3$.

1. The product first: $2 \\cdot 3 = 6$.
2. Then the difference: $10 - 6 = 4$.

**Answer:** $4$`

let browser: Browser
let stub: StubApi
let page: Page
let errors: string[]

beforeAll(async () => {
  browser = await sharedChromium()
})
beforeEach(async () => {
  stub = await startStubApi()
  stub.answers.set(`/api/arcs/${ARC_ID}/summary`, SUMMARY)
})
afterEach(async () => {
  await page.context().close()
  await stub.stop()
  expect(errors).toEqual([])
})

const SUMMARY = {
  concepts: [
    { nodeId: 'n1', label: 'Numbers', standing: 'mastered', seconds: 700, answers: of(9, 9) },
    {
      nodeId: 'n2',
      label: 'Inverse operations',
      standing: 'learned',
      seconds: 380,
      answers: of(3, 4),
    },
    { nodeId: 'n3', label: 'Like terms', standing: 'skipped', seconds: 0, answers: of(0, 0) },
  ],
  hardest: [{ nodeId: 'n2', label: 'Inverse operations', answers: 4, missed: 2, helped: 1 }],
  improved: [{ nodeId: 'n1', label: 'Numbers', of: 3, first: 1, last: 3 }],
  next: [{ kind: 'unit', topic: 'Brackets', courseId: 'algebra-basics', minutes: 30 }],
}

function of(right: number, count: number) {
  return { right, of: count }
}

async function open(options: BrowserContextOptions = {}): Promise<void> {
  ;({ page, errors } = await openPage(browser, options))
  await page.goto(`${stub.url}/arcs/${ARC_ID}`)
  await soon(() => stub.streams.length).toBeGreaterThan(0)
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const isShown = (text: string) => page.getByText(text, { exact: false }).isVisible()

describe('a worked example', () => {
  beforeEach(async () => {
    stub.arc = arcView({ phase: 'TEACHING' })
    stub.messages = []
    stub.say(LESSON)
    await open()
    await button('Go on').click()
  })

  it('comes line by line by keyboard, keeps its place over a reload, and asks until its end', async () => {
    await page.getByText('How would you begin?').waitFor()
    expect(await isShown('The product first')).toBe(false)
    await button('Next line').focus()
    await page.keyboard.press('Enter')
    await page.getByText('What comes next?').waitFor()
    expect(await isShown('The product first')).toBe(true)
    expect(await isShown('Then the difference')).toBe(false)
    expect(await page.locator(':focus').textContent()).toBe('Next line')
    await page.reload()
    await page.getByText('Line 1 of 2').waitFor()
    await button('Next line').press('Enter')
    await page.getByText('Answer:').waitFor()
    expect(await isShown('What comes next?')).toBe(false)
    expect(await button('Next line').count()).toBe(0)
    // Who reads with the keyboard is not thrown back to the top of the page.
    expect(await page.locator(':focus').textContent()).toContain('Answer')
  })

  it('is shown at once to who wants that', async () => {
    // The map has a button of this name.
    await page.getByRole('log').getByRole('button', { name: 'Show all', exact: true }).click()
    await page.getByText('Answer:').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })
})

it('shows the pictures of its course with their words, and of others the words alone', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20"/>'
  const [own, other] = ['/api/courses/sums/pictures/heaps.svg', 'https://example.org/heaps.svg']
  stub.messages = []
  stub.say(`Look:\n\n![Two heaps [3, 4]](${own})\n\n![One heap](${other})\n\nA ![heap](${own}).`)
  ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.route(`**${own}`, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: svg }),
  )
  await page.goto(`${stub.url}/arcs/${ARC_ID}`)
  const figure = page.getByRole('figure')
  await figure.getByText('Two heaps [3, 4]').waitFor()
  await soon(() =>
    figure.locator('img').evaluate((image: { naturalWidth: number }) => image.naturalWidth),
  ).toBe(40)
  expect(await isShown('One heap')).toBe(true)
  expect(await page.locator('#main img').count()).toBe(1)
  expect(asked.filter((url) => url.endsWith('.svg') && url.includes('heaps'))).toEqual([
    stub.url + own,
  ])
  expect(await axeFindings(page)).toEqual([])
})

describe('a concept that is learned', () => {
  beforeEach(async () => {
    stub.arc = arcView({ phase: 'TEACHING', pendingQuestion: shortQuestion })
    stub.messages = []
    stub.say('You passed **Inverse operations**.', { card: { type: 'LEARNED', nodeId: 'n2' } })
    stub.say('### Like terms\n\nTerms are alike when their letters are.')
    stub.say(shortQuestion.text, asked(shortQuestion))
    await open()
    await page.getByRole('region', { name: 'Learned: Inverse operations' }).waitFor()
  })

  it('gets a moment that says how long it took and when it comes back, once', async () => {
    await page.getByText('It took about 6 minutes.').waitFor()
    await page.getByText('It comes back in 24 hours.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    // The conversation goes on beside it.
    expect(await page.getByRole('textbox', { name: 'Your answer' }).isEnabled()).toBe(true)
    await button('Go on').press('Enter')
    await soon(() => page.getByTestId('learned').count()).toBe(0)
    await page.reload()
    await page.getByTestId('question').waitFor()
    await page.waitForTimeout(300)
    expect(await page.getByTestId('learned').count()).toBe(0)
  })

  it('may be enough for today', async () => {
    await button('Enough for today').click()
    await soon(() => new URL(page.url()).pathname).toBe('/')
  })
})

it('looks back on a finished topic without claiming more than was learned, and starts the next', async () => {
  stub.arc = arcView({ phase: 'COMPLETED', mastery: { mastered: 1, total: 3, pct: 0.33 } })
  stub.mindMap = { ...mindMapView(), mindMap: { ...mindMapView().mindMap, status: 'completed' } }
  stub.messages = []
  stub.say('You are through with it.')
  await open()
  const end = page.getByRole('region', { name: 'Looking back' })
  await end.getByText('1 mastered').waitFor()
  for (const text of [
    ...['1 learned', '1 skipped', 'about 18 minutes'],
    ...['2 of 4 answers missed', 'right at first: 1 of 3; in the end: 3 of 3'],
  ]) {
    expect([text, await end.getByText(text).count()]).toEqual([text, 1])
  }
  expect(await isShown('All of it mastered')).toBe(false)
  expect(await isShown('You have mastered this topic')).toBe(false)
  expect(await axeFindings(page)).toEqual([])
  stub.onPost = () =>
    Response.json(
      { arcId: ARC_ID, mindMapId: '', workflowId: '', phase: 'PENDING' },
      { status: 201 },
    )
  await end.getByRole('button', { name: 'Start: Brackets' }).click()
  await soon(() => stub.posted.map(({ body }) => body)).toEqual([
    { topic: 'Brackets', courseId: 'algebra-basics', goal: 'Brackets' },
  ])
})

it('offers to prove what the level check says is known', async () => {
  const map = mindMapView()
  stub.arc = arcView({ phase: 'TEACHING' })
  stub.mindMap = {
    ...map,
    nodes: map.nodes.map((node) => (node.id === 'n4' ? { ...node, placed: true } : node)),
    frontier: ['n4'],
  }
  await open()
  await page.getByText('List', { exact: true }).click()
  await page.getByRole('button', { name: /^Brackets/ }).click()
  await page.getByRole('button', { name: 'Prove it' }).click()
  await soon(() => stub.posted.at(-1)?.body).toMatchObject({ action: 'know_this', nodeId: 'n4' })
  // What comes back for review is not asked about before its date.
  await page.getByRole('button', { name: /^Inverse operations/ }).click()
  await page.getByRole('button', { name: 'Learn it again' }).waitFor()
  expect(await page.getByRole('button', { name: 'Prove it' }).count()).toBe(0)
})

describe('without a network', () => {
  it('says that the map cannot be drawn, and draws it when asked later', async () => {
    stub.arc = arcView({ phase: 'TEACHING' })
    ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
    const graph = /concept-graph-.*\.js/
    await page.route(graph, (route) => route.abort())
    await page.goto(`${stub.url}/arcs/${ARC_ID}`)
    const enlarge = page.getByRole('button', { name: 'Enlarge the map' })
    // The page that lacks a file first looks for a newer release, once.
    await Promise.all([page.waitForEvent('load'), enlarge.click()])
    await enlarge.click()
    await page.getByText('The map cannot be drawn at the moment', { exact: false }).waitFor()
    await page.unroute(graph)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.react-flow__node').first().waitFor()
  })

  it('a program can be written without the editor, and is in it when that comes', async () => {
    stub.arc = arcView({
      phase: 'QUIZZING',
      pendingQuestion: {
        ...shortQuestion,
        format: 'program',
        program: { language: 'python', starter: '', examples: [{ input: 'f(1)', output: '2' }] },
      },
    })
    ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
    const editor = /program-editor-.*\.js/
    await page.route(editor, (route) => route.abort())
    await page.goto(`${stub.url}/arcs/${ARC_ID}`)
    await page.getByText('The editor could not be loaded', { exact: false }).waitFor()
    await page.getByRole('textbox', { name: 'Your program' }).fill('def f(x): return 2')
    await page.unroute(editor)
    await page.getByRole('button', { name: 'Try again' }).click()
    await soon(() => page.locator('.cm-content').textContent()).toContain('return 2')
  })
})

it('shows a teacher every way on a phone, and a question whole above the field', async () => {
  stub.answers.set('/api/teacher/standing', { somethingToTeach: true })
  stub.arc = arcView({ phase: 'TEACHING', pendingQuestion: shortQuestion })
  stub.messages = []
  stub.say('Now a question on **Sums** to see whether it holds.')
  stub.say(shortQuestion.text, asked(shortQuestion))
  await open({ viewport: { width: 390, height: 844 } })
  const operating = page.getByRole('link', { name: 'Operating' })
  await operating.waitFor()
  for (const link of await page.getByRole('navigation').getByRole('link').all()) {
    const box = await link.boundingBox()
    if (!box) throw new Error('a link is not on the page')
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(390)
  }
  const question = await page.getByTestId('question').boundingBox()
  const field = await page.getByRole('textbox', { name: 'Your answer' }).boundingBox()
  if (!question || !field) throw new Error('there is no question')
  expect(question.y + question.height).toBeLessThanOrEqual(field.y)
})
