import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import {
  askedForProgram,
  askedInWriting,
  conceptOf,
  lookBackOn,
  type PreparedWorld,
  startPreparedWorld,
} from './prepared-world.ts'

vi.setConfig(PATIENCE)

const NUMBERS = 'Numbers, signs and order of operations'
const POWERS = 'Powers and exponent rules'

let world: PreparedWorld
let browser: Browser
/** An arc with its first lesson and its question, on which nothing was said yet. */
let lesson: string
let page: Page
let errors: string[]

beforeAll(async () => {
  ;[world, browser] = await Promise.all([
    startPreparedWorld({ MENO_DAY_SECONDS: '86400' }),
    sharedChromium(),
  ])
  lesson = await world.begin(NUMBERS)
  await isAsked(lesson)
})
afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(() => world?.meno.remove())

const isAsked = (arcId: string) =>
  world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)

async function open(arcId: string, options: BrowserContextOptions = {}): Promise<void> {
  ;({ page, errors } = await openPage(browser, options))
  await page.goto(`${world.meno.url()}/arcs/${arcId}`)
}

/** An arc of four concepts whose first was learned just now, in about six minutes. */
async function learnedOne(): Promise<string> {
  const settings = { skipDiagnosis: true, quizQuestions: 1, learningSteps: [1, 6] }
  const arcId = await world.begin('Products of two brackets', { settings })
  await world.reach(arcId, 'quiz')
  await world.meno.rows(
    `update arc_messages set created_at = created_at - interval '345 seconds' where arc_id = $1`,
    [arcId],
  )
  await world.answer(arcId, 'right')
  await isAsked(arcId)
  return arcId
}

const log = () => page.getByRole('log')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const isShown = (text: string) => page.getByText(text, { exact: false }).isVisible()

describe('a worked example', () => {
  beforeEach(async () => {
    await open(lesson)
    const [idea, line] = [log().getByRole('button', { name: 'Go on' }), button('Next line')]
    for (await idea.waitFor(); !(await line.isVisible()); ) await idea.click()
  })

  it('comes line by line by keyboard, keeps its place over a reload, and asks until its end', async () => {
    const [first, second] = ['Brackets:', 'Multiplication and division from left to right:']
    await page.getByText('How would you begin?').waitFor()
    expect(await isShown(first)).toBe(false)
    await button('Next line').focus()
    await page.keyboard.press('Enter')
    await page.getByText('What comes next?').waitFor()
    expect(await isShown(first)).toBe(true)
    expect(await isShown(second)).toBe(false)
    expect(await page.locator(':focus').textContent()).toBe('Next line')
    await page.reload()
    for (const line of [1, 2, 3]) {
      await page.getByText(`Line ${line} of 4`).waitFor()
      await button('Next line').press('Enter')
    }
    await page.getByText('Answer:').waitFor()
    expect(await isShown(second)).toBe(true)
    expect(await isShown('What comes next?')).toBe(false)
    expect(await button('Next line').count()).toBe(0)
    // Who reads with the keyboard is not thrown back to the top of the page.
    expect(await page.locator(':focus').textContent()).toContain('Answer')
  })

  it('is shown at once to who wants that', async () => {
    // The map has a button of this name.
    await log().getByRole('button', { name: 'Show all', exact: true }).click()
    await page.getByText('Answer:').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })
})

it('shows the pictures of its course with their words, and of others the words alone', async () => {
  const arcId = await world.begin('Linear equations')
  await isAsked(arcId)
  const nodeId = await conceptOf(world, arcId, 'Linear equations')
  // Asked a second time, it begins before what comes first.
  for (let times = 0; times < 2; times += 1) {
    await world.say(arcId, { action: 'teach', nodeId })
    await isAsked(arcId)
  }
  await world.until(arcId, ({ pendingQuestion }) => pendingQuestion?.nodeId === nodeId)
  const own = '/api/courses/algebra-basics/pictures/sixths.svg'
  const text = `Look:\n\n![Two heaps [3, 4]](${own})\n\n![One heap](https://example.org/heaps.svg)\n\nA ![heap](${own}).`
  await world.meno.rows(
    `insert into arc_messages (arc_id, id, role, text, phase) values ($1, $2, 'tutor', $3, 'TEACHING')`,
    [arcId, randomUUID(), text],
  )
  ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${world.meno.url()}/arcs/${arcId}`)
  await page.getByRole('button', { name: 'Show all of it' }).click()
  const figures = page.getByRole('figure')
  await figures.getByText('A pair of level scales.', { exact: false }).waitFor()
  await figures.getByText('Two heaps [3, 4]').waitFor()
  const pictures = await figures.locator('img').all()
  for (const picture of pictures) {
    await soon(() =>
      picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth),
    ).toBeGreaterThan(0)
  }
  expect(await isShown('One heap')).toBe(true)
  expect(await page.locator('#main img').count()).toBe(2)
  const path = `${world.meno.url()}/api/courses/algebra-basics/pictures`
  expect(asked.filter((url) => /(heaps|pictures)/.test(url)).sort()).toEqual([
    `${path}/balance.svg`,
    `${path}/sixths.svg`,
  ])
  expect(await axeFindings(page)).toEqual([])
})

describe('a concept that is learned', () => {
  let arcId: string

  beforeAll(async () => {
    arcId = await learnedOne()
  })
  beforeEach(async () => {
    await open(arcId)
    await moment().waitFor()
  })

  const moment = () => page.getByRole('region', { name: `Learned: ${NUMBERS}` })

  it('gets a moment that says how long it took and when it comes back, once', async () => {
    await page.getByText('It took about 6 minutes.').waitFor()
    await page.getByText('It comes back in 24 hours.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    // The conversation goes on beside it.
    expect(await page.getByTestId('question').isVisible()).toBe(true)
    expect(await page.getByRole('textbox').isEnabled()).toBe(true)
    await moment().getByRole('button', { name: 'Go on' }).press('Enter')
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
  const arcId = await world.begin('Common factors')
  await isAsked(arcId)
  await lookBackOn(world, arcId)
  await open(arcId)
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
  await end.getByRole('button', { name: 'Start: Inverse operations' }).click()
  await soon(() => page.url()).not.toContain(arcId)
  await page.getByTestId('question').waitFor()
  const begun = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const topic = 'Inverse operations'
  expect(await world.arc(begun)).toMatchObject({ topic, courseId: 'algebra-basics', goal: topic })
})

it('offers to prove what the level check says is known', async () => {
  const arcId = await learnedOne()
  const nodeId = await conceptOf(world, arcId, POWERS)
  await world.meno.rows(
    `update mind_map_nodes set mastery_status = 'diagnosed', metadata = metadata || '{"placed": true}'
     where id = $1`,
    [nodeId],
  )
  await open(arcId)
  await page.getByText('List', { exact: true }).click()
  await page.getByRole('button', { name: new RegExp(`^${POWERS}`) }).click()
  const card = page.getByRole('dialog', { name: POWERS })
  await card.getByRole('button', { name: 'Prove it' }).click()
  await card.waitFor({ state: 'detached' })
  const asked = { kind: 'quiz', nodeId }
  await soon(async () => (await world.arc(arcId)).pendingQuestion).toMatchObject(asked)
  const [said] = await world.meno.rows(
    `select payload from inbox where entity_id = $1 order by position desc limit 1`,
    [arcId],
  )
  expect(said?.payload).toMatchObject({ action: 'know_this', nodeId })
  // What comes back for review is not asked about before its date.
  await page.getByRole('button', { name: new RegExp(`^${NUMBERS}`) }).click()
  await page.getByRole('button', { name: 'Learn it again' }).waitFor()
  expect(await page.getByRole('button', { name: 'Prove it' }).count()).toBe(0)
})

describe('without a network', () => {
  it('says that the map cannot be drawn, and draws it when asked later', async () => {
    ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
    const graph = /concept-graph-.*\.js/
    await page.route(graph, (route) => route.abort())
    await page.goto(`${world.meno.url()}/arcs/${lesson}`)
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
    const arcId = await askedForProgram(world)
    ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
    const editor = /program-editor-.*\.js/
    await page.route(editor, (route) => route.abort())
    await page.goto(`${world.meno.url()}/arcs/${arcId}`)
    await page.getByText('The editor could not be loaded', { exact: false }).waitFor()
    await page.getByRole('textbox', { name: 'Your program' }).fill('def f(x): return 2')
    await page.unroute(editor)
    await page.getByRole('button', { name: 'Try again' }).click()
    await soon(() => page.locator('.cm-content').textContent()).toContain('return 2')
  })
})

it('shows a teacher every way on a phone, and a question whole above the field', async () => {
  const taught = { title: '7b', studentIds: ['Robin'] }
  await world.call('PUT', `/api/teacher/classes/${randomUUID()}`, taught)
  await open(await askedInWriting(world, NUMBERS), { viewport: { width: 390, height: 844 } })
  await page.getByRole('link', { name: 'Operating' }).waitFor()
  for (const link of await page.getByRole('navigation').getByRole('link').all()) {
    const box = await link.boundingBox()
    if (!box) throw new Error('a link is not on the page')
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(390)
  }
  const field = page.getByRole('textbox', { name: 'Your answer' })
  await soon(async () => {
    const question = await page.getByTestId('question').boundingBox()
    const bottom = question ? question.y + question.height : Number.NaN
    return bottom - ((await field.boundingBox())?.y ?? Number.NaN)
  }).toBeLessThanOrEqual(0)
})

it('follows what grows while the view is moved for what has grown before', async () => {
  await open(await askedInWriting(world, NUMBERS), { viewport: { width: 390, height: 844 } })
  await page.getByTestId('question').waitFor()
  await page.waitForTimeout(1_000)
  expect(await page.evaluate<number>(GROWN_TWICE)).toBeLessThan(1)
})

/** Lets the conversation grow, and again as soon as the view was moved for that; gives what is below the view in the end. */
const GROWN_TWICE = `(async () => {
  const log = document.querySelector('[role="log"]')
  const grow = (height) => {
    const piece = document.createElement('div')
    piece.style.height = height + 'px'
    log.firstElementChild.append(piece)
  }
  const isMoved = new Promise((resolve) => {
    let isFirst = true
    const observer = new ResizeObserver(() => {
      if (!isFirst) setTimeout(resolve)
      isFirst = false
    })
    observer.observe(log.firstElementChild)
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  grow(20)
  await isMoved
  grow(90)
  await new Promise((resolve) => setTimeout(resolve, 500))
  return log.scrollHeight - log.clientHeight - log.scrollTop
})()`
