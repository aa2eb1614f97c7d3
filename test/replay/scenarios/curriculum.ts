import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { curriculumProduct } from '../../../src/activities/maps/product.ts'
import { planMap } from '../../../src/commands/maps/plan.ts'
import { wakeEntity } from '../../../src/commands/wake.ts'
import { workflowId } from '../../../src/contracts/temporal.ts'
import { ensureLearner } from '../../../src/store/learners.ts'
import type { EntityToWake } from '../../../src/store/spine/entities.ts'
import { TutorFailure } from '../../../src/tutor/mind.ts'
import { createOfflineMind } from '../../../src/tutor/offline/offline-mind.ts'
import { chain, graph, scriptedPlanner, star } from '../../mcp/scripted-planner.ts'
import { allRuns } from '../../support/histories.ts'
import { openHouse, type Servers } from '../../support/house.ts'
import { smallCourse } from '../../support/small-course.ts'
import { spineCrew } from '../../support/spine-crew.ts'
import type { Captured } from '../capture.ts'

const deep = graph(chain(['Topic', 'L1', 'L2', 'L3', 'L4', 'L5', 'L6']))
const down = () => new TutorFailure('unavailable', 'it is down')

/** What the planner answers; nothing at all where there is no more. */
const SCENARIOS: Record<string, unknown[]> = {
  planned: [graph(star(4))],
  'planned-again-after-a-refusal': [deep, graph(star(4))],
  'refused-twice': [deep, deep],
  'model-down': [down(), down(), down()],
  'running-step': [],
}

/** The curriculum job's histories; a step that runs in them is left running. */
export async function* curriculumHistories(
  servers: Servers,
  isWanted: (scenario: string) => boolean,
): Captured {
  const planner = scriptedPlanner()
  const minds = { offline: createOfflineMind(), anthropic: planner }
  const product = curriculumProduct({ minds, courses: [smallCourse()] })
  const house = await openHouse({
    server: 'development',
    servers,
    crew: (opened) => spineCrew(opened, [product]),
  })
  const { db, hub, env } = house
  const wake = (entity: EntityToWake) => wakeEntity(env.client, entity)
  const context = { db, events: hub, wake, log: pino({ level: 'silent' }) }
  const learner = await ensureLearner(db, 'me')
  for (const [scenario, answers] of Object.entries(SCENARIOS)) {
    if (!isWanted(scenario)) continue
    const stalls = answers.length === 0
    const asked = Promise.withResolvers<void>()
    const never = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    planner.answers = stalls ? [never] : [...answers]
    const id = randomUUID()
    await db
      .insertInto('mind_maps')
      .values({ id, title: 'Xylophones', learner_id: learner.id })
      .execute()
    const planned = planMap<'generate'>(
      context,
      { id, learnerId: learner.id },
      {
        kind: 'generate',
        topic: 'Xylophones',
        goal: null,
        diagnostic: [],
        inventory: [],
        tutor: 'anthropic',
        courseId: null,
        goalUnitIds: [],
      },
    ).catch(() => {})
    await (stalls ? asked.promise : planned)
    yield [scenario, await allRuns(env.client.workflow, workflowId.curriculum(id))]
  }
}
