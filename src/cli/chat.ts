import type { ArcClient } from '../client/arc-client.ts'
import { type Draft, withDelta } from '../client/arc-event.ts'
import { createChange } from './change.ts'
import type { Chosen } from './choose-arc.ts'
import type { Stage } from './progress.ts'
import type { Screen } from './screen.ts'
import { endOf, look, mayTake, openTalk, placeKept, show, take } from './talk.ts'

const LOOK_EVERY_MS = 2_000

/** What the chat ends with, as an exit code for scripts: 0 = in good order. */
export type Outcome = 0 | 1

/**
 * Leads the conversation of an arc until it is over, the learner leaves, the lines end, or nothing is due for an hour.
 * Everything shown is what the server has stored, so that any number of chats and pages can be open on one arc.
 * @throws what the client throws, but for the end that `leave` makes of it
 */
export async function chat(
  client: ArcClient,
  screen: Screen,
  { arcId, isNew }: Chosen,
  leave: AbortSignal,
): Promise<Outcome> {
  const change = createChange()
  const known: { isStale: boolean; draft: Draft | null } = { isStale: true, draft: null }
  const outOfDate = () => {
    known.isStale = true
    change.tell()
  }
  leave.addEventListener('abort', change.tell)
  screen.onInput(change.tell)
  void client.follow(arcId, {
    signal: leave,
    longestWaitMs: LOOK_EVERY_MS,
    onGap: outOfDate,
    onEvent: ({ type, data }) => {
      if (type === 'delta') {
        known.draft = withDelta(known.draft, data)
        change.tell()
        return
      }
      if (type === 'message' && data.role !== 'learner') known.draft = null
      outOfDate()
    },
  })
  const talk = await openTalk(client, screen, arcId, isNew)
  let stage: Stage = 'working'
  let lookedAt = 0
  try {
    while (!leave.aborted) {
      if (known.isStale || Date.now() - lookedAt >= LOOK_EVERY_MS) {
        known.isStale = false
        stage = await look(talk)
        lookedAt = Date.now()
      }
      const end = await endOf(talk, stage)
      if (end !== null) return end
      show(talk, stage, known.draft?.text ?? '')
      const line = mayTake(talk, stage) ? screen.takeLine() : undefined
      if (line === undefined) await change.wait(LOOK_EVERY_MS)
      else if ((await take(talk, line)) === 'quit') return 0
      else known.isStale = true
    }
  } catch (error) {
    if (!leave.aborted) throw error
  }
  screen.print(placeKept(talk.arc))
  return 0
}
