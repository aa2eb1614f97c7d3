import type { ExamStatus } from '../domain/course/exam-availability.ts'
import type { Db, DbOrTrx, Trx } from '../store/database.ts'
import type { ExamAuthority, ExamSubject } from './exam-authority.ts'

/** A day's lock after a wrong answer or a viewed support. Seed 004 PF-5.2. */
const LOCK_DAYS = 1

/**
 * The exam authority for those who have none, on our own database. A wrong answer and a viewed memo or video lock the
 * question for a day (`dayMs` milliseconds), counted from the last of them; a passed question stays passed.
 */
export function createBuiltInAuthority(db: Db, dayMs: number): ExamAuthority {
  const lockMs = LOCK_DAYS * dayMs
  return {
    async status({ studentId, courseId, questionIds, at }) {
      const rows = await readStates(db, studentId, courseId, questionIds)
      const known = new Map(rows.map((row) => [row.question_id, row]))
      return Object.fromEntries(questionIds.map((id) => [id, statusOf(known.get(id), at)]))
    },

    attempt: (attempt) =>
      once(db, attempt, (trx) =>
        attempt.isCorrect ? pass(trx, attempt) : lock(trx, attempt, lockMs),
      ),

    supportView: (view) => once(db, view, (trx) => lock(trx, view, lockMs)),
  }
}

interface State {
  question_id: string
  passed_at: Date | null
  locked_until: Date | null
}

function statusOf(state: State | undefined, at: number): ExamStatus {
  if (state?.passed_at) return { status: 'passed' }
  if (state?.locked_until && state.locked_until.getTime() > at) {
    return { status: 'locked', lockedUntil: state.locked_until.toISOString() }
  }
  return { status: 'available' }
}

/** Carries a call out at most once; the student's calls wait for each other. */
async function once(
  db: Db,
  { studentId, key }: ExamSubject,
  act: (trx: Trx) => Promise<ExamStatus>,
): Promise<ExamStatus> {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('learners').select('id').where('id', '=', studentId).forUpdate().execute()
    const earlier = await trx
      .selectFrom('exam_calls')
      .select('answer')
      .where('student_id', '=', studentId)
      .where('key', '=', key)
      .executeTakeFirst()
    if (earlier) return earlier.answer
    const answer = await act(trx)
    await trx
      .insertInto('exam_calls')
      .values({ student_id: studentId, key, answer: JSON.stringify(answer) })
      .execute()
    return answer
  })
}

async function pass(trx: Trx, { studentId, courseId, questionId, at }: ExamSubject) {
  await trx
    .insertInto('exam_states')
    .values({
      student_id: studentId,
      course_id: courseId,
      question_id: questionId,
      passed_at: new Date(at),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['student_id', 'course_id', 'question_id'])
        .doUpdateSet({ passed_at: new Date(at), locked_until: null }),
    )
    .execute()
  return { status: 'passed' as const }
}

async function lock(trx: Trx, subject: ExamSubject, lockMs: number): Promise<ExamStatus> {
  const { studentId, courseId, questionId, at } = subject
  const [before] = await readStates(trx, studentId, courseId, [questionId])
  if (before?.passed_at) return { status: 'passed' }
  const until = new Date(Math.max(at + lockMs, before?.locked_until?.getTime() ?? 0))
  await trx
    .insertInto('exam_states')
    .values({
      student_id: studentId,
      course_id: courseId,
      question_id: questionId,
      locked_until: until,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['student_id', 'course_id', 'question_id'])
        .doUpdateSet({ locked_until: until }),
    )
    .execute()
  return { status: 'locked', lockedUntil: until.toISOString() }
}

async function readStates(
  db: DbOrTrx,
  studentId: string,
  courseId: string,
  questionIds: readonly string[],
): Promise<State[]> {
  if (questionIds.length === 0) return []
  return db
    .selectFrom('exam_states')
    .select(['question_id', 'passed_at', 'locked_until'])
    .where('student_id', '=', studentId)
    .where('course_id', '=', courseId)
    .where('question_id', 'in', questionIds)
    .execute()
}
