import { type LmsSettings, postToLms } from '../../channels/lms-webhook.ts'
import { teacherReport } from '../../domain/practice/report.ts'
import type { Db } from '../../store/database.ts'
import { readReportedSession } from '../../store/practice/reports.ts'
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

/** What another system does not take now it may take later. */
async function outside(errand: Promise<unknown>): Promise<void> {
  try {
    await errand
  } catch (error) {
    throw new TutorFailure('unavailable', error instanceof Error ? error.message : String(error))
  }
}
