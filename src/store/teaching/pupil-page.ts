import type { Course } from '../../contracts/course-pack.ts'
import type { Attempt, PupilPage } from '../../contracts/teaching.ts'
import { isHelped, isPassed } from '../../domain/mastery/quality.ts'
import { needOf } from '../../domain/teaching/need.ts'
import { optionText } from '../arc/records.ts'
import type { DbOrTrx } from '../database.ts'
import { readMistakes } from './mistakes.ts'
import { type PupilRow, readPupils } from './pupils.ts'
import { type BuiltInTitles, readDeskSessions } from './sessions.ts'
import { readTopics, strugglingOf } from './standings.ts'

const SESSIONS = 50
const ATTEMPTS = 100

/** Everything that a teacher sees of one pupil; null where nobody has that id. */
export async function readPupilPage(
  db: DbOrTrx,
  id: string,
  courses: readonly Course[],
  builtIn: BuiltInTitles,
  now: number,
): Promise<PupilPage | null> {
  const [pupil] = await readPupils(db, [id])
  if (!pupil) return null
  const learners = pupil.learnerId ? [pupil.learnerId] : []
  const [topics, sessions, classes, ofArcs, ofSessions, mistakes] = await Promise.all([
    readTopics(db, learners, courses),
    readDeskSessions(db, { studentId: id, limit: SESSIONS }, builtIn),
    db
      .selectFrom('classes')
      .innerJoin('class_students', 'class_students.class_id', 'classes.id')
      .select(['classes.id', 'classes.title'])
      .where('class_students.student_id', '=', id)
      .orderBy('classes.title')
      .execute(),
    attemptsInArcs(db, pupil),
    attemptsInSessions(db, pupil, builtIn),
    readMistakes(db, [pupil], courses),
  ])
  const struggling = strugglingOf(topics).get(pupil.learnerId ?? '') ?? 0
  const { name, lastActiveAt } = pupil
  return {
    id,
    name,
    need: needOf({ isStuck: pupil.stuckAt !== null, struggling, lastActiveAt }, now),
    lastActiveAt: lastActiveAt ? new Date(lastActiveAt).toISOString() : null,
    classes,
    topics: topics.map(({ arcId, title, phase, concepts, lastSessionAt, nextReviewAt }) => ({
      ...{ arcId, title, phase },
      mastered: concepts.filter(({ status }) => status === 'mastered').length,
      concepts: concepts.map(({ key: _, ...concept }) => concept),
      lastSessionAt: lastSessionAt?.toISOString() ?? null,
      nextReviewAt: nextReviewAt?.toISOString() ?? null,
    })),
    sessions,
    attempts: [...ofArcs, ...ofSessions]
      .sort((a, b) => b.at.localeCompare(a.at))
      .slice(0, ATTEMPTS),
    mistakes,
  }
}

async function attemptsInArcs(db: DbOrTrx, { learnerId }: PupilRow): Promise<Attempt[]> {
  if (learnerId === null) return []
  const rows = await db
    .selectFrom('quiz_responses as response')
    .innerJoin('arcs', 'arcs.id', 'response.session_id')
    .innerJoin('mind_map_nodes as node', 'node.id', 'response.node_id')
    .leftJoin('arc_questions as question', 'question.id', 'response.question_id')
    .select(['response.id', 'response.question_text', 'response.user_answer', 'response.quality'])
    .select(['response.responded_at', 'question.expected', 'question.options'])
    .select(['arcs.topic', 'arcs.title', 'node.label'])
    .where('arcs.learner_id', '=', learnerId)
    .orderBy('response.responded_at', 'desc')
    .limit(ATTEMPTS)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.responded_at.toISOString(),
    about: row.title ?? row.topic,
    concept: row.label,
    question: row.question_text,
    answer: optionText(row.options, row.user_answer ?? ''),
    expected: row.expected ? optionText(row.options, row.expected) : null,
    verdict: isHelped(row.quality) ? 'helped' : isPassed(row.quality) ? 'right' : 'wrong',
  }))
}

async function attemptsInSessions(
  db: DbOrTrx,
  { id }: PupilRow,
  builtIn: BuiltInTitles,
): Promise<Attempt[]> {
  const rows = await db
    .selectFrom('conversation_turns as turn')
    .innerJoin('tutoring_sessions as session', 'session.session_id', 'turn.session_id')
    .innerJoin('problem_attempts as problem', (join) =>
      join
        .onRef('problem.session_id', '=', 'turn.session_id')
        .onRef('problem.problem_index', '=', 'turn.problem_index'),
    )
    .leftJoin('question_sets as question_set', (join) =>
      join
        .onRef('question_set.question_set_id', '=', 'session.question_set_id')
        .on('question_set.integration_id', 'is not distinct from', (ref) =>
          ref.ref('session.integration_id'),
        ),
    )
    .leftJoin('arcs', 'arcs.id', 'session.arc_id')
    .leftJoin('mind_map_nodes as node', 'node.id', 'problem.node_id')
    .select(['turn.id', 'turn.student_message', 'turn.category', 'turn.timestamp'])
    .select(['problem.problem_text', 'problem.correct_answer', 'session.integration_id'])
    .select(['session.question_set_id', 'question_set.title as set_title'])
    .select(['arcs.topic', 'arcs.title', 'node.label'])
    .where('session.student_id', '=', id)
    .where('turn.is_main_attempt', '=', true)
    .orderBy('turn.timestamp', 'desc')
    .limit(ATTEMPTS)
    .execute()
  return rows.map((row) => ({
    id: `turn-${row.id}`,
    at: row.timestamp.toISOString(),
    about:
      row.title ??
      row.topic ??
      row.set_title ??
      builtIn.get(row.question_set_id) ??
      row.question_set_id,
    concept: row.label,
    question: row.problem_text,
    answer: row.student_message,
    expected: row.integration_id === null ? row.correct_answer : null,
    verdict: row.category === 'correct' ? 'right' : row.category === 'close' ? 'close' : 'wrong',
  }))
}
