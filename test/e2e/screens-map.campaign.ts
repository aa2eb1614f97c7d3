import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openPage, PATIENCE, soon } from './browser-page.ts'
import { type Opened, openWorld, tryScreens } from './screen-trials.ts'
import { type Arcs, mapScreens, menuScreens } from './screens.ts'

vi.setConfig(PATIENCE)

let opened: Opened
const arcs = {} as Arcs

beforeAll(async () => {
  opened = await openWorld()
  const { world } = opened
  arcs.lesson = await world.begin('Python fundamentals')
  arcs.review = await world.begin('linear equations')
  await world.reach(arcs.lesson, 'teach')
  await world.reach(arcs.review, 'quiz')
  await world.answer(arcs.review, 'wrong')
})
afterAll(() => opened?.world.meno.remove())

tryScreens(() => opened, [...menuScreens(arcs), ...mapScreens(arcs)])

it('closes a topic only once the word is typed, and keeps the reason', async () => {
  const { world, browser } = opened
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
