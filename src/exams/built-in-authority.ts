import type { ExamStatus } from '../domain/course/exams/exam-availability.ts'
import type { Db } from '../store/database.ts'
import type { Transaction } from '../store/spine/transaction.ts'
import type { ExamAuthority, ExamSubject } from './exam-authority.ts'

/** A day's lock after a wrong answer or a viewed support. Seed 004 PF-5.2. */
const LOCK_DAYS = 1

/**
 * The exam authority for those who have none, on our own database, within a transaction of the caller. A wrong answer
 * and a viewed memo or video lock the question for a day (`dayMs` milliseconds), counted from the last of them; a passed
 * question stays passed.
 */
export function createBuiltInAuthority(
  db: Db,
  transaction: Pick<Transaction, 'read' | 'write'>,
  dayMs: number,
): ExamAuthority {
  const lockMs = LOCK_DAYS * dayMs

  /** Carries a call out at most once; the student's calls wait for each other. */
  async function once(
    subject: ExamSubject,
    change: (before: State | undefined) => Change,
  ): Promise<ExamStatus> {
    const { studentId, courseId, questionId, at, key } = subject
    const learner = db.selectFrom('learners').select('id').where('id', '=', studentId).forUpdate()
    const [, [earlier], [before]] = await transaction.read(
      learner.compile(),
      earlierCall(db, studentId, key),
      statesOf(db, studentId, courseId, [questionId]),
    )
    if (earlier) return earlier.answer
    const after = before?.passed_at ? before : change(before)
    const answer = statusOf(after, at)
    transaction.write([
      stateUpsert(db, subject, after),
      db
        .insertInto('exam_calls')
        .values({ student_id: studentId, key, answer: JSON.stringify(answer) })
        .compile(),
    ])
    return answer
  }

  const locked = (before: State | undefined, at: number): Change => {
    const until = Math.max(at + lockMs, before?.locked_until?.getTime() ?? 0)
    return { passed_at: null, locked_until: new Date(until) }
  }

  return {
    async status({ studentId, courseId, questionIds, at }) {
      if (questionIds.length === 0) return {}
      const [rows] = await transaction.read(statesOf(db, studentId, courseId, questionIds))
      const known = new Map(rows.map((row) => [row.question_id, row]))
      return Object.fromEntries(questionIds.map((id) => [id, statusOf(known.get(id), at)]))
    },

    attempt: (attempt) =>
      once(attempt, (before) =>
        attempt.isCorrect
          ? { passed_at: new Date(attempt.at), locked_until: null }
          : locked(before, attempt.at),
      ),

    supportView: (view) => once(view, (before) => locked(before, view.at)),
  }
}

interface Change {
  passed_at: Date | null
  locked_until: Date | null
}

type State = Change & { question_id: string }

function statusOf(state: Change | undefined, at: number): ExamStatus {
  if (state?.passed_at) return { status: 'passed' }
  if (state?.locked_until && state.locked_until.getTime() > at) {
    return { status: 'locked', lockedUntil: state.locked_until.toISOString() }
  }
  return { status: 'available' }
}

const earlierCall = (db: Db, studentId: string, key: string) =>
  db
    .selectFrom('exam_calls')
    .select('answer')
    .where('student_id', '=', studentId)
    .where('key', '=', key)
    .compile()

const statesOf = (db: Db, studentId: string, courseId: string, questionIds: readonly string[]) =>
  db
    .selectFrom('exam_states')
    .select(['question_id', 'passed_at', 'locked_until'])
    .where('student_id', '=', studentId)
    .where('course_id', '=', courseId)
    .where('question_id', 'in', questionIds)
    .compile()

const stateUpsert = (
  db: Db,
  { studentId, courseId, questionId }: ExamSubject,
  { passed_at, locked_until }: Change,
) =>
  db
    .insertInto('exam_states')
    .values({
      student_id: studentId,
      course_id: courseId,
      question_id: questionId,
      passed_at,
      locked_until,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['student_id', 'course_id', 'question_id'])
        .doUpdateSet({ passed_at, locked_until }),
    )
    .compile()
