import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { TelegramServer } from '../support/telegram-server.ts'
import { openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { buildOut, type PreparedWorld, refuse, startPreparedWorld } from './prepared-world.ts'

vi.setConfig(PATIENCE)

let telegram: TelegramServer
let world: PreparedWorld
let browser: Browser
let page: Page
let errors: string[]

beforeAll(async () => {
  telegram = await new TelegramServer().start()
  ;[world, browser] = await Promise.all([startPreparedWorld(telegram.env), sharedChromium()])
})
beforeEach(async () => {
  // What the service worker asks for itself cannot be refused.
  ;({ page, errors } = await openPage(browser, { serviceWorkers: 'block' }))
})
afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(async () => {
  await world?.meno.remove()
  await telegram?.stop()
})

const open = (path: string) => page.goto(world.meno.url() + path)

it('says which part of a page could not be loaded, and loads it when asked', async () => {
  const refusal = { method: 'GET', status: 404, detail: 'There is nothing here.' }
  const [, heal] = await Promise.all([
    refuse(page, '**/api/learners/me/activity?*', refusal),
    refuse(page, '**/api/learners/me/memory', refusal),
  ])
  await open('/me')
  await page.getByText('No reviews are planned yet.', { exact: false }).waitFor()
  const activity = page.getByRole('alert', { name: 'What you did could not be loaded' })
  await activity.waitFor()
  const memory = page.getByRole('alert', { name: 'What Meno knows of you could not be loaded' })
  await memory.waitFor()
  await heal()
  await memory.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Nothing is remembered of how you learn yet.').waitFor()
  expect([await memory.count(), await activity.count()]).toEqual([0, 1])
})

it('keeps what was typed where it cannot be saved', async () => {
  const me = '/api/learners/me'
  await world.call('PATCH', me, { name: 'Ada', timeZone: 'UTC', language: 'en' })
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postDataJSON())
  })
  await open('/settings')
  const name = page.getByRole('textbox', { name: 'Name' })
  await soon(() => name.inputValue()).toBe('Ada')
  const detail = 'The database is away.'
  const heal = await refuse(page, `**${me}`, { method: 'PATCH', status: 503, detail })
  await name.fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(detail).waitFor()
  expect(await name.inputValue()).toBe('Ada Lovelace')
  await heal()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(sent).toEqual([{ name: 'Ada Lovelace' }, { name: 'Ada Lovelace' }])
  expect(await world.call('GET', me)).toMatchObject({ name: 'Ada Lovelace' })
})

it('links Telegram by a code, and leaves a channel', async () => {
  await world.meno.rows(
    `insert into learner_channels (learner_id, channel, status, address, linked_at)
     select id, 'email', 'linked', '{"address": "ada@example.org"}', now()
     from learners where handle = 'me'`,
  )
  const channels = async () =>
    (
      await world.meno.rows<{ channel: string; status: string; code: string }>(
        'select channel, status, code from learner_channels order by channel',
      )
    ).map(({ channel, status }) => `${channel} ${status}`)
  await soon(() => telegram.calls.some(({ method }) => method === 'getUpdates')).toBe(true)
  await open('/settings')
  await page.getByText('ada@example.org').waitFor()
  await page.getByRole('button', { name: 'Link Telegram' }).click()
  const said = (await page.getByText(/^\/start \w+$/).textContent()) ?? ''
  expect(await page.getByRole('link', { name: 'Open the bot' }).getAttribute('href')).toBe(
    `https://t.me/meno_test_bot?start=${said.replace('/start ', '')}`,
  )
  expect(await channels()).toEqual(['email linked', 'telegram pending'])
  telegram.say(4711, said)
  await soon(channels).toEqual(['email linked', 'telegram linked'])
  await page.getByRole('button', { name: 'Unlink ada@example.org' }).click()
  await soon(() => page.getByText('ada@example.org').count()).toBe(0)
  expect(await channels()).toEqual(['telegram linked'])
})

it('says that the browser does not let it notify, and links nothing', async () => {
  await open('/settings')
  await page.getByRole('button', { name: 'Notify me in this browser' }).click()
  await page.getByText('This browser allows no notifications from Meno.').waitFor()
  expect(await world.meno.rows(`select from learner_channels where channel = 'push'`)).toEqual([])
})

it('stays quick with a map of 500 concepts: it draws what is in view', async () => {
  const topic = 'Numbers, signs and order of operations'
  const arcId = await world.begin(topic)
  await world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
  await buildOut(world, arcId, 500)
  await open(`/arcs/${arcId}`)
  const small = page.getByRole('region', { name: 'Mind map' })
  await small.getByRole('button', { name: topic }).waitFor()
  expect(await small.locator('[data-concept]').count()).toBeLessThan(6)
  await small.getByRole('button', { name: 'All 500 concepts' }).click()
  const large = page.getByRole('dialog')
  // It opens where the learner is.
  const concept = large.getByRole('button', { name: topic })
  await concept.waitFor()
  await soon(() => large.locator('[data-concept]').count()).toBeLessThan(300)
  await page.waitForTimeout(500)
  const box = await concept.boundingBox()
  if (!box) throw new Error('the concept is not on the page')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.getByRole('dialog', { name: topic }).waitFor()
})
