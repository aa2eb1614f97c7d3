import { getClient } from '@temporalio/activity'
import { type LmsSettings, postToLms } from '../../channels/lms-webhook.ts'
import { SIGNAL, WORKFLOW } from '../../contracts/temporal.ts'
import { arcStart } from '../../contracts/workflow-start.ts'
import { teacherReport } from '../../domain/practice/report.ts'
import { findArc } from '../../store/arcs.ts'
import type { Db } from '../../store/database.ts'
import { readReportedSession } from '../../store/practice/reports.ts'
import { readPractice } from '../../store/practice/sessions.ts'
import { TutorFailure } from '../../tutor/mind.ts'

/**
 * Sends the report of a session, as it stands in the store.
 * @param id what the receiver knows this delivery by
 * @throws {TutorFailure} `refused` where there is no LMS, `unavailable` where it did not take the report
 */
export async function deliverReport(
  { db, lms }: { db: Db; lms: LmsSettings | null },
  sessionId: string,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const session = await readReportedSession(db, sessionId)
  if (!session) return
  if (!lms) throw new TutorFailure('refused', 'LMS_WEBHOOK_URL is not set')
  await outside(postToLms(lms, { id, body: JSON.stringify(teacherReport(session)) }, signal))
}

/**
 * Tells the arc that its session is completed; an arc that sleeps or is over is woken for it.
 * @throws {TutorFailure} `unavailable` where Temporal cannot be reached
 */
export async function outcomeToArc(db: Db, sessionId: string): Promise<void> {
  const session = await readPractice(db, sessionId)
  const arc = session?.arc_id ? await findArc(db, session.arc_id) : null
  if (!arc) return
  const signal = { signal: SIGNAL.practiceOutcome, signalArgs: [{ sessionId }] }
  const { workflow } = getClient()
  await outside(workflow.signalWithStart(WORKFLOW.learningArc, { ...arcStart(arc), ...signal }))
}

/** What another system does not take now it may take later. */
async function outside(errand: Promise<unknown>): Promise<void> {
  try {
    await errand
  } catch (error) {
    throw new TutorFailure('unavailable', error instanceof Error ? error.message : String(error))
  }
}
