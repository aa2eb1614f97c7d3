import type { PracticeDebug, PracticeProblem, TurnResponse } from '../contracts/practice.ts'
import type { PracticeCommit } from '../domain/practice/commit.ts'
import type { ProblemState } from '../domain/practice/session.ts'
import type { Turn } from '../domain/practice/turn.ts'
import type { Db, Trx } from './database.ts'
import { readTeacherSessions, storeTeacherEvents, type TeacherEvent } from './practice-events.ts'
import { countColumns, problemColumns } from './practice-sessions.ts'

/** The texts of a commit, found before its transaction begins. */
export interface PracticeTexts {
  /** What the student wrote, by internal message id. */
  said: Map<string, string>
  /** What wrong answers looked like, by turn. */
  misconceptions: Map<number, string>
  /** What the caller is answered; null where the commit answers nobody. */
  response: TurnResponse | null
  debug: PracticeDebug | null
  /** The smaller question that the reply ended with. */
  scaffold: { question: string; expected: string } | null
  /** The problem that the message brought. */
  appended: PracticeProblem | null
}

export type CommitOutcome = 'written' | 'repeated' | 'superseded'

/**
 * Writes one step of a session in one transaction.
 * @param deliver whether a completed session's report goes to an LMS
 * @returns `superseded` when the stored generation is another: nothing was written, the writer must load again
 */
export async function writePracticeCommit(
  db: Db,
  commit: PracticeCommit,
  texts: PracticeTexts,
  deliver: boolean,
): Promise<CommitOutcome> {
  return db.transaction().execute(async (trx) => {
    const claimed = await claim(trx, commit, deliver)
    if (typeof claimed === 'string') return claimed
    if (texts.appended) await appendProblem(trx, commit, texts.appended)
    for (const index of touched(commit)) await writeProblem(trx, commit, index, texts)
    await writeTurns(trx, commit, texts)
    await answer(trx, commit, texts)
    const alerts = await writeAlerts(trx, commit, claimed.student_id)
    const [session] = await readTeacherSessions(trx, { sessionId: commit.sessionId, limit: 1 })
    const events: TeacherEvent[] = session
      ? [{ type: 'session', data: session }, ...alerts]
      : alerts
    if (commit.state.status === 'completed') {
      const { sessionId } = commit
      const data = {
        sessionId,
        studentId: claimed.student_id,
        delivery: session?.delivery ?? 'none',
      }
      events.push({ type: 'report', data })
    }
    await storeTeacherEvents(trx, events)
    return 'written' as const
  })
}

async function claim(trx: Trx, commit: PracticeCommit, deliver: boolean) {
  const { state, at } = commit
  const isOver = state.status === 'completed'
  const row = await trx
    .updateTable('tutoring_sessions')
    .set((column) => ({
      generation: commit.generation,
      commit_key: commit.key,
      snapshot: JSON.stringify(state),
      status: state.status,
      current_problem_index: state.index,
      last_active: new Date(state.lastTurnAt),
      completed_at: state.completedAt === null ? null : new Date(state.completedAt),
      ...countColumns(state),
      ...(isOver && deliver
        ? {
            delivery: column
              .case()
              .when('arc_id', 'is', null)
              .then('pending' as const)
              .else('none' as const)
              .end(),
            delivery_id: column.fn<string>('gen_random_uuid'),
            delivery_since: new Date(at),
          }
        : {}),
    }))
    .where('session_id', '=', commit.sessionId)
    .where('generation', '=', commit.generation - 1)
    .returning('student_id')
    .executeTakeFirst()
  if (row) return row
  const stored = await trx
    .selectFrom('tutoring_sessions')
    .select(['generation', 'commit_key'])
    .where('session_id', '=', commit.sessionId)
    .executeTakeFirst()
  const isSame = stored?.generation === commit.generation && stored.commit_key === commit.key
  return isSame ? ('repeated' as const) : ('superseded' as const)
}

/** The problems that a commit may have changed. */
function touched({ state, turns }: PracticeCommit): number[] {
  const indexes = new Set([state.index, state.index - 1])
  for (const { turn } of turns) if (turn.problemIndex !== null) indexes.add(turn.problemIndex)
  return [...indexes].filter((index) => state.problems[index] !== undefined)
}

async function appendProblem(
  trx: Trx,
  { sessionId, state }: PracticeCommit,
  problem: PracticeProblem,
) {
  await trx
    .insertInto('problem_attempts')
    .values({
      ...problemColumns(sessionId, problem, state.problems.length - 1),
      status: 'in_progress',
    })
    .execute()
}

async function writeProblem(
  trx: Trx,
  commit: PracticeCommit,
  index: number,
  texts: PracticeTexts,
): Promise<void> {
  const problem = commit.state.problems[index]
  if (!problem) return
  await trx
    .updateTable('problem_attempts')
    .set({ ...columnsOf(problem), ...scaffoldColumns(problem, index === turnIndex(commit), texts) })
    .where('session_id', '=', commit.sessionId)
    .where('problem_index', '=', index)
    .execute()
}

const turnIndex = ({ turns }: PracticeCommit) => turns.at(-1)?.turn.problemIndex ?? null

function columnsOf(problem: ProblemState) {
  const { scaffolding } = problem
  return {
    status: problem.status,
    attempt_count: problem.attempts,
    first_attempt_category: problem.firstCategory,
    final_category: problem.finalCategory,
    scaffolding_invoked: scaffolding.deepest > 0,
    scaffolding_depth_reached: scaffolding.deepest,
    time_started: problem.startedAt === null ? null : new Date(problem.startedAt),
    time_completed: problem.completedAt === null ? null : new Date(problem.completedAt),
    time_spent_seconds: problem.activeMs / 1000,
    mastery_signal: problem.signal,
    struggled: problem.struggled,
    explained: problem.explained,
  }
}

function scaffoldColumns(problem: ProblemState, isOfTurn: boolean, { scaffold }: PracticeTexts) {
  if (!problem.scaffolding.asked) return { scaffold_question: null, scaffold_expected: null }
  if (!isOfTurn || scaffold === null) return {}
  return { scaffold_question: scaffold.question, scaffold_expected: scaffold.expected }
}

async function writeTurns(trx: Trx, commit: PracticeCommit, texts: PracticeTexts): Promise<void> {
  for (const { turn } of commit.turns) {
    const misconception = texts.misconceptions.get(turn.number) ?? null
    if (turn.late) {
      await trx
        .updateTable('conversation_turns')
        .set({ ...judgedColumns(turn), misconception })
        .where('session_id', '=', commit.sessionId)
        .where('turn', '=', turn.number)
        .execute()
      continue
    }
    const index = turn.problemIndex ?? Math.max(0, commit.state.problems.length - 1)
    await trx
      .insertInto('conversation_turns')
      .values({
        session_id: commit.sessionId,
        turn: turn.number,
        message_id: turn.messageId,
        problem_id: commit.state.problems[index]?.id ?? '',
        problem_index: index,
        student_message: texts.said.get(turn.messageId) ?? '',
        tutor_response: texts.response?.output ?? '',
        ...judgedColumns(turn),
        misconception,
        timestamp: new Date(commit.at),
      })
      .execute()
  }
}

const judgedColumns = (turn: Turn) => ({
  category: turn.category,
  action: turn.action,
  is_main_attempt: turn.isMainAttempt,
  mastery_signal: turn.signal,
})

async function answer(trx: Trx, { messageId, at }: PracticeCommit, texts: PracticeTexts) {
  if (messageId === null || texts.response === null) return
  await trx
    .updateTable('practice_messages')
    .set({
      response: JSON.stringify(texts.response),
      debug: texts.debug ? JSON.stringify(texts.debug) : null,
      answered_at: new Date(at),
    })
    .where('id', '=', messageId)
    .execute()
}

async function writeAlerts(
  trx: Trx,
  commit: PracticeCommit,
  studentId: string,
): Promise<TeacherEvent[]> {
  const rows = commit.turns.flatMap(({ turn }) =>
    turn.alerts.map((signal) => ({
      session_id: commit.sessionId,
      problem_index: turn.problemIndex ?? 0,
      problem_id: commit.state.problems[turn.problemIndex ?? 0]?.id ?? '',
      signal,
      created_at: new Date(commit.at),
    })),
  )
  if (rows.length === 0) return []
  const stored = await trx
    .insertInto('practice_alerts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'problem_index', 'signal']).doNothing(),
    )
    .returningAll()
    .execute()
  return stored.map((alert) => ({
    type: 'alert',
    data: {
      id: alert.id,
      sessionId: alert.session_id,
      studentId,
      problemId: alert.problem_id,
      signal: alert.signal,
      createdAt: alert.created_at.toISOString(),
      acknowledgedAt: null,
      note: null,
    },
  }))
}
