import type { CompiledQuery } from 'kysely'
import type {
  PracticeDebug,
  TeacherAlert,
  TeacherSession,
  TurnResponse,
} from '../../contracts/practice.ts'
import type { PracticeEffect, TurnEnded } from '../../domain/practice/decide.ts'
import { solvedOf } from '../../domain/practice/outcome.ts'
import {
  currentProblem,
  type PracticeState,
  type ProblemState,
} from '../../domain/practice/session.ts'
import type { Practice, SessionState } from '../../domain/practice/state.ts'
import { derivedId } from '../../domain/spine/ids.ts'
import type { Db } from '../database.ts'
import type { NewEvent } from '../spine/events.ts'
import { problemColumns } from './sessions.ts'

/** A turn with what its sender is answered. */
type AnsweredTurn = TurnEnded & { response: TurnResponse; debug: PracticeDebug | null }

/** The effects of a decision, as they are written and told. */
export type StoredEffect = Exclude<PracticeEffect, TurnEnded> | AnsweredTurn

/** Effects in SQL. */
export function effectStatements(
  db: Db,
  sessionId: string,
  effects: readonly StoredEffect[],
  at: number,
): CompiledQuery[] {
  return effects.flatMap((effect) => {
    switch (effect.type) {
      case 'problem-added': {
        const { problem, index } = effect
        const row = { ...problemColumns(sessionId, problem, index), status: 'pending' as const }
        return [db.insertInto('problem_attempts').values(row).compile()]
      }
      case 'problem-changed':
        return [
          db
            .updateTable('problem_attempts')
            .set(attemptColumns(effect.state))
            .where('session_id', '=', sessionId)
            .where('problem_index', '=', effect.index)
            .compile(),
        ]
      case 'turn-ended':
        return turnStatements(db, sessionId, effect, at)
      default:
        return []
    }
  })
}

const instant = (at: number | null) => (at === null ? null : new Date(at))

function attemptColumns(problem: ProblemState) {
  const { scaffolding } = problem
  return {
    status: problem.status,
    attempt_count: problem.attempts,
    first_attempt_category: problem.firstCategory,
    final_category: problem.finalCategory,
    scaffolding_invoked: scaffolding.deepest > 0,
    scaffolding_depth_reached: scaffolding.deepest,
    time_started: instant(problem.startedAt),
    time_completed: instant(problem.completedAt),
    time_spent_seconds: problem.activeMs / 1000,
    mastery_signal: problem.signal,
    struggled: problem.struggled,
    explained: problem.explained,
  }
}

/** The turn of a message, those that were judged late, and whom teachers are to look after. */
function turnStatements(
  db: Db,
  sessionId: string,
  ended: AnsweredTurn,
  at: number,
): CompiledQuery[] {
  const timestamp = new Date(at)
  const turns = ended.taken.map(({ turn, misconception, problemIndex, problemId }) => {
    const judged = {
      category: turn.category,
      action: turn.action,
      is_main_attempt: turn.isMainAttempt,
      mastery_signal: turn.signal,
      // Reports count what wrong answers looked like; one that is close is none.
      misconception: turn.category === 'close' ? null : misconception,
    }
    if (turn.late) {
      return db
        .updateTable('conversation_turns')
        .set(judged)
        .where('session_id', '=', sessionId)
        .where('turn', '=', turn.number)
        .compile()
    }
    const { messageId: message_id, text: student_message } = ended.message
    const filed = { session_id: sessionId, problem_index: problemIndex, problem_id: problemId }
    const said = { message_id, student_message, tutor_response: ended.response.output, timestamp }
    return db
      .insertInto('conversation_turns')
      .values({ turn: turn.number, ...filed, ...said, ...judged })
      .compile()
  })
  const alerts = alertsOf(sessionId, ended).map((alert) =>
    db
      .insertInto('practice_alerts')
      .values({ ...alert, session_id: sessionId, created_at: timestamp })
      .onConflict((conflict) => conflict.doNothing())
      .compile(),
  )
  return [...turns, ...alerts]
}

function alertsOf(sessionId: string, { taken }: TurnEnded) {
  return taken.flatMap(({ turn, problemIndex, problemId }) =>
    turn.alerts.map((signal) => {
      const id = derivedId(sessionId, 'alert', problemIndex, signal)
      return { id, problem_index: problemIndex, problem_id: problemId, signal }
    }),
  )
}

/** The session as lists show it. */
export function sessionRow(
  db: Db,
  sessionId: string,
  { progress, delivery }: SessionState,
): CompiledQuery {
  return db
    .updateTable('tutoring_sessions')
    .set({
      status: progress.status,
      current_problem_index: progress.index,
      last_active: new Date(progress.lastTurnAt),
      counted_until: new Date(progress.tickedAt),
      completed_at: instant(progress.completedAt),
      ...countColumns(progress),
      delivery: delivery?.status ?? 'none',
      delivery_note: delivery?.note?.slice(0, 500) ?? null,
    })
    .where('session_id', '=', sessionId)
    .compile()
}

/** The counts that lists show. */
function countColumns({ problems, activeMs }: PracticeState) {
  const { solved, total } = solvedOf(problems)
  const count = (filter: (problem: ProblemState) => boolean) => problems.filter(filter).length
  return {
    problems_completed: solved,
    problems_total: total,
    mastery_count: count(({ signal }) => signal === 'mastered'),
    learned_count: count(({ signal }) => signal === 'learned'),
    struggling_count: count(({ struggled }) => struggled),
    scaffolding_invoked_count: count(({ scaffolding }) => scaffolding.deepest > 0),
    total_time_seconds: Math.round(activeMs / 1000),
  }
}

/** What teachers hear of a decision: how the session stands, whom to look after, that a report is there. */
export function teacherEvents(
  practice: Practice,
  { externalId, studentId }: { externalId: string; studentId: string },
  effects: readonly StoredEffect[],
  at: number,
): NewEvent[] {
  const { sessionId } = practice
  const events: NewEvent[] = []
  if (effects.some(({ type }) => type === 'moved')) {
    events.push({ type: 'session', data: teacherSession(practice, externalId, studentId) })
  }
  for (const effect of effects) {
    if (effect.type === 'turn-ended') {
      for (const { id, problem_id: problemId, signal } of alertsOf(sessionId, effect)) {
        const createdAt = new Date(at).toISOString()
        const about = { id, sessionId, studentId, problemId, signal, createdAt }
        const data: TeacherAlert = { ...about, acknowledgedAt: null, note: null }
        events.push({ type: 'alert', data })
      }
    }
    if (effect.type === 'report') {
      events.push({ type: 'report', data: { sessionId, studentId, delivery: effect.delivery } })
    }
  }
  return events
}

function teacherSession(
  { sessionId, problems, state }: Practice,
  externalSessionId: string,
  studentId: string,
): TeacherSession {
  const { progress, delivery } = state
  const { status, index } = progress
  const problem = status === 'completed' ? null : currentProblem(progress)
  const text = problems[index]?.text
  return {
    id: sessionId,
    externalSessionId,
    studentId,
    status,
    currentProblem: problem && text !== undefined ? { id: problem.id, text } : null,
    attempts: progress.problems.reduce((total, { attempts }) => total + attempts, 0),
    elapsedSeconds: Math.round((problem ?? progress).activeMs / 1000),
    delivery: delivery?.status ?? 'none',
  }
}
