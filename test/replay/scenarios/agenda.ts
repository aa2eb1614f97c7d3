import { setTimeout as pause } from 'node:timers/promises'
import { workflowId } from '../../../src/contracts/temporal.ts'
import type { ArcHand } from '../../support/arc-hand.ts'
import { type ArcWorld, createArcWorld, DAY_MS } from '../../support/arc-world.ts'
import { allRuns } from '../../support/histories.ts'
import type { Servers } from '../../support/house.ts'
import { type RecordingChannel, recordingChannel } from '../../support/recording-channel.ts'
import type { Captured } from '../capture.ts'

interface Scenario {
  /** On a server whose time can be let pass. */
  skipsTime?: boolean
  /** Takes an agenda to a state and leaves it there; the history is what it looks like from that state. */
  reach(world: ArcWorld, arc: ArcHand, channel: RecordingChannel, learnerId: string): Promise<void>
}

const SCENARIOS: Record<string, Scenario> = {
  'nothing-due': {
    async reach(_, arc) {
      await learnFirst(arc)
    },
  },

  'nudged-and-answered': {
    skipsTime: true,
    async reach(world, arc) {
      await learnFirst(arc)
      await world.sleep(1.5 * DAY_MS)
      await arc.say('xylophone')
      await world.sleep(60_000)
    },
  },

  'ignored-for-days': {
    skipsTime: true,
    async reach(world, arc) {
      await learnFirst(arc)
      await world.sleep(9 * DAY_MS)
    },
  },

  'running-step': {
    async reach(world, arc, channel, learnerId) {
      channel.afterSend = () => new Promise(() => {})
      await learnFirst(arc)
      await world.db
        .updateTable('mind_map_nodes')
        .set({ next_review_at: new Date(Date.now() - DAY_MS) })
        .where('mind_map_id', '=', arc.mindMapId)
        .where('next_review_at', 'is not', null)
        .execute()
      await world.db
        .updateTable('learners')
        .set({ quiet_from: '00:00', quiet_to: '00:00' })
        .where('id', '=', learnerId)
        .execute()
      // As if the learner had been there yesterday.
      await world.db
        .updateTable('arcs')
        .set({ last_session_at: new Date(Date.now() - DAY_MS) })
        .execute()
      await world.dependencies.wake({
        id: learnerId,
        product: 'agenda',
        workflow_id: workflowId.agenda(learnerId),
        learner_id: learnerId,
        course_id: null,
      })
      while (channel.recorded.length === 0) await pause(100)
      await pause(1_000)
    },
  },
}

/** Learns the first concept: from then on a review is to come. */
async function learnFirst(arc: ArcHand): Promise<void> {
  await arc.answerUntil(({ nextReviewAt }) => nextReviewAt !== null)
  const { learner_id: learnerId } = await arc.row()
  const told = arc.world.db
    .selectFrom('inbox')
    .select('answered_at')
    .where('entity_id', '=', learnerId)
    .where('answered_at', 'is not', null)
  while (!(await told.executeTakeFirst())) await pause(100)
  await pause(1_000)
}

/** The study agenda's histories; steps that run in them are left running. */
export async function* agendaHistories(
  servers: Servers,
  isWanted: (scenario: string) => boolean,
): Captured {
  for (const [scenario, { skipsTime, reach }] of Object.entries(SCENARIOS)) {
    if (!isWanted(scenario)) continue
    const channel = recordingChannel('telegram', { withdraws: true })
    const server = skipsTime ? 'skipping' : 'development'
    const world = await createArcWorld(undefined, { servers, server, channels: [channel] })
    const arc = await world.begin({ settings: { skipDiagnosis: true } })
    const { learner_id: learnerId } = await arc.row()
    await world.db
      .insertInto('learner_channels')
      .values({ learner_id: learnerId, channel: 'telegram', status: 'linked', address: '{}' })
      .execute()
    await reach(world, arc, channel, learnerId)
    yield [scenario, await allRuns(world.env.client.workflow, workflowId.agenda(learnerId))]
    if (skipsTime) await world.stop()
  }
}
