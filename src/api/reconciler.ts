import type { Dependencies } from '../commands/context.ts'
import { WORKFLOW, workflowId } from '../contracts/temporal.ts'
import { findArc } from '../store/arcs.ts'
import { waitingMessages } from '../store/messages.ts'
import { openPractices } from '../store/practice-sessions.ts'
import { startWorkflow } from './arc-commands.ts'
import { signalMessage } from './arc-messages.ts'
import { startPractice } from './practice-commands.ts'

const EVERY_MS = 5_000
/** A message that is older than this and in no turn is signalled again. */
const PATIENCE_MS = 5_000
/** How often all open arcs and sessions are compared with the workflows that run. */
const WORKFLOWS_EVERY = 12

/**
 * Makes good what fell between the store and Temporal: signals again what was never taken up, and starts arcs and
 * practice sessions whose workflow is missing. Doing it twice, or in several processes, changes nothing.
 * @returns a function that ends it
 */
export function startReconciler(dependencies: Dependencies): () => void {
  let round = 0
  let running = false
  const timer = setInterval(async () => {
    if (running) return
    running = true
    try {
      await signalAgain(dependencies)
      if (round % WORKFLOWS_EVERY === 0) {
        await startMissing(dependencies)
        await startMissingPractices(dependencies)
      }
      round += 1
    } catch (error) {
      dependencies.log.debug({ error }, 'the reconciler tries again later')
    } finally {
      running = false
    }
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Signals again the messages no turn has taken up, also those an arc was closed on: they are acknowledged. */
export async function signalAgain(dependencies: Dependencies): Promise<void> {
  const { db } = dependencies
  for (const message of await waitingMessages(db, new Date(Date.now() - PATIENCE_MS))) {
    const arc = await findArc(db, message.arcId)
    if (!arc) continue
    await signalMessage(dependencies, arc, {
      id: message.id,
      question_id: message.questionId,
      channel: message.channel,
      created_at: message.createdAt,
    })
  }
}

/** Starts the workflow of every open arc that has none. */
export async function startMissing(dependencies: Dependencies): Promise<void> {
  const { db } = dependencies
  const running = await runningWorkflows(dependencies, WORKFLOW.learningArc)
  const open = await db
    .selectFrom('arcs')
    .selectAll()
    .where('phase', 'not in', ['COMPLETED', 'ABANDONED'])
    .where('started_at', '<', new Date(Date.now() - PATIENCE_MS))
    .execute()
  for (const arc of open) {
    if (!running.has(workflowId.arc(arc.id))) await startWorkflow(dependencies, arc)
  }
}

/** Starts the workflow of every practice session that has something left to do and none that does it. */
export async function startMissingPractices(dependencies: Dependencies): Promise<void> {
  const running = await runningWorkflows(dependencies, WORKFLOW.practiceSession)
  const before = new Date(Date.now() - PATIENCE_MS)
  for (const sessionId of await openPractices(dependencies.db, before)) {
    if (!running.has(workflowId.practice(sessionId))) await startPractice(dependencies, sessionId)
  }
}

async function runningWorkflows({ temporal }: Dependencies, type: string): Promise<Set<string>> {
  const ids = new Set<string>()
  const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Running'`
  for await (const { workflowId } of temporal.workflow.list({ query })) ids.add(workflowId)
  return ids
}
