import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PracticeDebug, TeacherSession, TurnResponse } from '../contracts/practice.ts'
import type { PracticeCommit } from '../domain/practice/commit.ts'
import type { ProblemState } from '../domain/practice/session.ts'
import type { Turn } from '../domain/practice/turn.ts'
import type { Db } from './database.ts'
import { ARC_CHANNEL } from './events.ts'
import { IN_ORDER, TEACHER_TOPIC, type TeacherEvent } from './practice-events.ts'
import { countColumns } from './practice-sessions.ts'
import type { StoredTexts } from './practice-stored-texts.ts'

/** The texts of a commit, found and made before it is written. */
export interface PracticeTexts {
  stored: StoredTexts
  /** What wrong answers looked like, by turn. */
  misconceptions: Map<number, string>
  /** What the caller is answered; null where the commit answers nobody. */
  response: TurnResponse | null
  debug: PracticeDebug | null
  /** The smaller question that the reply ended with. */
  scaffold: { question: string; expected: string } | null
  /** Whether the last of the stored problems came with the message, and has no row yet. */
  appends: boolean
}

export type CommitOutcome = 'written' | 'repeated' | 'superseded'

/**
 * Writes one step of a session in one statement, all of it or nothing.
 * @param deliver whether a completed session's report goes to an LMS
 * @returns `superseded` when the stored generation is another: nothing was written, the writer must load again
 */
export async function writePracticeCommit(
  db: Db,
  commit: PracticeCommit,
  texts: PracticeTexts,
  deliver: boolean,
): Promise<CommitOutcome> {
  const { sessionId, generation, state, at } = commit
  const toDeliver = state.status === 'completed' && deliver && texts.stored.session.arcId === null
  const delivery = toDeliver ? 'pending' : 'none'
  const alerts = alertsOf(commit)
  const events = eventsOf(commit, texts, alerts, delivery)
  const written = await sql<{ written: number }>`
    with claimed as (
      update tutoring_sessions set
        generation = ${generation}, commit_key = ${commit.key}, snapshot = ${json(state)},
        status = ${state.status}, current_problem_index = ${state.index},
        last_active = ${instant(state.lastTurnAt)}, completed_at = ${instant(state.completedAt)},
        ${sql.join(Object.entries(countColumns(state)).map(([name, count]) => sql`${sql.ref(name)} = ${count}`))},
        delivery = ${delivery},
        delivery_id = ${toDeliver ? randomUUID() : null},
        delivery_since = ${toDeliver ? instant(at) : null}
      where session_id = ${sessionId} and generation = ${generation - 1}
      returning session_id
    ),
    problems as (
      update problem_attempts problem set
        status = new.status, attempt_count = new.attempt_count,
        first_attempt_category = new.first_attempt_category, final_category = new.final_category,
        scaffolding_invoked = new.scaffolding_invoked,
        scaffolding_depth_reached = new.scaffolding_depth_reached,
        scaffold_question = case when new.keeps_scaffold then problem.scaffold_question else new.scaffold_question end,
        scaffold_expected = case when new.keeps_scaffold then problem.scaffold_expected else new.scaffold_expected end,
        time_started = new.time_started, time_completed = new.time_completed,
        time_spent_seconds = new.time_spent_seconds, mastery_signal = new.mastery_signal,
        struggled = new.struggled, explained = new.explained
      from claimed, jsonb_to_recordset(${json(touched(commit, texts))}) as new (${PROBLEM_COLUMNS})
      where problem.session_id = claimed.session_id and problem.problem_index = new.problem_index
    ),
    appended as (
      insert into problem_attempts (session_id, problem_id, problem_text, correct_answer, hints, tags,
                                    problem_index, status, time_started)
      select session_id, new.id, new.text, new.correct_answer, new.hints, new.tags,
             ${state.problems.length - 1}, ${state.problems.at(-1)?.status ?? 'pending'}, ${instant(at)}
      from claimed, jsonb_to_recordset(${json(texts.appends ? [texts.stored.problems.at(-1)] : [])})
        as new (id text, text text, correct_answer text, hints jsonb, tags jsonb)
    ),
    judged_late as (
      update conversation_turns turn set
        category = new.category, action = new.action, is_main_attempt = new.is_main_attempt,
        mastery_signal = new.mastery_signal, misconception = new.misconception
      from claimed, jsonb_to_recordset(${json(turnsOf(commit, texts, true))}) as new (${TURN_COLUMNS})
      where turn.session_id = claimed.session_id and turn.turn = new.turn
    ),
    taken as (
      insert into conversation_turns (session_id, turn, message_id, problem_id, problem_index,
        student_message, tutor_response, category, action, is_main_attempt, mastery_signal,
        misconception, "timestamp")
      select session_id, turn, message_id, problem_id, problem_index, student_message, tutor_response,
             category, action, is_main_attempt, mastery_signal, misconception, ${instant(at)}
      from claimed, jsonb_to_recordset(${json(turnsOf(commit, texts, false))}) as new (${TURN_COLUMNS})
    ),
    answered as (
      update practice_messages set response = ${json(texts.response)}, debug = ${json(texts.debug)},
             answered_at = ${instant(at)}
      from claimed
      where practice_messages.id = ${texts.response ? commit.messageId : null}
    ),
    alerts as (
      insert into practice_alerts (id, session_id, problem_index, problem_id, signal, created_at)
      select id, session_id, problem_index, problem_id, signal, ${instant(at)}
      from claimed, jsonb_to_recordset(${json(alerts)})
        as new (id uuid, problem_index integer, problem_id text, signal text)
      on conflict (session_id, problem_index, signal) do nothing
    ),
    locked as materialized (select pg_advisory_xact_lock(${IN_ORDER}::bigint) from claimed),
    told as (
      insert into teacher_events (type, data)
      select item ->> 'type', item -> 'data'
      from locked, jsonb_array_elements(${json(events)}) with ordinality as items (item, place)
      order by place
    )
    select pg_notify(${ARC_CHANNEL}, topic.text) as told, 1 as written
    from claimed, jsonb_array_elements_text(${json(topics(commit))}) as topic (text)
  `.execute(db)
  if (written.rows.length > 0) return 'written'
  const stored = await db
    .selectFrom('tutoring_sessions')
    .select(['generation', 'commit_key'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  const isSame = stored?.generation === generation && stored.commit_key === commit.key
  return isSame ? 'repeated' : 'superseded'
}

/** Who is told: teachers, and whoever waits for the answer of the message. */
const topics = ({ messageId }: PracticeCommit): string[] =>
  [TEACHER_TOPIC, ...(messageId === null ? [] : [messageId])].map((arcId) =>
    JSON.stringify({ arcId }),
  )

const json = (value: unknown) => sql`${value === null ? null : JSON.stringify(value)}::jsonb`
const instant = (at: number | null) => sql`${at === null ? null : new Date(at)}::timestamptz`

const PROBLEM_COLUMNS = sql.raw(`problem_index integer, status text, attempt_count integer,
  first_attempt_category text, final_category text, scaffolding_invoked boolean,
  scaffolding_depth_reached integer, keeps_scaffold boolean, scaffold_question text,
  scaffold_expected text, time_started timestamptz, time_completed timestamptz,
  time_spent_seconds double precision, mastery_signal text, struggled boolean, explained boolean`)

/** The problems that a commit may have changed, as rows. */
function touched(commit: PracticeCommit, texts: PracticeTexts) {
  const { state, turns } = commit
  const indexes = new Set([state.index, state.index - 1])
  for (const { turn } of turns) if (turn.problemIndex !== null) indexes.add(turn.problemIndex)
  const current = turns.at(-1)?.turn.problemIndex ?? null
  return [...indexes].flatMap((index) => {
    const problem = state.problems[index]
    if (!problem) return []
    return [
      {
        problem_index: index,
        ...columnsOf(problem),
        ...scaffoldOf(problem, index === current, texts),
      },
    ]
  })
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

function columnsOf(problem: ProblemState) {
  const { scaffolding } = problem
  return {
    status: problem.status,
    attempt_count: problem.attempts,
    first_attempt_category: problem.firstCategory,
    final_category: problem.finalCategory,
    scaffolding_invoked: scaffolding.deepest > 0,
    scaffolding_depth_reached: scaffolding.deepest,
    time_started: iso(problem.startedAt),
    time_completed: iso(problem.completedAt),
    time_spent_seconds: problem.activeMs / 1000,
    mastery_signal: problem.signal,
    struggled: problem.struggled,
    explained: problem.explained,
  }
}

function scaffoldOf(problem: ProblemState, isOfTurn: boolean, { scaffold }: PracticeTexts) {
  const isNew = isOfTurn && scaffold !== null
  return {
    keeps_scaffold: problem.scaffolding.asked && !isNew,
    scaffold_question: problem.scaffolding.asked && isNew ? scaffold.question : null,
    scaffold_expected: problem.scaffolding.asked && isNew ? scaffold.expected : null,
  }
}

const TURN_COLUMNS = sql.raw(`turn integer, message_id uuid, problem_id text, problem_index integer,
  student_message text, tutor_response text, category text, action text, is_main_attempt boolean,
  mastery_signal text, misconception text`)

/** The turns of a commit as rows: those judged late, or the one that is new. */
function turnsOf({ turns, state }: PracticeCommit, texts: PracticeTexts, late: boolean) {
  return turns.flatMap(({ turn }) => {
    if (turn.late !== late) return []
    const index = turn.problemIndex ?? Math.max(0, state.problems.length - 1)
    return [
      {
        turn: turn.number,
        message_id: turn.messageId,
        problem_id: state.problems[index]?.id ?? '',
        problem_index: index,
        student_message: texts.stored.said.get(turn.messageId) ?? '',
        tutor_response: texts.response?.output ?? '',
        category: turn.category,
        action: turn.action,
        is_main_attempt: turn.isMainAttempt,
        mastery_signal: turn.signal,
        misconception: texts.misconceptions.get(turn.number) ?? null,
      },
    ]
  })
}

interface NewAlert {
  id: string
  problem_index: number
  problem_id: string
  signal: Turn['alerts'][number]
}

function alertsOf({ turns, state }: PracticeCommit): NewAlert[] {
  return turns.flatMap(({ turn }) =>
    turn.alerts.map((signal) => {
      const index = turn.problemIndex ?? 0
      const id = randomUUID()
      return { id, problem_index: index, problem_id: state.problems[index]?.id ?? '', signal }
    }),
  )
}

/** What teachers hear of a commit: how the session stands, whom to look after, that a report is there. */
function eventsOf(
  commit: PracticeCommit,
  { stored }: PracticeTexts,
  alerts: NewAlert[],
  delivery: TeacherSession['delivery'],
): TeacherEvent[] {
  const { sessionId, state, at } = commit
  const { studentId, externalId } = stored.session
  const isOver = state.status === 'completed'
  const problem = isOver ? undefined : state.problems[state.index]
  const text = stored.problems[state.index]?.text
  const events: TeacherEvent[] = [
    {
      type: 'session',
      data: {
        id: sessionId,
        externalSessionId: externalId,
        studentId,
        status: state.status,
        currentProblem: problem && text !== undefined ? { id: problem.id, text } : null,
        attempts: problem?.attempts ?? 0,
        elapsedSeconds: Math.round((problem ?? state).activeMs / 1000),
        delivery,
      },
    },
  ]
  for (const { id, problem_id: problemId, signal } of alerts) {
    const createdAt = new Date(at).toISOString()
    const data = { id, sessionId, studentId, problemId, signal, createdAt }
    events.push({ type: 'alert', data: { ...data, acknowledgedAt: null, note: null } })
  }
  if (isOver) events.push({ type: 'report', data: { sessionId, studentId, delivery } })
  return events
}
