import { afterAll, beforeAll, vi } from 'vitest'
import { PATIENCE } from './browser-page.ts'
import { fillDesk, talk } from './prepared-world.ts'
import { type Opened, openWorld, tryScreens } from './screen-trials.ts'
import { type Desk, deskScreens, type Talks, tutorScreens } from './screens.ts'

vi.setConfig(PATIENCE)

let opened: Opened
const talks = {} as Talks
const desk = {} as Desk

beforeAll(async () => {
  opened = await openWorld()
  const { world } = opened
  Object.assign(desk, await fillDesk(world))
  Object.assign(talks, await talk(world))
})
afterAll(() => opened?.world.meno.remove())

tryScreens(() => opened, [...tutorScreens(talks), ...deskScreens(desk)])
