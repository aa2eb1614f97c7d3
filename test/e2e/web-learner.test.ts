import type { Browser, Page } from '@playwright/test'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { MindMapView } from '../../src/contracts/arc.ts'
import { openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { problem, type StubApi, startStubApi } from './stub-api.ts'
import { ARC_ID, arcView, mindMapView } from './stub-world.ts'

vi.setConfig(PATIENCE)

let browser: Browser
let stub: StubApi
let page: Page
let errors: string[]

const LEARNER = {
  ...{ id: '7c1f0b52-7c2a-4f70-8a51-0d9c2f0c8c01', handle: 'me', name: 'Ada', timeZone: 'UTC' },
  ...{ studyTime: null, quietHours: { from: '21:00', to: '08:00' }, dailyReviewCap: 20 },
  ...{ holidayUntil: null, channels: {}, language: 'en', chosen: ['timeZone', 'language'] },
}

beforeAll(async () => {
  browser = await sharedChromium()
})
beforeEach(async () => {
  stub = await startStubApi()
  stub.answers.set('/api/learners/me', LEARNER)
})
afterEach(async () => {
  await page.context().close()
  await stub.stop()
  expect(errors).toEqual([])
})

async function open(path: string): Promise<void> {
  ;({ page, errors } = await openPage(browser))
  await page.goto(stub.url + path)
}

it('says which part of a page could not be loaded, and loads it when asked', async () => {
  stub.answers.set('/api/learners/me/forecast', { forecast: [] })
  await open('/me')
  await page.getByText('No reviews are planned yet.', { exact: false }).waitFor()
  await page.getByRole('alert', { name: 'What you did could not be loaded' }).waitFor()
  const memory = page.getByRole('alert', { name: 'What Meno knows of you could not be loaded' })
  await memory.waitFor()
  stub.answers.set('/api/learners/me/memory', { items: [], levels: [] })
  await memory.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Nothing is remembered of how you learn yet.').waitFor()
})

it('keeps what was typed where it cannot be saved', async () => {
  stub.answers.set('/api/learners/me/channels', { items: [] })
  stub.answers.set('/api/learners/me/calendar-feed', { since: null })
  stub.onPost = () => problem(503, 'Unavailable', 'The database is away.')
  await open('/settings')
  const name = page.getByRole('textbox', { name: 'Name' })
  await soon(() => name.inputValue()).toBe('Ada')
  await name.fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The database is away.').waitFor()
  expect(await name.inputValue()).toBe('Ada Lovelace')
  stub.onPost = ({ body }) => Response.json({ ...LEARNER, ...body })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(stub.posted.map(({ body }) => body)).toEqual([
    { name: 'Ada Lovelace' },
    { name: 'Ada Lovelace' },
  ])
})

it('links Telegram by a code, and leaves a channel', async () => {
  const mail = { channel: 'email', status: 'linked', place: '', label: 'ada@example.org' }
  stub.answers.set('/api/learners/me/channels', {
    items: [{ ...mail, linkedAt: null, failure: null }],
  })
  stub.onPost = () =>
    Response.json(
      { channel: 'telegram', status: 'pending', code: 'K7Q2', url: 'https://t.me/meno_bot' },
      { status: 201 },
    )
  await open('/settings')
  await page.getByText('ada@example.org').waitFor()
  await page.getByRole('button', { name: 'Link Telegram' }).click()
  await page.getByText('/start K7Q2').waitFor()
  expect(await page.getByRole('link', { name: 'Open the bot' }).getAttribute('href')).toBe(
    'https://t.me/meno_bot',
  )
  const left = page.waitForRequest((request) => request.method() === 'DELETE')
  await page.getByRole('button', { name: 'Unlink ada@example.org' }).click()
  expect(new URL((await left).url()).pathname).toBe('/api/learners/me/channels/email')
})

/** A map of so many concepts, each built on two before it. */
function largeMap(size: number): MindMapView {
  const small = mindMapView()
  const [first] = small.nodes
  if (!first) throw new Error('there is no concept')
  return {
    ...small,
    nodes: Array.from({ length: size }, (_, index) => ({
      ...first,
      ...{ id: `n${index}`, label: `Concept ${index}`, sequence: index + 1, depth: index % 20 },
      masteryStatus: 'unseen' as const,
    })),
    edges: Array.from({ length: size - 1 }, (_, index) => [
      Math.floor(index / 3),
      Math.max(0, Math.floor(index / 3) - 1),
    ]).flatMap((parents, index) =>
      [...new Set(parents)].map((parent) => ({
        ...{ parentNodeId: `n${parent}`, childNodeId: `n${index + 1}` },
        edgeType: 'prerequisite' as const,
      })),
    ),
    ...{ frontier: ['n0'], nextNodeId: 'n0' },
  }
}

it('stays quick with a map of 500 concepts: it draws what is in view', async () => {
  stub.mindMap = largeMap(500)
  stub.arc = arcView({ phase: 'TEACHING', currentNode: { id: 'n0', label: 'Concept 0' } })
  await open(`/arcs/${ARC_ID}`)
  const small = page.getByRole('region', { name: 'Mind map' })
  await small.getByRole('button', { name: /^Concept 0\D/ }).waitFor()
  expect(await small.locator('[data-concept]').count()).toBeLessThan(6)
  await small.getByRole('button', { name: 'All 500 concepts' }).click()
  const large = page.getByRole('dialog')
  const concept = large.getByRole('button', { name: /^Concept 0\D/ })
  await concept.waitFor()
  await soon(() => large.locator('[data-concept]').count()).toBeLessThan(300)
  await page.waitForTimeout(500)
  const box = await concept.boundingBox()
  if (!box) throw new Error('the concept is not on the page')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.getByRole('dialog', { name: 'Concept 0' }).waitFor()
})
