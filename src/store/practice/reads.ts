import { type CompiledQuery, sql } from 'kysely'
import type { PracticeState } from '../../domain/practice/session.ts'
import type { Problem } from '../../domain/practice/state.ts'
import { isNudged, lastSeen } from '../agenda/awaiting.ts'
import type { Db, DbOrTrx } from '../database.ts'

/** What a decision needs of a session besides its state. */
export interface SessionFacts {
  external_session_id: string
  student_id: string
  tutor: 'anthropic' | 'offline'
  implicit: boolean
  has_teacher: boolean
  arc_id: string | null
  /** The arc's own entity, where it has one. */
  arc_workflow_id: string | null
  arc_learner_id: string | null
  arc_course_id: string | null
  /** The language that the arc's learner has set, and the one that they write there. */
  set_language: string | null
  /** Whether the arc's learner was nudged and has not answered, and when they last wrote anywhere. */
  is_nudged: boolean | null
  last_seen: Date | null
  heard_language: string | null
}

export const sessionFacts = (db: Db, sessionId: string): CompiledQuery<SessionFacts> =>
  db
    .selectFrom('tutoring_sessions as session')
    .leftJoin('entities as arc', 'arc.id', 'session.arc_id')
    .leftJoin('arcs', 'arcs.id', 'session.arc_id')
    .leftJoin('learners', 'learners.id', 'arcs.learner_id')
    .select([
      ...(['external_session_id', 'student_id', 'implicit', 'arc_id'] as const),
      'session.tutor',
      sql<string | null>`arcs.settings ->> 'language'`.as('set_language'),
      isNudged(sql.ref('arcs.learner_id')).as('is_nudged'),
      lastSeen(sql.ref('arcs.learner_id')).as('last_seen'),
      sql<string | null>`coalesce(arc.state ->> 'language', learners.language)`.as(
        'heard_language',
      ),
      (where) =>
        where
          .or([
            where('integration_id', 'is not', null),
            where.exists(
              where
                .selectFrom('class_students')
                .select('class_id')
                .whereRef('class_students.student_id', '=', 'session.student_id'),
            ),
          ])
          .as('has_teacher'),
      'arc.workflow_id as arc_workflow_id',
      'arc.learner_id as arc_learner_id',
      'arc.course_id as arc_course_id',
    ])
    .where('session_id', '=', sessionId)
    .compile()

export const problemsOf = (db: Db, sessionId: string): CompiledQuery<Problem> =>
  db
    .selectFrom('problem_attempts')
    .select(['problem_id as id', 'problem_text as text', 'correct_answer', 'answer_key'])
    .select(['hints', 'tags', 'help'])
    .where('session_id', '=', sessionId)
    .orderBy('problem_index')
    .compile()

/** The read of what the tutor has said in turns. */
export const saidInTurns = (
  db: DbOrTrx,
  sessionId: string,
  turns: readonly number[],
): CompiledQuery<{ text: string }> =>
  db
    .selectFrom('conversation_turns')
    .select('tutor_response as text')
    .where('session_id', '=', sessionId)
    .where('turn', '=', sql<number>`any(${turns}::int[])`)
    .compile()

/** The turns that the tutor remembers, with their texts. */
export async function readMemory(
  db: DbOrTrx,
  sessionId: string,
  memory: PracticeState['memory'],
): Promise<{ student: string; tutor: string; previous: boolean }[]> {
  if (memory.length === 0) return []
  const turns = memory.map(({ turn }) => turn)
  const rows = await db
    .selectFrom('conversation_turns')
    .select(['turn', 'student_message', 'tutor_response'])
    .where('session_id', '=', sessionId)
    .where('turn', 'in', turns)
    .execute()
  const byTurn = new Map(rows.map((row) => [row.turn, row]))
  return memory.flatMap(({ turn, previous }) => {
    const row = byTurn.get(turn)
    return row ? [{ student: row.student_message, tutor: row.tutor_response, previous }] : []
  })
}
