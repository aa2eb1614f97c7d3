import { z } from 'zod'
import { line, text } from '../contracts/text.ts'
import { struggles as strugglesOf } from '../domain/mastery/struggling.ts'
import { masterySummary } from '../domain/mastery/summary.ts'
import { dueReviews } from '../domain/spaced-repetition/due-reviews.ts'
import { nodeResponses, recordResponse } from '../store/maps/responses.ts'
import { recordReview } from '../store/maps/reviews.ts'
import { readHistories } from '../store/maps/rows.ts'
import { requireMap, requireNode, requireWholeMap } from './access.ts'
import { mapStatus, masteryStatus } from './mind-map-tools.ts'
import { id, quality, time, tool } from './tool.ts'

const responseType = z.enum(['diagnostic', 'teach', 'review'])
const label = z.string()

const record = tool(
  'mastery_record_response',
  'Stores a graded answer (quality 0 to 5) and what it does to score and status of its concept, and to the map. The same response_id again counts once.',
  {
    input: {
      node_id: id,
      mind_map_id: id,
      question_text: line(8_000),
      user_answer: text.max(8_000).optional(),
      quality,
      response_type: responseType.default('review'),
      response_id: line(100).optional(),
    },
    output: {
      response_id: id,
      mastery_status: masteryStatus,
      mastery_score: z.number(),
      next_review_at: time.nullable(),
      map_status: mapStatus,
    },
  },
  async (context, { responseType: type, ...given }) => {
    await requireMap(context, given.mindMapId)
    const { userAnswer = null, responseId = null } = given
    const { node, ...recorded } = await recordResponse(
      context.db,
      { ...given, userAnswer, responseId, type },
      { at: Date.now(), dayMs: context.config.dayMs },
    )
    return { ...node, ...recorded }
  },
)

const history = tool(
  'mastery_get_node_history',
  'The graded answers on a concept, newest first.',
  {
    reads: true,
    input: { node_id: id, limit: z.int().min(1).max(500).default(50) },
    output: {
      responses: z.array(
        z.object({
          response_id: id,
          question_text: z.string(),
          user_answer: z.string().nullable(),
          quality,
          response_type: responseType,
          responded_at: time,
        }),
      ),
    },
  },
  async (context, { nodeId, limit }) => {
    await requireNode(context, nodeId)
    return { responses: await nodeResponses(context.db, nodeId, limit) }
  },
)

const summary = tool(
  'mastery_get_map_summary',
  'How many concepts of a map have which status, the share mastered and the mean score.',
  {
    reads: true,
    input: { mind_map_id: id },
    output: {
      total: z.int(),
      by_status: z.record(masteryStatus, z.int()),
      mastery_pct: z.number(),
      avg_score: z.number(),
    },
  },
  async (context, { mindMapId }) => masterySummary(await requireWholeMap(context, mindMapId)),
)

const struggles = tool(
  'mastery_detect_struggles',
  'The concepts in difficulty and why, and the subtrees below the root that have two of them.',
  {
    reads: true,
    input: { mind_map_id: id },
    output: {
      nodes: z.array(
        z.object({
          node_id: id,
          label,
          reasons: z.array(z.enum(['consecutive_low_quality', 'declining_score'])),
        }),
      ),
      subtrees: z.array(id),
    },
  },
  async (context, { mindMapId }) => {
    const map = await requireWholeMap(context, mindMapId)
    return strugglesOf(map, await readHistories(context.db, mindMapId))
  },
)

const schedule = tool(
  'spaced_repetition_record_response',
  'One step of SM-2 on a concept of any status: its schedule alone, no response is stored. The date is kept on reviewing and mastered concepts only.',
  {
    input: {
      node_id: id,
      mind_map_id: id,
      quality,
      reviewed_at: z.iso.datetime({ offset: true }).optional(),
    },
    output: {
      ease_factor: z.number(),
      repetitions: z.int(),
      interval_days: z.number(),
      next_review_at: time,
    },
  },
  async (context, { reviewedAt, ...review }) => {
    await requireMap(context, review.mindMapId)
    const at = reviewedAt === undefined ? Date.now() : Date.parse(reviewedAt)
    return recordReview(context.db, review, { at, dayMs: context.config.dayMs })
  },
)

const pending = tool(
  'spaced_repetition_pending_reviews',
  'The reviews of one session: due concepts of an active map, lowest ease first, then longest overdue, at most 20.',
  {
    reads: true,
    input: { mind_map_id: id },
    output: {
      nodes: z.array(
        z.object({ node_id: id, label, ease_factor: z.number(), next_review_at: time.nullable() }),
      ),
    },
  },
  async (context, { mindMapId }) => {
    const due = dueReviews(await requireWholeMap(context, mindMapId), Date.now())
    return { nodes: due.map((node) => ({ ...node, nodeId: node.id })) }
  },
)

export const MASTERY_TOOLS = [record, history, summary, struggles, schedule, pending]
