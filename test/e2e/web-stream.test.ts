import type { Browser, Page, Request } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { type PreparedWorld, startPreparedWorld } from './prepared-world.ts'

vi.setConfig(PATIENCE)

const TOPIC = 'Sums'

let model: ScriptedModel
let world: PreparedWorld
let browser: Browser
let page: Page
let errors: string[]
let arcId: string
/** The part of an arc that was read by the page, each time it was. */
let reads: string[]
let streams: Request[]

beforeAll(async () => {
  model = await startScriptedModel()
  const env = { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: model.url }
  ;[world, browser] = await Promise.all([startPreparedWorld(env), sharedChromium()])
})
afterEach(async () => {
  model.fail(() => null)
  model.pace(0)
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(async () => {
  await world?.meno.remove()
  await model?.close()
})

/** Opens the arc, and waits until its events are told. */
async function open(): Promise<void> {
  // The worker reads for itself, once; here it is counted what the page reads.
  ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
  reads = []
  streams = []
  page.on('request', (request) => {
    const part = new URL(request.url()).pathname.split(`/api/arcs/${arcId}`)[1]
    if (part === '/events') streams.push(request)
    else if (part !== undefined && request.method() === 'GET') reads.push(part || '/')
  })
  const told = page.waitForResponse((response) => response.url().endsWith('/events'))
  await page.goto(`${world.meno.url()}/arcs/${arcId}`)
  await told
}

/** Opens an arc that asks a question, and waits until all was read of it. */
async function openAsking(more: Record<string, unknown> = {}): Promise<void> {
  arcId = await world.begin(TOPIC, more)
  await world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
  await open()
  const parts = ['/', '/messages', '/mind-map']
  // All is read again when the stream is open, as what happened before is in no event.
  await soon(() => [...reads].sort()).toEqual([...parts, ...parts, '/proposals'].sort())
  await page.getByTestId('question').waitFor()
  reads = []
}

const log = () => page.getByRole('log')
const heading = () => page.getByRole('heading', { level: 1 })

/** The conversation as it is stored. */
const messages = async () =>
  (await world.call<{ items: ArcMessage[] }>('GET', `/api/arcs/${arcId}/messages`)).items

const lastEvent = async () =>
  (
    await world.meno.rows<{ last: string }>(
      'select max(seq) as last from events where stream = $1',
      [arcId],
    )
  ).at(0)?.last

it('shows text while it is written, and the stored message in its place', async () => {
  // While a question is open, each sentence is looked at before it is shown.
  const texts = [
    'A first attempt is made. It will not come to its end, as the line to the model is cut.',
    'An **equation** such as $x + a = b$ has two sides. However long one looks, both sides are equal.',
  ]
  await openAsking()
  const draft = log().getByTestId('draft')
  let calls = 0
  model.answer('help', () => texts[calls - 1])
  model.fail(({ step }) => {
    if (step !== 'help') return null
    calls += 1
    // The second one pauses in its middle, so that it can be looked at.
    return calls === 1 ? { kind: 'cut', after: 3 } : { kind: 'silence', ms: 4_000, after: 3 }
  })
  model.pace(150)
  await world.say(arcId, { text: 'Explain again', action: 'explain' })
  await draft.getByText('A first attempt is made.').waitFor()
  await draft.locator('.katex').waitFor()
  expect(await draft.locator('strong').textContent()).toBe('equation')
  expect(await log().getByText('A first attempt is made.').count()).toBe(0)
  expect(await log().getByText('both sides are equal').count()).toBe(0)
  await log().getByText('both sides are equal').waitFor()
  await soon(() => draft.count()).toBe(0)
  expect(await log().getByText('equation', { exact: true }).count()).toBe(1)
  expect(await log().getByText('both sides are equal').count()).toBe(1)
  expect((await messages()).filter(({ text }) => text === texts[1])).toHaveLength(1)
})

it('goes on after a cut where it was, losing and repeating nothing', async () => {
  await openAsking()
  const say = async (...sentences: string[]) => {
    for (const sentence of sentences) await world.say(arcId, { text: `Sentence ${sentence}.` })
    await world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
  }
  const said = async () =>
    (await log().locator('[data-from="learner"]').allInnerTexts()).map(
      (text) => /Sentence (\w+)/.exec(text)?.[1],
    )
  await say('one', 'two', 'three')
  await soon(said).toEqual(['one', 'two', 'three'])
  await page.getByTestId('question').waitFor()
  const last = await lastEvent()
  reads = []

  await page.route('**/events', (route) => route.abort())
  await world.meno.kill('api')
  const isReady = () => fetch(`${world.meno.url()}/readyz`).then(({ ok }) => ok)
  await soon(() => isReady().catch(() => false)).toBe(true)
  await say('four', 'five')
  await page.getByText('Reconnecting').waitFor()
  expect(await said()).toEqual(['one', 'two', 'three'])
  await page.unroute('**/events')
  await soon(said).toEqual(['one', 'two', 'three', 'four', 'five'])
  await page.getByTestId('question').waitFor()
  expect((await streams.at(-1)?.allHeaders())?.['last-event-id']).toBe(last)
  const shown = async () => {
    const entries = await log().locator('[data-entry]').all()
    return Promise.all(entries.map((entry) => entry.getAttribute('data-entry')))
  }
  // The last one asks what stands in the panel.
  await soon(shown).toEqual((await messages()).map(({ id }) => id).slice(0, -1))
  expect(reads).not.toContain('/messages')
})

it('reads everything again when it is told to', async () => {
  await openAsking({ settings: {} })
  await world.call('PATCH', `/api/arcs/${arcId}`, { title: 'Adding up' })
  await world.meno.rows(
    `insert into arc_messages (arc_id, id, role, text, phase)
     values ($1, 'unheard', 'tutor', 'Nobody was told of this.', 'DIAGNOSING')`,
    [arcId],
  )
  const map = page.getByRole('region', { name: 'Mind map' })
  await page.getByRole('region', { name: 'Progress' }).getByText('Getting to know you').waitFor()
  expect([await heading().textContent(), reads]).toEqual([TOPIC, []])
  await page.getByRole('button', { name: 'Skip the level check' }).click()
  await soon(() => heading().textContent()).toBe('Adding up')
  await log().getByText('Nobody was told of this.').waitFor()
  await map.locator('[data-concept]').first().waitFor()
  await page.getByTestId('question').getByText('Check question').waitFor()
  expect(reads).toEqual(expect.arrayContaining(['/', '/messages', '/mind-map']))
})

it('says why it is blocked and tries again when asked', async () => {
  model.fail(({ step }) => (step === 'lesson' ? { kind: 'status', status: 401 } : null))
  arcId = await world.begin(TOPIC)
  const { blocked } = await world.until(arcId, (arc) => arc.blocked !== null)
  expect(blocked?.reason).toContain('ANTHROPIC_API_KEY')
  await open()
  const notice = page.getByTestId('blocked')
  await notice.getByText(blocked?.reason ?? '', { exact: true }).waitFor()
  await notice.getByText(/Next try: in [45] minutes/).waitFor()
  model.fail(() => null)
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await notice.getByRole('button', { name: 'Try now' }).click()
  expect(new URL((await asked).url()).pathname).toBe(`/api/arcs/${arcId}/resume`)
  await page.getByTestId('question').getByText('Check question').waitFor()
  expect(await notice.count()).toBe(0)
  expect((await world.arc(arcId)).blocked).toBeNull()
})
