import { randomUUID } from 'node:crypto'
import { WorkflowIdReusePolicy, WorkflowNotFoundError } from '@temporalio/client'
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import type { CreateArc, CreatedArc, SendMessage, Turn } from '../contracts/arc.ts'
import {
  SEARCH_ATTRIBUTE,
  SIGNAL,
  TASK_QUEUE,
  type UserMessageSignal,
  WORKFLOW,
  workflowId,
} from '../contracts/temporal.ts'
import { courseFor, courseNamed, TopicNotCovered } from '../courses/choose.ts'
import { type ArcPhase, isTerminal } from '../domain/arc/phase.ts'
import { isComplete } from '../domain/mind-map/frontier.ts'
import { type ArcRow, createArc, findArc } from '../store/arcs.ts'
import { ensureLearner, findLearner } from '../store/learners.ts'
import { readTurn, storeMessage } from '../store/messages.ts'
import { readMap } from '../store/mind-maps.ts'
import { reviveArc } from '../store/revive.ts'
import type { Actor, Dependencies } from './environment.ts'
import { notFound, Problem } from './problem.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const phaseKey = defineSearchAttributeKey(
  SEARCH_ATTRIBUTE.arcPhase.name,
  SearchAttributeType.KEYWORD,
)
const learnerKey = defineSearchAttributeKey(
  SEARCH_ATTRIBUTE.learnerId.name,
  SearchAttributeType.KEYWORD,
)
const courseKey = defineSearchAttributeKey(
  SEARCH_ATTRIBUTE.courseId.name,
  SearchAttributeType.KEYWORD,
)

/** The arc, if it exists and the actor may see it; anything else is not found. */
export async function requireArc(
  { db }: Dependencies,
  actor: Actor,
  arcId: string,
): Promise<ArcRow> {
  const arc = UUID.test(arcId) ? await findArc(db, arcId) : null
  const mayAll = actor.roles.includes('teacher') || actor.roles.includes('admin')
  if (!arc || (!mayAll && arc.learner_id !== actor.learner.id)) throw notFound('arc')
  return arc
}

/**
 * Stores a new arc and starts its workflow. Where Temporal cannot be reached the arc is there all the same, and is
 * started by the reconciler.
 * @throws {Problem} 404 for an unknown course, 422 for a topic that no course covers while no model is connected
 */
export async function beginArc(
  dependencies: Dependencies,
  actor: Actor,
  request: CreateArc,
): Promise<ArcRow> {
  const { db, config, courses } = dependencies
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
  })
  await startWorkflow(dependencies, arc).catch((error) =>
    dependencies.log.warn({ error, arcId: arc.id }, 'the arc is stored but not started yet'),
  )
  return arc
}

async function learnerOf({ db, config }: Dependencies, actor: Actor, wanted: string | undefined) {
  if (wanted === undefined || wanted === actor.learner.id || wanted === actor.learner.handle) {
    return actor.learner
  }
  const found = await findLearner(db, wanted)
  if (found) return found
  if (config.auth === 'local' && !UUID.test(wanted)) return ensureLearner(db, wanted)
  throw notFound('learner')
}

function planFor(request: CreateArc, courses: Dependencies['courses'], offline: boolean) {
  const { topic, goal = null, courseId } = request
  if (courseId !== undefined) {
    const choice = courseNamed(courseId, goal, courses)
    if (!choice) throw notFound('course')
    return choice
  }
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

/** Starts the workflow of a stored arc; one that runs already is left as it is. */
export async function startWorkflow({ temporal }: Dependencies, arc: ArcRow): Promise<void> {
  await temporal.workflow.start(WORKFLOW.learningArc, {
    workflowId: workflowId.arc(arc.id),
    taskQueue: TASK_QUEUE,
    args: [{ arcId: arc.id }],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: 'USE_EXISTING',
    ...atStart(arc),
  })
}

function atStart(arc: ArcRow) {
  return {
    staticSummary: `Learning arc, ${arc.course_id ?? 'free topic'}`,
    typedSearchAttributes: [
      { key: phaseKey, value: arc.phase },
      { key: learnerKey, value: arc.learner_id },
      ...(arc.course_id ? [{ key: courseKey, value: arc.course_id }] : []),
    ],
  }
}

/** Signals the arc's workflow; one that is missing is started from the store first. */
export async function signalArc(
  dependencies: Dependencies,
  arc: ArcRow,
  signal: (typeof SIGNAL)[keyof typeof SIGNAL],
  ...args: unknown[]
): Promise<void> {
  const { temporal } = dependencies
  try {
    await temporal.workflow.getHandle(workflowId.arc(arc.id)).signal(signal, ...args)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    await temporal.workflow.signalWithStart(WORKFLOW.learningArc, {
      workflowId: workflowId.arc(arc.id),
      taskQueue: TASK_QUEUE,
      args: [{ arcId: arc.id }],
      signal,
      signalArgs: args,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      ...atStart(arc),
    })
  }
}

/** How long a message is waited for before its turn is looked up, heard of or not. */
const LOOK_EVERY_MS = 1_000

/**
 * Sends a learner's message and waits for its turn, at most `seconds`; the turn is null if it is not done by then.
 * @throws {Problem} 404 or 409
 */
export async function sendMessage(
  dependencies: Dependencies,
  arc: ArcRow,
  message: SendMessage,
  seconds: number,
): Promise<{ messageId: string; turn: Turn | null }> {
  const messageId = message.messageId ?? randomUUID()
  // Listened for before it is sent: its answer cannot come unheard.
  const answered = seconds > 0 && dependencies.hub.nextAnswer(arc.id, messageId, LOOK_EVERY_MS)
  const isNew = await takeIn(dependencies, arc, { ...message, messageId })
  if (!answered) return { messageId, turn: null }
  if (isNew) await answered
  return { messageId, turn: await waitForTurn(dependencies, arc.id, messageId, seconds) }
}

/**
 * Stores a learner's message, then signals it; a message sent twice is signalled twice and has one effect.
 * @returns whether it is new
 */
async function takeIn(
  dependencies: Dependencies,
  arc: ArcRow,
  message: SendMessage & { messageId: string },
): Promise<boolean> {
  requireOpen(arc)
  const stored = await storeMessage(dependencies.db, {
    arcId: arc.id,
    id: message.messageId,
    text: withoutNul(message.text ?? ''),
    action: message.action ?? null,
    questionId: message.questionId ?? null,
    channel: 'web',
  })
  if (!stored) throw notFound('arc')
  if (stored.row.role !== 'learner') {
    throw new Problem(409, 'This message id is taken by another message of the arc.')
  }
  if (stored.row.taken_at === null) await signalMessage(dependencies, arc, stored.row)
  return stored.isNew
}

/** PostgreSQL holds every character but this one. */
const withoutNul = (text: string) => text.replaceAll('\u0000', '\ufffd')

/** The message is stored: where Temporal is away, the reconciler signals it later. */
export async function signalMessage(
  dependencies: Dependencies,
  arc: ArcRow,
  message: { id: string; question_id: string | null; channel: string; created_at: Date },
): Promise<void> {
  const signal: UserMessageSignal = {
    messageId: message.id,
    ...(message.question_id ? { questionId: message.question_id } : {}),
    channel: message.channel,
    sentAt: message.created_at.toISOString(),
  }
  await signalArc(dependencies, arc, SIGNAL.userMessage, signal).catch((error) =>
    dependencies.log.warn({ error, arcId: arc.id }, 'the message is stored but not signalled yet'),
  )
}

export function requireOpen(arc: ArcRow): void {
  if (!isTerminal(arc.phase as ArcPhase)) return
  throw new Problem(409, `The arc is ${arc.phase}; it takes no more messages.`, {
    phase: arc.phase,
  })
}

/**
 * Goes on with a closed arc in a new one.
 * @throws {Problem} 409 while it is open, when it never had a map, or when all of it is mastered
 */
export async function reviveClosedArc(dependencies: Dependencies, closed: ArcRow): Promise<ArcRow> {
  if (!isTerminal(closed.phase as ArcPhase)) {
    throw new Problem(409, `The arc is ${closed.phase}; only a closed one is revived.`)
  }
  const map = await readMap(dependencies.db, closed.mind_map_id)
  if (!map || map.nodes.length === 0) {
    throw new Problem(409, 'The arc was closed before it had a map; begin a new one.')
  }
  if (isComplete(map)) {
    throw new Problem(409, 'Everything on its map is mastered; there is nothing to go on with.')
  }
  const arc = await reviveArc(dependencies.db, closed)
  await startWorkflow(dependencies, arc)
  return arc
}

async function waitForTurn(
  { db, hub }: Dependencies,
  arcId: string,
  messageId: string,
  seconds: number,
): Promise<Turn | null> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const patience = Math.min(LOOK_EVERY_MS, Math.max(1, deadline - Date.now()))
    const next = hub.nextAnswer(arcId, messageId, patience)
    const turn = await readTurn(db, arcId, messageId)
    if (turn?.done) {
      const { done: _, ...told } = turn
      return { messageId, ...told }
    }
    if (Date.now() >= deadline) return null
    await next
  }
}
