import { afterAll, beforeAll, vi } from 'vitest'
import { PATIENCE } from './browser-page.ts'
import { arcsInEveryState } from './prepared-world.ts'
import { type Opened, openWorld, tryScreens } from './screen-trials.ts'
import { type Arcs, stateScreens } from './screens.ts'

vi.setConfig(PATIENCE)

let opened: Opened
const arcs = {} as Arcs

beforeAll(async () => {
  opened = await openWorld()
  const { world } = opened
  Object.assign(arcs, await arcsInEveryState(world))
})
afterAll(() => opened?.world.meno.remove())

tryScreens(() => opened, stateScreens(arcs))
