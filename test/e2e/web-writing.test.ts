import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { worldAnswer } from '../support/scripted-world.ts'
import { openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { type PreparedWorld, refuse, startPreparedWorld } from './prepared-world.ts'

vi.setConfig(PATIENCE)

/** A map of few concepts is soon planned. */
const PLAN = { concepts: 3 }
/** So much of an answer has come when the model stops for as long as this test may take. */
const SILENCE = { kind: 'silence', ms: 60_000, after: 4 } as const
const FIRST = `A first try, of which the learner has read enough before it comes to its very end, ${'and on '.repeat(20)}to the end.`

let model: ScriptedModel
let world: PreparedWorld
let browser: Browser
let page: Page
let errors: string[]

beforeAll(async () => {
  model = await startScriptedModel(PLAN)
  model.answer('lesson', (asked) => ({
    ...(worldAnswer(asked, PLAN) as object),
    explanation: ['Adding is counting on.', FIRST, 'A second try.'][asked.earlier],
  }))
  model.fail((call) => (call === lessons()[1] ? SILENCE : null))
  ;[world, browser] = await Promise.all([
    startPreparedWorld({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'any' }),
    sharedChromium(),
  ])
})
afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(async () => {
  await world?.meno.remove()
  await model?.close()
})

const lessons = () => model.calls.filter(({ step }) => step === 'lesson')
const button = (name: string) => page.getByRole('button', { name, exact: true })

it('stops what is being written, and has it written again', async () => {
  const arcId = await world.begin('Sums')
  await world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
  const written = async () => {
    const path = `/api/arcs/${arcId}/messages`
    const { items } = await world.call<{ items: ArcMessage[] }>('GET', path)
    return items.filter(({ card }) => card?.type === 'WRITTEN')
  }
  ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
  const asked: { path: string; body: unknown }[] = []
  page.on('request', (request) => {
    if (request.method() !== 'POST') return
    const path = new URL(request.url()).pathname.split('/').at(-1) ?? ''
    asked.push({ path, body: request.postDataJSON() })
  })
  const listens = page.waitForResponse(/\/events$/)
  await page.goto(`${world.meno.url()}/arcs/${arcId}`)
  await listens
  await world.say(arcId, { action: 'teach' })
  await page.getByTestId('draft').getByText('A first try').waitFor()
  await button('Stop writing').click()
  // The question comes after what there is of the lesson.
  await page.getByTestId('question').waitFor()
  const [, first] = await written()
  expect(first?.text).toContain('A first try')
  expect(first?.text).not.toContain('the end.')
  expect(await page.getByTestId('draft').count()).toBe(0)
  const detail = 'Only the last lesson is written again.'
  const heal = await refuse(page, '**/regenerate', { method: 'POST', status: 409, detail })
  await button('Write again').click()
  await page.getByText(detail).waitFor()
  await heal()
  await button('Write again').click()
  await page.getByText('A second try.').waitFor()
  await soon(() => page.getByText('A first try').count()).toBe(0)
  await button('Earlier version').click()
  await page.getByText('A first try').waitFor()
  const [, , second] = await written()
  expect(second).toMatchObject({ replaces: first?.id })
  expect(second?.text).toContain('A second try.')
  expect(asked).toEqual([
    { path: 'stop', body: { turnId: expect.any(String) } },
    { path: 'regenerate', body: { messageId: first?.id } },
    { path: 'regenerate', body: { messageId: first?.id } },
  ])
})
