import type { ReportedSession } from '../domain/practice/report.ts'
import type { Db, DbOrTrx } from './database.ts'
import { announceSession, storeTeacherEvents } from './practice-events.ts'
import { readAttempts, readPractice } from './practice-sessions.ts'

/** A session with everything that its reports are counted from; null if there is none. */
export async function readReportedSession(
  db: DbOrTrx,
  sessionId: string,
): Promise<ReportedSession | null> {
  const [row, attempts, turns] = await Promise.all([
    readPractice(db, sessionId),
    readAttempts(db, sessionId),
    db
      .selectFrom('conversation_turns')
      .select(['problem_index', 'misconception', 'tutor_response'])
      .where('session_id', '=', sessionId)
      .orderBy('turn')
      .execute(),
  ])
  if (!row) return null
  return {
    sessionId: row.external_session_id,
    studentId: row.student_id,
    questionSet: row.implicit ? null : row.question_set_id,
    activeMs: row.snapshot.activeMs,
    problems: attempts.map((attempt) => {
      const own = turns.filter((turn) => turn.problem_index === attempt.problem_index)
      return {
        id: attempt.problem_id,
        text: attempt.problem_text,
        tags: attempt.tags,
        status: attempt.status,
        signal: attempt.mastery_signal,
        struggled: attempt.struggled,
        attempts: attempt.attempt_count,
        scaffoldingDepth: attempt.scaffolding_depth_reached,
        explained: attempt.explained,
        activeMs: attempt.time_spent_seconds * 1000,
        misconceptions: own.flatMap((turn) => turn.misconception ?? []),
        replies: own.map((turn) => turn.tutor_response),
      }
    }),
  }
}

/** How the delivery of a report ended. */
export async function settleDelivery(
  db: Db,
  {
    sessionId,
    since,
    outcome,
  }: { sessionId: string; since: number; outcome: 'delivered' | 'given_up' },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('tutoring_sessions')
      .set({ delivery: outcome, ...(outcome === 'delivered' ? { delivery_note: null } : {}) })
      .where('session_id', '=', sessionId)
      .where('delivery', '=', 'pending')
      .where('delivery_since', '=', new Date(since))
      .returning('student_id')
      .executeTakeFirst()
    if (!row) return
    await announceSession(trx, sessionId)
    const data = { sessionId, studentId: row.student_id, delivery: outcome }
    await storeTeacherEvents(trx, [{ type: 'report', data }])
  })
}

/** Why the last try to deliver failed. */
export async function noteDelivery(db: Db, sessionId: string, note: string): Promise<void> {
  await db
    .updateTable('tutoring_sessions')
    .set({ delivery_note: note.slice(0, 500) })
    .where('session_id', '=', sessionId)
    .execute()
}

/**
 * A completed session's report is to be sent once more, as a delivery of its own.
 * @returns since when it is to be sent, in epoch milliseconds, or null where the session is not completed
 */
export async function askDeliveryAgain(db: Db, sessionId: string): Promise<number | null> {
  const row = await db
    .updateTable('tutoring_sessions')
    .set((column) => ({
      delivery: 'pending',
      delivery_since: new Date(),
      delivery_id: column.fn<string>('gen_random_uuid'),
    }))
    .where('session_id', '=', sessionId)
    .where('status', '=', 'completed')
    .returning('delivery_since')
    .executeTakeFirst()
  return row?.delivery_since?.getTime() ?? null
}
