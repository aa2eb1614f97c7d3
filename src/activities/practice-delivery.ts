import { ApplicationFailure, cancellationSignal } from '@temporalio/activity'
import { type LmsSettings, postToLms } from '../channels/lms-webhook.ts'
import { teacherReport } from '../domain/practice/report.ts'
import type { Db } from '../store/database.ts'
import { noteDelivery, readReportedSession } from '../store/practice-reports.ts'
import { readPractice } from '../store/practice-sessions.ts'

export type PracticeDeliveryActivities = ReturnType<typeof createPracticeDeliveryActivities>

/** Sends reports to the LMS; whoever runs it decides how often it is tried. */
export function createPracticeDeliveryActivities({ db, lms }: { db: Db; lms: LmsSettings | null }) {
  return {
    /** @throws what went wrong, which also stands beside the session */
    async deliverReport({ sessionId }: { sessionId: string }): Promise<void> {
      const [row, session] = await Promise.all([
        readPractice(db, sessionId),
        readReportedSession(db, sessionId),
      ])
      if (!row || !session) return
      if (!lms) throw ApplicationFailure.nonRetryable('LMS_WEBHOOK_URL is not set')
      const id = row.delivery_id ?? sessionId
      const body = JSON.stringify(teacherReport(session))
      try {
        await postToLms(lms, { id, body }, cancellationSignal())
      } catch (error) {
        await noteDelivery(db, sessionId, error instanceof Error ? error.message : String(error))
        throw error
      }
    },
  }
}
