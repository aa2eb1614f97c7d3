import { afterAll, beforeAll, vi } from 'vitest'
import { PATIENCE } from './browser-page.ts'
import { type Opened, openWorld, tryScreens } from './screen-trials.ts'
import { emptyScreens } from './screens.ts'

vi.setConfig(PATIENCE)

let opened: Opened

beforeAll(async () => {
  opened = await openWorld()
})
afterAll(() => opened?.world.meno.remove())

tryScreens(() => opened, emptyScreens())
