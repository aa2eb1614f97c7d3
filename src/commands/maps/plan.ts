import { randomUUID } from 'node:crypto'
import { workflowId } from '../../contracts/temporal.ts'
import { courseFor, TopicNotCovered } from '../../courses/choose.ts'
import { NO_ANSWER } from '../../domain/maps/decide.ts'
import type {
  JobAnswer,
  JobKind,
  JobRequest,
  JobResults,
  Planner,
} from '../../domain/maps/state.ts'
import { GraphRefusal, type StoredMap } from '../../store/maps/stored-map.ts'
import { entityInsert } from '../../store/spine/entities.ts'
import { readInput, storeInput, withdrawInput } from '../../store/spine/inbox.ts'
import type { Dependencies } from '../context.ts'
import { sendAndWait } from '../send-and-wait.ts'

/** A tool's caller waits a minute at most: first for someone to take the request up, then for the plan. */
const TAKEN_WITHIN_MS = 7_000
const PATIENCE_MS = 50_000
/** For the answer to be written and read. */
const LEEWAY_MS = 1_000

type RequestOf<K extends JobKind> = Omit<Extract<JobRequest, { kind: K }>, 'patienceMs'>

/**
 * Has a map planned, and waits for it. What is not planned in time is given up, and nothing of it is stored.
 * @throws GraphRefusal with what the planner or the rules say against it, or that nobody answered
 */
export async function planMap<K extends JobKind>(
  dependencies: Pick<Dependencies, 'db' | 'events' | 'wake' | 'log'>,
  { id, learnerId }: Pick<StoredMap, 'id' | 'learnerId'>,
  request: RequestOf<K>,
  patienceMs = PATIENCE_MS,
): Promise<JobResults[K]> {
  const { db } = dependencies
  const inputId = randomUUID()
  const entity = { id, product: 'curriculum' as const, workflowId: workflowId.curriculum(id) }
  const input = {
    entityId: id,
    id: inputId,
    type: request.kind,
    payload: { ...request, patienceMs },
  }
  const takenUntil = Date.now() + TAKEN_WITHIN_MS
  const outcome = await sendAndWait(dependencies, {
    entityId: id,
    inputId,
    async store() {
      await db.transaction().execute(async (trx) => {
        await entityInsert(trx, { ...entity, learnerId, courseId: null }).execute()
        await storeInput(trx, input)
      })
      const row = { id, product: entity.product, workflow_id: entity.workflowId }
      return { ...row, learner_id: learnerId, course_id: null }
    },
    async read() {
      const found = await readInput(db, id, inputId)
      if (found?.answered) return found
      const isLate = Date.now() > takenUntil && found?.taken === false
      return isLate && (await withdrawInput(db, id, inputId)) ? 'withdrawn' : null
    },
    waitMs: TAKEN_WITHIN_MS + patienceMs + LEEWAY_MS,
  })
  if (outcome === null || outcome === 'withdrawn') throw new GraphRefusal('conflict', NO_ANSWER)
  if (outcome.failed || !outcome.answer) throw new Error(`the plan ${inputId} met a fault of ours`)
  const answer = outcome.answer as unknown as JobAnswer<K>
  if (!answer.ok) throw new GraphRefusal('conflict', answer.message)
  return answer.result
}

/**
 * Who plans a topic that no arc owns, and for which goal.
 * @throws GraphRefusal naming the courses when none covers the topic
 */
export function plannerFor(
  { config, courses }: Pick<Dependencies, 'config' | 'courses'>,
  topic: string,
  goal: string | null,
): Planner & { goal: string | null } {
  const offline = config.model === null
  try {
    return {
      tutor: offline ? 'offline' : 'anthropic',
      ...courseFor(topic, goal, courses, offline),
    }
  } catch (error) {
    if (error instanceof TopicNotCovered) throw new GraphRefusal('invalid', error.message)
    throw error
  }
}
