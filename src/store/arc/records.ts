import { sql } from 'kysely'
import { reviewDays } from '../../domain/agenda/forecast.ts'
import { type ArcPhase, isTerminal } from '../../domain/arc/phase.ts'
import type { Db } from '../database.ts'
import type { ArcRow } from './arcs.ts'

const NEWEST = 500

/** Graded answers of a map, or of one of its nodes, newest first. */
export async function readResponses(db: Db, mindMapId: string, nodeId: string | null) {
  let query = db
    .selectFrom('quiz_responses')
    .leftJoin('arc_questions as question', 'question.id', 'quiz_responses.question_id')
    .selectAll('quiz_responses')
    .select('question.options')
    .where('mind_map_id', '=', mindMapId)
    .orderBy('position', 'desc')
    .limit(NEWEST)
  if (nodeId) query = query.where(sql<string>`quiz_responses.node_id::text`, '=', nodeId)
  return (await query.execute()).map((row) => ({
    id: row.id,
    nodeId: row.node_id,
    questionId: row.question_id,
    questionText: row.question_text,
    userAnswer: row.user_answer,
    answerInWords: row.user_answer === null ? null : optionText(row.options, row.user_answer),
    quality: row.quality,
    responseType: row.response_type,
    attemptNumber: row.attempt_number,
    timeTakenSeconds: row.time_taken_seconds,
    evaluatorNotes: row.evaluator_notes,
    respondedAt: row.responded_at.toISOString(),
  }))
}

/** What was said in words: of an option its text, where its id was said. */
export function optionText(options: { id: string; text: string }[] | null, said: string): string {
  return options?.find(({ id }) => id === said.trim().toLowerCase())?.text ?? said
}

/** Hand-overs between the roles of an arc, oldest first. */
export async function readTransitions(db: Db, arcId: string) {
  const rows = await db
    .selectFrom('agent_transitions')
    .selectAll()
    .where('session_id', '=', arcId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    fromAgent: row.from_agent,
    toAgent: row.to_agent,
    reason: row.reason,
    messageExcerpt: row.message_excerpt,
    timestamp: row.timestamp.toISOString(),
  }))
}

/** Reviews of an arc that are due, those to come, and how many fall on each day of the learner's zone. */
export async function readReviews(db: Db, arc: ArcRow) {
  const { time_zone: zone } = await db
    .selectFrom('learners')
    .select('time_zone')
    .where('id', '=', arc.learner_id)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('mind_map_nodes')
    .select(['id', 'label', 'mastery_status', 'ease_factor', 'next_review_at'])
    .where('mind_map_id', '=', arc.mind_map_id)
    .where('next_review_at', 'is not', null)
    // A closed arc asks for nothing any more, whatever dates its nodes keep.
    .where(sql<boolean>`${!isTerminal(arc.phase as ArcPhase)}`)
    .orderBy('next_review_at')
    .execute()
  const now = Date.now()
  const items = rows.map((row) => ({
    nodeId: row.id,
    label: row.label,
    masteryStatus: row.mastery_status,
    easeFactor: row.ease_factor,
    nextReviewAt: row.next_review_at?.toISOString() ?? '',
    dueAt: row.next_review_at?.getTime() ?? 0,
  }))
  const view = ({ dueAt: _, ...item }: (typeof items)[number]) => item
  return {
    due: items.filter(({ dueAt }) => dueAt <= now).map(view),
    upcoming: items.filter(({ dueAt }) => dueAt > now).map(view),
    forecast: forecastOf(items, zone, now),
  }
}

const forecastOf = (reviews: { dueAt: number }[], zone: string, now: number) =>
  reviewDays(reviews, zone, now).map(({ date, reviews: on }) => ({ date, count: on.length }))

/** The reviews of all open arcs of a learner by date of their zone, earliest first. */
export async function readReviewDays(db: Db, learnerId: string, now: number) {
  const { time_zone: zone } = await db
    .selectFrom('learners')
    .select('time_zone')
    .where('id', '=', learnerId)
    .executeTakeFirstOrThrow()
  return reviewDays(await readDueReviews(db, learnerId), zone, now)
}

/** The reviews of all open arcs of a learner, with their dates in UTC ms; of what is set aside there are none. */
export async function readDueReviews(db: Db, learnerId: string) {
  const rows = await db
    .selectFrom('arcs')
    .innerJoin('mind_map_nodes as node', 'node.mind_map_id', 'arcs.mind_map_id')
    .select(['arcs.topic', 'node.label', 'node.next_review_at'])
    .where('arcs.learner_id', '=', learnerId)
    .where('arcs.phase', 'not in', ['COMPLETED', 'ABANDONED'])
    .where('node.next_review_at', 'is not', null)
    .where(sql<boolean>`node.metadata ->> 'skipped' is distinct from 'true'`)
    .execute()
  return rows.flatMap(({ topic, label, next_review_at: at }) =>
    at === null ? [] : [{ topic, label, dueAt: at.getTime() }],
  )
}
