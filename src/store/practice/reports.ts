import type { ReportedSession } from '../../domain/practice/report.ts'
import type { DbOrTrx } from '../database.ts'
import { readAttempts, readPractice } from './sessions.ts'

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
    activeMs: row.total_time_seconds * 1000,
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
