import { afterAll, beforeAll, vi } from 'vitest'
import { PATIENCE } from './browser-page.ts'
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
