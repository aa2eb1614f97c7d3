import { TutorFailure } from '../../../src/tutor/mind.ts'
import type { ArcHand } from '../../support/arc-hand.ts'
import { type ArcWorld, createArcWorld } from '../../support/arc-world.ts'
import type { Servers } from '../../support/house.ts'
import type { Captured } from '../capture.ts'

/** A day of four seconds: reviews come while one waits. */
const DAY_MS = 4_000
const SETTINGS = { settings: { skipDiagnosis: true, learningSteps: [1, 1.5] } }
const BY_MODEL = { ...SETTINGS, tutor: 'model' } as const

/** What a learner says here, so that the histories can be searched for it. */
const LEARNER_SAYS = 'is a xylophone a number?'

type Reach = (world: ArcWorld) => Promise<ArcHand>

/** Each takes an arc to a state and leaves it there; the history is what it looks like from that state. */
const SCENARIOS: Record<string, Reach> = {
  async 'open-question'(world) {
    const arc = await world.begin()
    await arc.question('diagnostic')
    await arc.answer()
    await arc.say(LEARNER_SAYS)
    return arc
  },

  async quizzing(world) {
    const arc = await world.begin(SETTINGS)
    await arc.answerUntil(({ pendingQuestion }) => pendingQuestion?.kind === 'quiz')
    await arc.answer(false)
    return arc
  },

  async 'planning-blocked'(world) {
    world.faults.afterStep = ({ kind }, output) =>
      kind === 'graph' ? { ...(output as object), root: 'Nowhere' } : output
    const arc = await world.begin(BY_MODEL)
    await arc.until(({ phase, blocked }) => phase === 'PLANNING' && blocked !== null)
    return arc
  },

  async 'running-step'(world) {
    const started = stall(world)
    const arc = await world.begin(BY_MODEL)
    await started
    return arc
  },

  async 'abandoned-in-mid-step'(world) {
    const started = stall(world)
    const arc = await world.begin(BY_MODEL)
    await started
    await arc.abandon()
    await arc.until(({ phase }) => phase === 'ABANDONED')
    await arc.status()
    return arc
  },

  async 'model-silent'(world) {
    world.faults.beforeStep = async ({ kind }) => {
      if (kind === 'lesson') await new Promise((resolve) => setTimeout(resolve, 9_500))
    }
    const arc = await world.begin(BY_MODEL)
    await arc.until(({ blocked }) => blocked !== null)
    await arc.question('teach')
    return arc
  },

  async 'model-down'(world) {
    world.faults.beforeStep = async ({ kind }) => {
      if (kind === 'quiz') throw new TutorFailure('refused', 'no credit')
    }
    const arc = await world.begin(BY_MODEL)
    await arc.question('teach')
    await arc.send(await arc.rightAnswer())
    await arc.until(({ blocked }) => blocked !== null)
    return arc
  },

  async 'model-back'(world) {
    const arc = (await SCENARIOS['model-down']?.(world)) as ArcHand
    world.faults.beforeStep = null
    await arc.send(LEARNER_SAYS)
    await arc.question('quiz')
    return arc
  },

  async paused(world) {
    const arc = await world.begin(SETTINGS)
    await arc.question('teach')
    await arc.pause()
    await arc.until(({ paused }) => paused)
    return arc
  },

  async practising(world) {
    const arc = await world.begin(SETTINGS)
    await arc.question('teach')
    await arc.act('practice')
    return arc
  },

  async asleep(world) {
    const arc = await world.begin({ settings: { skipDiagnosis: true, learningSteps: [20] } })
    await arc.answerUntil(() => false)
    return arc
  },

  async completed(world) {
    const arc = await world.begin(SETTINGS)
    for (let batch = 0; batch < 20; batch += 1) {
      const { phase } = await arc.answerUntil(() => false)
      if (phase === 'COMPLETED') break
      await arc.until(({ pendingQuestion }) => pendingQuestion !== null, 'a review is due')
    }
    await arc.status()
    return arc
  },
}

/** Those that need days, on a server whose time can be let pass. */
const LONG: Record<string, Reach> = {
  async 'asleep-for-days'(world) {
    const arc = await world.begin(SETTINGS)
    await arc.answerUntil(() => false)
    await world.sleep(2 * 3_600_000)
    await arc.flowState()
    await arc.sleepUntilDue()
    await arc.question('review')
    await arc.answer()
    return arc
  },
}

/** Lessons are begun and never end; resolves when one is. */
function stall(world: ArcWorld): Promise<void> {
  return new Promise((started) => {
    world.faults.beforeStep = async ({ kind }, { signal }) => {
      if (kind !== 'lesson') return
      started()
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error())))
    }
  })
}

/** The learning arc's histories; steps that run in them are left running. */
export async function* arcHistories(
  servers: Servers,
  isWanted: (scenario: string) => boolean,
): Captured {
  const world = await createArcWorld(undefined, { server: 'development', servers, dayMs: DAY_MS })
  yield* capture(world, SCENARIOS, isWanted)
  if (!Object.keys(LONG).some(isWanted)) return
  const skipping = await createArcWorld(undefined, { servers })
  yield* capture(skipping, LONG, isWanted)
  await skipping.stop()
}

async function* capture(
  world: ArcWorld,
  scenarios: Record<string, Reach>,
  isWanted: (scenario: string) => boolean,
): Captured {
  for (const [scenario, reach] of Object.entries(scenarios)) {
    if (!isWanted(scenario)) continue
    Object.assign(world.faults, { beforeStep: null, afterStep: null, afterCommit: null })
    const arc = await reach(world)
    await arc.flowState()
    yield [scenario, await arc.runs()]
  }
}
