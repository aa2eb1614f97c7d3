import type { MasteryStatus, MindMapNode } from '../mind-map/mind-map.ts'
import { readFsrsMemory } from '../spaced-repetition/fsrs.ts'
import { dueAfter, type SchedulerName, schedulerFor } from '../spaced-repetition/scheduler.ts'
import { firstStep } from '../spaced-repetition/sm2.ts'
import { isPassed, requireQuality } from './quality.ts'
import { masteryScore, scoreReaches, seedScore } from './score.ts'

export type ResponseType = 'diagnostic' | 'teach' | 'review'

/** One graded response; the quality is a whole number from 0 to 5. */
export interface ResponseMark {
  quality: number
  type: ResponseType
}

/** The part of a node's responses that its score and status depend on, each list oldest first. */
export interface NodeHistory {
  /** The latest teach and review responses, up to eight. */
  graded: ResponseMark[]
  /** The latest three review qualities. */
  reviews: number[]
  /** The latest three qualities of any type. */
  recent: number[]
}

export interface ReviewContext {
  /** UTC milliseconds of the response. */
  at: number
  /** The length of one day in milliseconds. */
  dayMs: number
  /** The first intervals in days. */
  learningSteps: number[]
  scheduler: SchedulerName
}

export interface ResponseContext extends ReviewContext {
  /** Whether a learning cycle on this node decides about `learning → reviewing`. */
  inCycle: boolean
}

const GRADED_KEPT = 8
const LATEST = 3
const MASTERING_QUALITY = 4

/** The history of a node nobody has answered a question on. */
export function emptyHistory(): NodeHistory {
  return { graded: [], reviews: [], recent: [] }
}

/**
 * The history with one more response.
 * @throws RangeError when the quality is not a whole number from 0 to 5
 */
export function recordMark(history: NodeHistory, mark: ResponseMark): NodeHistory {
  requireQuality(mark.quality)
  const { graded, reviews, recent } = history
  return {
    graded: mark.type === 'diagnostic' ? graded : [...graded, { ...mark }].slice(-GRADED_KEPT),
    reviews: mark.type === 'review' ? [...reviews, mark.quality].slice(-LATEST) : reviews,
    recent: [...recent, mark.quality].slice(-LATEST),
  }
}

/**
 * What one response does to a node: score, status, and the schedule. A review takes one step of
 * the scheduler; a teach response only where it brings the node to `reviewing`. Nodes outside
 * `reviewing` and `mastered` have no next review.
 * @throws RangeError when the quality is not a whole number from 0 to 5
 */
export function applyResponse(
  node: MindMapNode,
  history: NodeHistory,
  mark: ResponseMark,
  ctx: ResponseContext,
): { node: MindMapNode; history: NodeHistory } {
  const next = recordMark(history, mark)
  const masteryStatus = statusAfter(node.masteryStatus, next, mark, ctx.inCycle)
  const scored = { ...node, masteryScore: scoreAfter(node, next, mark) }
  if (node.masteryStatus === 'learning' && masteryStatus === 'reviewing') {
    return { node: enterReviewing(scored, mark.quality, ctx), history: next }
  }
  const stepped = mark.type === 'review' ? scheduleReview(scored, mark.quality, ctx) : scored
  const moved = { ...stepped, masteryStatus }
  if (masteryStatus === 'mastered') {
    return { node: { ...moved, masteredAt: node.masteredAt ?? ctx.at }, history: next }
  }
  if (node.masteryStatus === 'mastered') return { node: demoted(moved, ctx), history: next }
  const nextReviewAt = masteryStatus === 'reviewing' ? stepped.nextReviewAt : null
  return { node: { ...moved, nextReviewAt }, history: next }
}

/**
 * What a response beside the path does to a node (practice, a drill, an exam): it enters the score and the signs of
 * struggling, and changes neither status nor dates.
 * @throws RangeError when the quality is not a whole number from 0 to 5
 */
export function applySideResponse(
  node: MindMapNode,
  history: NodeHistory,
  quality: number,
): { node: MindMapNode; history: NodeHistory } {
  const next = recordMark(history, { quality, type: 'teach' })
  const score = masteryScore(next.graded.map((mark) => mark.quality))
  return { node: { ...node, masteryScore: score }, history: next }
}

/**
 * A passed learning cycle: the node goes to `reviewing`, by one step of the scheduler from
 * repetitions 0 with the rounded mean of the cycle's qualities.
 * @throws RangeError without qualities or when their mean is no quality
 */
export function completeCycle(
  node: MindMapNode,
  qualities: readonly number[],
  ctx: ReviewContext,
): MindMapNode {
  const sum = qualities.reduce((total, quality) => total + quality, 0)
  return enterReviewing(node, Math.round(sum / qualities.length), ctx)
}

/** A review the learner skipped: no response, due again after the first learning step. */
export function postponeReview(node: MindMapNode, ctx: ReviewContext): MindMapNode {
  return { ...node, nextReviewAt: dueAfter(firstStep(ctx.learningSteps), ctx.at, ctx.dayMs) }
}

function statusAfter(
  status: MasteryStatus,
  history: NodeHistory,
  { quality, type }: ResponseMark,
  inCycle: boolean,
): MasteryStatus {
  const passed = isPassed(quality)
  switch (status) {
    case 'unseen':
      if (type === 'teach') return 'learning'
      return type === 'diagnostic' && passed ? 'diagnosed' : 'unseen'
    case 'diagnosed':
      return type === 'teach' || !passed ? 'learning' : 'diagnosed'
    case 'learning':
      return passed && !inCycle ? 'reviewing' : 'learning'
    case 'reviewing':
      if (!passed) return 'learning'
      return type === 'review' && provesMastery(history.reviews) ? 'mastered' : 'reviewing'
    case 'mastered':
      return type === 'review' && !passed ? 'reviewing' : 'mastered'
  }
}

function provesMastery(reviews: readonly number[]): boolean {
  return (
    reviews.length === LATEST &&
    reviews.every((quality) => quality >= MASTERING_QUALITY) &&
    scoreReaches(reviews, 4, 5)
  )
}

function scoreAfter(node: MindMapNode, { graded }: NodeHistory, mark: ResponseMark): number {
  if (graded.length === 0) return seedScore(mark.quality)
  if (mark.type === 'diagnostic') return node.masteryScore
  return masteryScore(graded.map(({ quality }) => quality))
}

function enterReviewing(node: MindMapNode, quality: number, ctx: ReviewContext): MindMapNode {
  const fresh = { ...node, repetitions: 0 }
  return { ...scheduleReview(fresh, quality, ctx), masteryStatus: 'reviewing' }
}

function demoted(node: MindMapNode, ctx: ReviewContext): MindMapNode {
  const intervalDays = firstStep(ctx.learningSteps)
  const nextReviewAt = dueAfter(intervalDays, ctx.at, ctx.dayMs)
  return { ...node, masteredAt: null, intervalDays, nextReviewAt }
}

function scheduleReview(node: MindMapNode, quality: number, ctx: ReviewContext): MindMapNode {
  const memory = readFsrsMemory(node.metadata.fsrs)
  const { easeFactor, repetitions, intervalDays, lastReviewedAt } = node
  const { state, nextReviewAt } = schedulerFor(ctx.scheduler, ctx.learningSteps).review(
    {
      easeFactor,
      repetitions,
      intervalDays,
      lastReviewedAt,
      ...(memory && { fsrs: memory }),
    },
    quality,
    ctx.at,
    ctx.dayMs,
  )
  const { fsrs, ...schedule } = state
  const metadata = fsrs ? { ...node.metadata, fsrs } : node.metadata
  return { ...node, ...schedule, metadata, nextReviewAt }
}
