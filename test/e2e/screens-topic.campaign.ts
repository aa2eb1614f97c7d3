import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { PATIENCE, sharedChromium } from './browser-page.ts'
import { arcsInEveryState, type PreparedWorld, startPreparedWorld } from './prepared-world.ts'
import { lookAt, pressAll } from './screen-checks.ts'
import { type Arcs, stateScreens } from './screens.ts'

vi.setConfig(PATIENCE)

let world: PreparedWorld
let browser: Browser
const arcs = {} as Arcs

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startPreparedWorld(), sharedChromium()])
  Object.assign(arcs, await arcsInEveryState(world))
})
afterAll(() => world?.meno.remove())

const screens = stateScreens(arcs)
const pressed = new Set<string>()

it.each(screens)('$name, is in order, wide and narrow, light and dark', async (screen) => {
  const url = world.meno.url()
  expect(await lookAt(browser, url, screen, 'desk')).toEqual({})
  expect(await lookAt(browser, url, screen, 'phone')).toEqual({})
})

it.each(screens)('$name: every control does something, and breaks nothing', async (screen) => {
  expect(await pressAll(browser, world.meno.url(), screen, pressed)).toEqual([])
})
