import { z } from 'zod'
import {
  ArcSettings,
  type ChangeArc,
  type CreateArc,
  type CreatedArc,
} from '../../contracts/arc.ts'
import { workflowId } from '../../contracts/temporal.ts'
import { isUuid } from '../../contracts/text.ts'
import { courseByName, courseFor, courseNamed, TopicNotCovered } from '../../courses/choose.ts'
import { type ArcPhase, isTerminal } from '../../domain/arc/phase.ts'
import { isComplete } from '../../domain/mind-map/frontier.ts'
import {
  type ArcRow,
  arcById,
  arcToWake,
  changeArc,
  createArc,
  findArc,
} from '../../store/arc/arcs.ts'
import { reviveArc } from '../../store/arc/revive.ts'
import { queryTogether } from '../../store/database.ts'
import { ensureLearner, findLearner } from '../../store/learners.ts'
import { readMap } from '../../store/maps/rows.ts'
import { requireOwn } from '../access.ts'
import { tellAgenda } from '../agenda/tell.ts'
import type { Actor, Dependencies } from '../context.ts'
import { notFound, Problem } from '../problem.ts'

/** The arc, if it exists and the actor may see it; anything else is not found. */
export async function requireArc(
  { db }: Dependencies,
  actor: Actor,
  arcId: string,
): Promise<ArcRow> {
  const [[arc]] = isUuid(arcId) ? await queryTogether(db, arcById(db, arcId).compile()) : [[]]
  return requireOwn(actor, arc, 'arc')
}

/**
 * Stores a new arc and starts its workflow. Where Temporal cannot be reached the arc is there all the same, and is
 * started by the reconciler.
 * @param id the arc's id, where the caller has made one: the same is begun once
 * @throws {Problem} 404 for an unknown course, 422 for a topic that no course covers while no model is connected
 */
export async function beginArc(
  dependencies: Dependencies,
  actor: Actor,
  request: CreateArc,
  id?: string,
): Promise<ArcRow> {
  const { db, config, courses } = dependencies
  const begun = id === undefined ? null : await findArc(db, id)
  if (begun) return requireOwn(actor, begun, 'arc')
  const learner = await learnerOf(dependencies, actor, request.learnerId)
  const plan = planFor(request, courses, config.model === null)
  const arc = await createArc(db, {
    learnerId: learner.id,
    topic: request.topic,
    goal: plan.goal,
    courseId: plan.courseId,
    goalUnitIds: plan.goalUnitIds,
    tutor: config.model ? 'anthropic' : 'offline',
    settings: request.settings,
    ...(id === undefined ? {} : { id }),
  })
  await wakeArc(dependencies, arc)
  return arc
}

async function learnerOf({ db }: Dependencies, actor: Actor, wanted: string | undefined) {
  if (wanted === undefined || wanted === actor.learner.id || wanted === actor.learner.handle) {
    return actor.learner
  }
  const found = await findLearner(db, wanted)
  if (found) return found
  if (!isUuid(wanted)) return ensureLearner(db, wanted)
  throw notFound('learner')
}

function planFor(request: CreateArc, courses: Dependencies['courses'], offline: boolean) {
  const { topic, goal = null, courseId } = request
  if (courseId !== undefined) {
    const choice = courseNamed(courseId, goal, courses)
    if (!choice) throw notFound('course')
    return choice
  }
  const named = courseByName(topic, goal, courses)
  if (named) return named
  try {
    return courseFor(topic, goal, courses, offline)
  } catch (error) {
    if (!(error instanceof TopicNotCovered)) throw error
    throw new Problem(422, error.message, {
      errors: [{ pointer: '/topic', detail: 'no course covers it' }],
      courses: error.offered,
    })
  }
}

/** A new arc as its begin and its revival answer. */
export const createdArc = (arc: ArcRow): CreatedArc => ({
  arcId: arc.id,
  mindMapId: arc.mind_map_id,
  workflowId: workflowId.arc(arc.id),
  phase: arc.phase as ArcPhase,
})

/**
 * Changes an arc's name, whether it is out of the way, and what comes after mastery.
 * @throws {Problem} 404, and 409 where it is closed and is to go on after mastery: that takes a revival
 */
export async function changeArcOf(
  dependencies: Dependencies,
  actor: Actor,
  arcId: string,
  change: ChangeArc,
): Promise<ArcRow> {
  const arc = await requireArc(dependencies, actor, arcId)
  if (change.onMastered !== undefined) requireOpen(arc)
  const changed = await changeArc(dependencies.db, arc.id, change)
  // What is put away asks for no reviews.
  if (change.archived !== undefined) {
    await tellAgenda(dependencies, arc.learner_id, 'reviews-changed')
  }
  // What is mastered already may complete now.
  if (change.onMastered === 'complete') await wakeArc(dependencies, changed)
  return changed
}

/** The arc's workflow is woken, and started if need be; where Temporal is away, the reconciler does it later. */
export async function wakeArc({ wake, log }: Dependencies, arc: ArcRow): Promise<void> {
  await wake(arcToWake(arc)).catch((error) =>
    log.warn({ err: error, arcId: arc.id }, 'the arc is stored; its workflow will be woken later'),
  )
}

/** @throws {Problem} 409 where the arc is closed */
export function requireOpen(arc: ArcRow): void {
  if (!isTerminal(arc.phase as ArcPhase)) return
  const how = arc.phase === 'COMPLETED' ? 'finished' : 'closed'
  throw new Problem(409, `This topic is ${how}; it takes no more messages.`, { phase: arc.phase })
}

/**
 * Goes on with a closed arc in a new one, under its settings and what is said otherwise. What is mastered is kept fresh
 * with `onMastered: stay`.
 * @throws {Problem} 409 while it is open, when it never had a map, or when all of it is mastered and is not to be kept
 * fresh; 422 for settings that are none
 */
export async function reviveClosedArc(
  dependencies: Dependencies,
  closed: ArcRow,
  changes: Record<string, unknown> = {},
): Promise<ArcRow> {
  if (!isTerminal(closed.phase as ArcPhase)) {
    throw new Problem(409, `The arc is ${closed.phase}; only a closed one is revived.`)
  }
  const map = await readMap(dependencies.db, closed.mind_map_id)
  if (!map || map.nodes.length === 0) {
    throw new Problem(409, 'The arc was closed before it had a map; begin a new one.')
  }
  const settings = ArcSettings.safeParse({ ...closed.settings, ...changes })
  if (!settings.success) throw new Problem(422, z.prettifyError(settings.error))
  if (isComplete(map) && settings.data.onMastered !== 'stay') {
    throw new Problem(409, 'Everything on its map is mastered; there is nothing to go on with.')
  }
  const arc = await reviveArc(dependencies.db, { ...closed, settings: settings.data })
  await wakeArc(dependencies, arc)
  return arc
}
