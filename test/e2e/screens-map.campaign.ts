import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { type PreparedWorld, startPreparedWorld } from './prepared-world.ts'
import { lookAt, pressAll } from './screen-checks.ts'
import { type Arcs, mapScreens, menuScreens } from './screens.ts'

vi.setConfig(PATIENCE)

let world: PreparedWorld
let browser: Browser
const arcs = {} as Arcs

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startPreparedWorld(), sharedChromium()])
  arcs.lesson = await world.begin('Python fundamentals')
  arcs.review = await world.begin('linear equations')
  await world.reach(arcs.lesson, 'teach')
  await world.reach(arcs.review, 'quiz')
  await world.answer(arcs.review, 'wrong')
})
afterAll(() => world?.meno.remove())

const screens = [...menuScreens(arcs), ...mapScreens(arcs)]
const pressed = new Set<string>()

it.each(screens)('$name, is in order, wide and narrow, light and dark', async (screen) => {
  const url = world.meno.url()
  expect(await lookAt(browser, url, screen, 'desk')).toEqual({})
  expect(await lookAt(browser, url, screen, 'phone')).toEqual({})
})

it.each(screens)('$name: every control does something, and breaks nothing', async (screen) => {
  expect(await pressAll(browser, world.meno.url(), screen, pressed)).toEqual([])
})

it('closes a topic only once the word is typed, and keeps the reason', async () => {
  const { page, errors } = await openPage(browser)
  await page.goto(`${world.meno.url()}/arcs/${arcs.lesson}`)
  await page.getByRole('button', { name: 'More about this topic' }).click()
  await page.getByRole('menuitem', { name: 'Close this topic' }).click()
  const dialog = page.getByRole('dialog')
  const close = dialog.getByRole('button', { name: 'Close for good' })
  expect(await close.isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: /Reason/ }).fill('too easy')
  await dialog.getByRole('textbox', { name: /Type/ }).fill('close')
  await close.click()
  await page.getByRole('button', { name: 'Go on with it' }).waitFor()
  const closed = () =>
    world.meno.rows('select phase, abandon_reason from arcs where id = $1', [arcs.lesson])
  await soon(closed).toEqual([{ phase: 'ABANDONED', abandon_reason: 'too easy' }])
  expect(errors).toEqual([])
  await page.context().close()
})
