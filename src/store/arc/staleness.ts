import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Attendance } from '../../domain/arc/staleness.ts'
import type { Db } from '../database.ts'
import { appendEvents } from '../spine/events.ts'
import { messageView } from './messages.ts'

/** Every open arc and how its learner attends, for the sweep. */
export async function readAttendance(
  db: Db,
): Promise<(Attendance & { arcId: string; learnerId: string; topic: string; language: string })[]> {
  const rows = await db
    .selectFrom('arcs')
    .leftJoin('arc_questions as question', 'question.id', 'arcs.pending_question')
    .select([
      'arcs.id',
      'arcs.learner_id',
      sql<string>`coalesce(arcs.title, arcs.topic)`.as('topic'),
      'arcs.paused',
      'arcs.last_session_at',
      'arcs.stale_warned_at',
      'question.opened_at',
    ])
    .leftJoin('entities', 'entities.id', 'arcs.id')
    .select(
      sql<string>`coalesce(arcs.settings->>'language', entities.state->>'language', 'en')`.as(
        'language',
      ),
    )
    .where('arcs.phase', 'not in', ['COMPLETED', 'ABANDONED'])
    .execute()
  return rows.map((row) => ({
    arcId: row.id,
    learnerId: row.learner_id,
    topic: row.topic,
    language: row.language,
    wantedSince: row.opened_at?.getTime() ?? null,
    lastMessageAt: row.last_session_at?.getTime() ?? null,
    warnedAt: row.stale_warned_at?.getTime() ?? null,
    paused: row.paused,
  }))
}

/** Tells the learner, in the arc, that it will be closed; once per absence. */
export async function warnOfStaleness(
  db: Db,
  arcId: string,
  text: string,
  at: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const arc = await trx
      .updateTable('arcs')
      .set({ stale_warned_at: at })
      .where('id', '=', arcId)
      .returning('phase')
      .executeTakeFirstOrThrow()
    const message = await trx
      .insertInto('arc_messages')
      .values({
        arc_id: arcId,
        id: randomUUID(),
        role: 'system',
        text,
        phase: arc.phase,
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await appendEvents(trx, arcId, [{ type: 'message', data: messageView(message) }])
  })
}
