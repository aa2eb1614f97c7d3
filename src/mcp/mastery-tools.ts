import { z } from 'zod'
import { detectStruggles, masterySummary, nodeResponses } from '../store/maps/mastery.ts'
import { recordResponse } from '../store/maps/responses.ts'
import { pendingReviews, recordReview } from '../store/maps/reviews.ts'
import { requireMap, requireNode } from './access.ts'
import { mapStatus, masteryStatus } from './mind-map-tools.ts'
import { id, quality, text, tool } from './tool.ts'

const responseType = z.enum(['diagnostic', 'teach', 'review'])
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const record = tool(
  'mastery_record_response',
  'Stores a graded answer (quality 0 to 5) and what it does to score and status of its concept, and to the map. The same response_id again counts once.',
  {
    input: {
      node_id: id,
      mind_map_id: id,
      question_text: text(8_000),
      user_answer: z.string().max(8_000).optional(),
      quality,
      response_type: responseType.default('review'),
      response_id: text(100).optional(),
    },
    output: {
      response_id: id,
      mastery_status: masteryStatus,
      mastery_score: z.number(),
      next_review_at: z.string().nullable(),
      map_status: mapStatus,
    },
  },
  async (context, args) => {
    await requireMap(context, args.mind_map_id)
    const recorded = await recordResponse(
      context.db,
      {
        mindMapId: args.mind_map_id,
        nodeId: args.node_id,
        questionText: args.question_text,
        userAnswer: args.user_answer ?? null,
        quality: args.quality,
        type: args.response_type,
        responseId: args.response_id ?? null,
      },
      { at: Date.now(), dayMs: context.config.dayMs },
    )
    return {
      response_id: recorded.responseId,
      mastery_status: recorded.node.masteryStatus,
      mastery_score: recorded.node.masteryScore,
      next_review_at: iso(recorded.node.nextReviewAt),
      map_status: recorded.mapStatus,
    }
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
          responded_at: z.string(),
        }),
      ),
    },
  },
  async (context, { node_id, limit }) => {
    await requireNode(context, node_id)
    const rows = await nodeResponses(context.db, node_id, limit)
    return {
      responses: rows.map((row) => ({
        response_id: row.id,
        question_text: row.question_text,
        user_answer: row.user_answer,
        quality: row.quality,
        response_type: row.response_type,
        responded_at: row.responded_at.toISOString(),
      })),
    }
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
      by_status: z.object({
        unseen: z.int(),
        diagnosed: z.int(),
        learning: z.int(),
        reviewing: z.int(),
        mastered: z.int(),
      }),
      mastery_pct: z.number(),
      avg_score: z.number(),
    },
  },
  async (context, { mind_map_id }) => {
    await requireMap(context, mind_map_id)
    const { total, byStatus, masteryPct, avgScore } = await masterySummary(context.db, mind_map_id)
    return { total, by_status: byStatus, mastery_pct: masteryPct, avg_score: avgScore }
  },
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
          label: z.string(),
          reasons: z.array(z.enum(['consecutive_low_quality', 'declining_score'])),
        }),
      ),
      subtrees: z.array(id),
    },
  },
  async (context, { mind_map_id }) => {
    await requireMap(context, mind_map_id)
    const { nodes, subtrees } = await detectStruggles(context.db, mind_map_id)
    return {
      nodes: nodes.map(({ nodeId, label, reasons }) => ({ node_id: nodeId, label, reasons })),
      subtrees,
    }
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
      next_review_at: z.string(),
    },
  },
  async (context, args) => {
    await requireMap(context, args.mind_map_id)
    const at = args.reviewed_at === undefined ? Date.now() : Date.parse(args.reviewed_at)
    const scheduled = await recordReview(
      context.db,
      { mindMapId: args.mind_map_id, nodeId: args.node_id, quality: args.quality },
      { at, dayMs: context.config.dayMs },
    )
    return {
      ease_factor: scheduled.easeFactor,
      repetitions: scheduled.repetitions,
      interval_days: scheduled.intervalDays,
      next_review_at: new Date(scheduled.nextReviewAt).toISOString(),
    }
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
        z.object({
          node_id: id,
          label: z.string(),
          ease_factor: z.number(),
          next_review_at: z.string().nullable(),
        }),
      ),
    },
  },
  async (context, { mind_map_id }) => {
    await requireMap(context, mind_map_id)
    const due = await pendingReviews(context.db, mind_map_id, Date.now())
    return {
      nodes: due.map((node) => ({
        node_id: node.id,
        label: node.label,
        ease_factor: node.easeFactor,
        next_review_at: iso(node.nextReviewAt),
      })),
    }
  },
)

export const MASTERY_TOOLS = [record, history, summary, struggles, schedule, pending]
