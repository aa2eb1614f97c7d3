import { afterAll, beforeAll, vi } from 'vitest'
import { PATIENCE } from './browser-page.ts'
import { type Opened, openWorld, tryScreens } from './screen-trials.ts'
import { meScreens, todayScreens } from './screens.ts'

vi.setConfig(PATIENCE)

let opened: Opened

beforeAll(async () => {
  opened = await openWorld()
  const { world } = opened
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
afterAll(() => opened?.world.meno.remove())

tryScreens(() => opened, [...todayScreens('linear equations'), ...meScreens()])
