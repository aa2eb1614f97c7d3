import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { PATIENCE, sharedChromium } from './browser-page.ts'
import { type PreparedWorld, startPreparedWorld } from './prepared-world.ts'
import { lookAt, pressAll } from './screen-checks.ts'
import { meScreens, todayScreens } from './screens.ts'

vi.setConfig(PATIENCE)

let world: PreparedWorld
let browser: Browser

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startPreparedWorld(), sharedChromium()])
  const [due, going, paused, closed] = await Promise.all(
    ['Inverse operations', 'linear equations', 'functions', 'brackets'].map((topic) =>
      world.begin(topic),
    ),
  )
  await Promise.all([
    world.reach(due ?? '', 'review'),
    world.reach(going ?? '', 'quiz'),
    world.reach(paused ?? '', 'teach').then(() => world.command(paused ?? '', 'pause')),
    world.reach(closed ?? '', 'teach').then(() => world.command(closed ?? '', 'abandon')),
  ])
  // What is noticed of a learner comes from a model.
  await world.meno.rows(
    `insert into learner_facts (learner_id, arc_id, fact)
     select learner_id, id, 'learns from pictures rather than from rules' from arcs where id = $1`,
    [going],
  )
})
afterAll(() => world?.meno.remove())

const screens = [...todayScreens('linear equations'), ...meScreens()]
const pressed = new Set<string>()

it.each(screens)('$name, is in order, wide and narrow, light and dark', async (screen) => {
  const url = world.meno.url()
  expect(await lookAt(browser, url, screen, 'desk')).toEqual({})
  expect(await lookAt(browser, url, screen, 'phone')).toEqual({})
})

it.each(screens)('$name: every control does something, and breaks nothing', async (screen) => {
  expect(await pressAll(browser, world.meno.url(), screen, pressed)).toEqual([])
})
