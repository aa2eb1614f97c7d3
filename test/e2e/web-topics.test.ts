import { randomUUID } from 'node:crypto'
import type { Browser, Page, Request, Route } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import {
  beginAsleep,
  giveEveryStanding,
  makeDue,
  type PreparedWorld,
  startPreparedWorld,
} from './prepared-world.ts'

vi.setConfig(PATIENCE)

let world: PreparedWorld
let browser: Browser
let page: Page
let errors: string[]
/** What the page has sent. */
let posts: Request[]
/** The addresses of arcs that the page has read, their streams aside, each time it did. */
let reads: string[]

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startPreparedWorld(), sharedChromium()])
})
afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(() => world?.meno.remove())

async function open(path: string): Promise<void> {
  // The worker reads for itself, once; here it is counted what the page reads.
  ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
  posts = []
  reads = []
  page.on('request', (request) => {
    const path = pathOf(request)
    if (request.method() === 'POST') posts.push(request)
    else if (path.startsWith('/api/arcs/') && !path.endsWith('/events')) reads.push(path)
  })
  await page.goto(world.meno.url() + path)
}

/** Opens an arc that has asked its first question. */
async function openArc(topic = 'linear equations'): Promise<string> {
  const arcId = await world.begin(topic)
  await world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
  await open(`/arcs/${arcId}`)
  await page.getByTestId('question').waitFor()
  return arcId
}

const pathOf = (request: Request) => new URL(request.url()).pathname
const alert = () => page.getByRole('alert')

describe('the first screen', () => {
  it('starts an arc from a course, once however often it is asked for', async () => {
    const goal = `the test in June ${randomUUID()}`
    await open('/')
    await page.getByRole('button', { name: /^Algebra basics.*units/ }).click()
    await page.getByRole('textbox', { name: 'Goal (optional)' }).fill(goal)
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('switch', { name: 'Skip the level check' }).check()
    // The arc is begun, and the answer lost.
    const lost = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/api/arcs', lost)
    const start = page.getByRole('button', { name: 'Start learning' })
    await start.click()
    await alert().getByText('The server cannot be reached.').waitFor()
    await page.unroute('**/api/arcs', lost)
    await start.click()
    await page.waitForURL('**/arcs/*')
    await page.getByRole('heading', { level: 1, name: 'Algebra basics' }).waitFor()
    await page.getByText('Offline tutor: teaches from a course pack').waitFor()
    const keys = posts.map((request) => request.headers()['idempotency-key'])
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
    const settings = { level: 'unknown', skipDiagnosis: true }
    expect(posts.at(-1)?.postDataJSON()).toEqual({
      ...{ topic: 'Algebra basics', goal, courseId: 'algebra-basics', settings },
    })
    const begun = await world.meno.rows<{ id: string }>('select id from arcs where goal = $1', [
      goal,
    ])
    expect(begun.map(({ id }) => `/arcs/${id}`)).toEqual([new URL(page.url()).pathname])
  })

  it('shows why a topic cannot be started, and the courses there are', async () => {
    await open('/')
    await page.getByRole('textbox', { name: 'Topic' }).fill('weaving')
    const refused = page.waitForResponse('**/api/arcs')
    await page.keyboard.press('Enter')
    const { detail } = (await (await refused).json()) as { detail: string }
    expect(detail).toContain('weaving')
    await alert().getByText(detail, { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Algebra basics.*units/ }).click()
    await soon(() => alert().count()).toBe(0)
  })

  it('puts an arc with a due review first', async () => {
    const due = await beginAsleep(world)
    const other = await world.begin('Python fundamentals')
    for (const [arcId, title] of [
      [due, 'Poetry'],
      [other, 'Prose'],
    ] as const)
      await world.call('PATCH', `/api/arcs/${arcId}`, { title })
    await world.until(other, ({ pendingQuestion }) => pendingQuestion !== null)
    await world.answer(other, 'wrong')
    await open('/')
    const topics = page.getByRole('article')
    const names = async () =>
      (
        await Promise.all((await topics.all()).map((topic) => topic.getAttribute('aria-label')))
      ).filter((name) => name === 'Poetry' || name === 'Prose')
    await soon(names).toEqual(['Prose', 'Poetry'])
    await makeDue(world, due)
    await page.reload()
    await soon(names).toEqual(['Poetry', 'Prose'])
    await page.getByRole('article', { name: 'Poetry' }).getByText('Review due now').waitFor()
  })

  it('says so when an arc does not exist', async () => {
    await open(`/arcs/${randomUUID()}`)
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  })
})

describe('a topic', () => {
  it('shows a whole turn from what it is told, reading nothing again', async () => {
    const arcId = await world.begin('linear equations')
    await world.reach(arcId, 'quiz')
    const address = `/api/arcs/${arcId}`
    await open(`/arcs/${arcId}`)
    // What happened between the first reading and the stream's opening is in no event: all is read twice at first;
    // proposals, which are made at night, once.
    const parts = [address, `${address}/messages`, `${address}/mind-map`]
    await soon(() => [...reads].sort()).toEqual([...parts, ...parts, `${address}/proposals`].sort())
    reads = []
    await world.answer(arcId, 'right')
    await page.getByTestId('question').getByText('Check question').waitFor()
    await page.getByTestId('learned').waitFor()
    const { progress, currentNode } = await world.arc(arcId)
    expect(progress.learned).toBe(1)
    await soon(() => page.getByRole('region', { name: 'Progress' }).textContent()).toMatch(
      /1 learned.*0 in memory.*0 mastered.*of 3.*Next review/,
    )
    const map = page.getByRole('region', { name: 'Mind map' })
    await map.getByText('List', { exact: true }).click()
    await map.getByRole('button', { name: /^Numbers, signs.*In review/ }).waitFor()
    expect(await map.locator('[aria-current="step"]').textContent()).toContain(currentNode?.label)
    await page.waitForTimeout(500)
    // How long the concept took is in no event.
    expect(reads).toEqual([`${address}/summary`])
  })

  it('offers a review that is due and opens it', async () => {
    const arcId = await beginAsleep(world)
    await makeDue(world, arcId)
    await open(`/arcs/${arcId}`)
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByText('Review due now').waitFor()
    await progress.getByRole('button', { name: 'Review now' }).click()
    await page.getByTestId('question').getByText('Review question').waitFor()
    await progress.getByText('A review is open').waitFor()
    expect(posts.map(pathOf)).toEqual([`/api/arcs/${arcId}/reviews/start`])
    expect((await world.arc(arcId)).pendingQuestion?.kind).toBe('review')
  })

  it('says that it is mastered as soon as it is, and asks nothing more', async () => {
    const arcId = await beginAsleep(world)
    await open(`/arcs/${arcId}`)
    await page.getByRole('region', { name: 'Progress' }).getByText('Next review').waitFor()
    await world.meno.rows(
      `update mind_map_nodes set mastery_status = 'mastered', mastery_score = 1
       where mind_map_id = (select mind_map_id from arcs where id = $1)`,
      [arcId],
    )
    await world.call('POST', `/api/arcs/${arcId}/reviews/start`, {})
    await page.getByText('You have mastered this topic.').waitFor()
    await page.getByRole('button', { name: 'Keep it fresh' }).waitFor()
    expect(await page.getByTestId('question').count()).toBe(0)
    expect((await world.arc(arcId)).phase).toBe('COMPLETED')
  })

  it('opens a menu by keyboard when it is first asked for, and gives the focus back', async () => {
    await openArc()
    await page.getByRole('button', { name: 'More about this topic' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('menuitem').count()).toBe(0)
    const focused = () => page.locator(':focus').getAttribute('aria-label')
    await soon(focused).toBe('More about this topic')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Keyboard' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('is closed only once the word is typed', async () => {
    const arcId = await openArc()
    await page.getByRole('button', { name: 'More about this topic' }).click()
    await page.getByRole('menuitem', { name: 'Close this topic' }).click()
    const dialog = page.getByRole('dialog')
    const close = dialog.getByRole('button', { name: 'Close for good' })
    expect(await close.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: /Reason/ }).fill('too easy')
    await dialog.getByRole('textbox', { name: /Type/ }).fill('close')
    await close.click()
    await page.getByRole('button', { name: 'Go on with it' }).waitFor()
    expect(posts.map((post) => [pathOf(post), post.postDataJSON()])).toEqual([
      [`/api/arcs/${arcId}/abandon`, { reason: 'too easy' }],
    ])
    const closed = await world.meno.rows('select phase, abandon_reason from arcs where id = $1', [
      arcId,
    ])
    expect(closed).toEqual([{ phase: 'ABANDONED', abandon_reason: 'too easy' }])
  })

  it('shows the same concepts as a map and as a list, and a card for each', async () => {
    const arcId = await world.begin('brackets')
    const { mindMapId } = await world.until(arcId, ({ pendingQuestion }) => !!pendingQuestion)
    await giveEveryStanding(world, arcId)
    await open(`/arcs/${arcId}`)
    const map = page.getByRole('region', { name: 'Mind map' })
    await map.getByRole('button', { name: /^Like terms and brackets.*Learning.*40%/ }).waitFor()
    await map.getByText('List', { exact: true }).click()
    const rows = map.getByRole('listitem')
    const concepts = await world.meno.rows('select id from mind_map_nodes where mind_map_id = $1', [
      mindMapId,
    ])
    await soon(() => rows.count()).toBe(concepts.length)
    expect(await rows.last().textContent()).toContain(
      'after Like terms and brackets, Linear equations',
    )
    await map.getByRole('button', { name: /^Inverse operations/ }).click()
    const card = page.getByRole('dialog')
    await card.getByText('In review', { exact: true }).waitFor()
    await card.getByText(/tomorrow|in 24 hours/).waitFor()
    await card.getByRole('button', { name: 'Linear equations: Not started' }).click()
    await page
      .getByRole('dialog', { name: 'Linear equations' })
      .getByText('About 35%, inferred from other answers')
      .waitFor()
  })
})
