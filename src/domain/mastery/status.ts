import type { MasteryStatus, MindMapNode, NodeMetadata } from '../mind-map/mind-map.ts'
import { type FsrsSettings, readFsrsMemory } from '../spaced-repetition/fsrs.ts'
import { dueAfter, type SchedulerName, schedulerFor } from '../spaced-repetition/scheduler.ts'
import { firstStep, sm2 } from '../spaced-repetition/sm2.ts'
import { isHelped, isPassed, requireQuality } from './quality.ts'
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
  /** The latest three review qualities, those of 3 (right, with help) passed over. */
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
  /**
   * The days after which a concept of an arc that is not mastered is due at the latest, whatever the scheduler says. It
   * also tells that an arc owns the map, in which a review answered with help is no repetition. Without it, the bare rules.
   */
  maxInterval?: number
  /** The learner's weights of FSRS, and their aim; the default ones without. */
  fsrs?: FsrsSettings
}

export interface ResponseContext extends ReviewContext {
  /** Whether a learning cycle on this node decides about `learning → reviewing`. */
  inCycle: boolean
}

const GRADED_KEPT = 8
const LATEST = 3
const MASTERING_QUALITY = 4
const EASY = 5
/** So many reviews in a row that needed help are a lapse. */
const HELPED_TO_LAPSE = 3
/** Days until a review that needed help is asked again. */
const HELPED_AGAIN = 1

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
    reviews:
      mark.type === 'review' && !isHelped(mark.quality)
        ? [...reviews, mark.quality].slice(-LATEST)
        : reviews,
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
  const helped = countHelped(node, mark, ctx)
  const lapses = node.masteryStatus === 'reviewing' && helped === HELPED_TO_LAPSE
  const masteryStatus = lapses
    ? 'learning'
    : statusAfter(node.masteryStatus, next, mark, ctx.inCycle)
  const scored = { ...node, masteryScore: scoreAfter(node, next, mark) }
  if (node.masteryStatus === 'learning' && masteryStatus === 'reviewing') {
    return { node: enterReviewing(scored, mark.quality, ctx), history: next }
  }
  const stepped = mark.type === 'review' ? scheduleReview(scored, mark.quality, ctx) : scored
  const moved = { ...stepped, masteryStatus, metadata: withHelped(stepped, helped, lapses) }
  if (masteryStatus === 'mastered') {
    return { node: { ...moved, masteredAt: node.masteredAt ?? ctx.at }, history: next }
  }
  if (node.masteryStatus === 'mastered') return { node: demoted(moved, ctx), history: next }
  const nextReviewAt = masteryStatus === 'reviewing' ? atMost(moved, ctx).nextReviewAt : null
  return { node: { ...moved, nextReviewAt }, history: next }
}

/**
 * What a response from the side does (practice, a mixed-in question, a drill, an exam question): it enters the score and
 * the signs of struggling, and moves neither status nor date.
 * @throws RangeError when the quality is not a whole number from 0 to 5
 */
export function applySideResponse(
  node: MindMapNode,
  history: NodeHistory,
  quality: number,
): { node: MindMapNode; history: NodeHistory } {
  const mark = { quality, type: 'teach' as const }
  const next = recordMark(history, mark)
  return { node: { ...node, masteryScore: scoreAfter(node, next, mark) }, history: next }
}

/**
 * A concept that was placed by the diagnosis has passed its check, or its quiz without a lesson: it goes to `reviewing`
 * as after two repetitions, due after the second learning step.
 */
export function passPlaced(node: MindMapNode, quality: number, ctx: ReviewContext): MindMapNode {
  const { learningSteps, at, dayMs, scheduler } = ctx
  const graded = scheduler === 'fsrs' ? EASY : quality
  const scheduled = stepSchedule({ ...node, repetitions: 0 }, graded, ctx)
  const intervalDays =
    scheduler === 'fsrs' ? scheduled.intervalDays : (learningSteps[1] ?? firstStep(learningSteps))
  return atMost(
    {
      ...scheduled,
      masteryStatus: 'reviewing',
      repetitions: 2,
      intervalDays,
      nextReviewAt: dueAfter(intervalDays, at, dayMs),
    },
    ctx,
  )
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
  return enterReviewing(node, meanQuality(qualities), ctx)
}

/** The rounded mean of qualities; NaN of none. */
export function meanQuality(qualities: readonly number[]): number {
  return Math.round(qualities.reduce((total, quality) => total + quality, 0) / qualities.length)
}

/**
 * The check of a placed concept in an arc, stored as a review: from 4 on it goes to `reviewing`, below 3 to `learning`;
 * with 3 its quiz decides.
 * @throws RangeError when the quality is not a whole number from 0 to 5
 */
export function applyCheck(
  node: MindMapNode,
  history: NodeHistory,
  quality: number,
  ctx: ReviewContext,
): { node: MindMapNode; history: NodeHistory } {
  const mark = { quality, type: 'review' as const }
  const next = recordMark(history, mark)
  const scored = { ...node, masteryScore: scoreAfter(node, next, mark) }
  if (quality >= MASTERING_QUALITY) {
    return { node: passPlaced(scored, quality, ctx), history: next }
  }
  return {
    node: isPassed(quality) ? scored : { ...scored, masteryStatus: 'learning' },
    history: next,
  }
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

/** How many reviews in a row have needed help, this response included; outside an arc none is counted. */
function countHelped(node: MindMapNode, mark: ResponseMark, ctx: ReviewContext): number {
  if (ctx.maxInterval === undefined || mark.type !== 'review') return node.metadata.helped ?? 0
  return isHelped(mark.quality) ? (node.metadata.helped ?? 0) + 1 : 0
}

function withHelped({ metadata }: MindMapNode, helped: number, lapses: boolean): NodeMetadata {
  const { helped: _, ...rest } = metadata
  if (lapses) return { ...rest, helpedLapses: (metadata.helpedLapses ?? 0) + 1 }
  return helped > 0 ? { ...rest, helped } : rest
}

function enterReviewing(node: MindMapNode, quality: number, ctx: ReviewContext): MindMapNode {
  const fresh = { ...node, repetitions: 0 }
  const entered = { ...stepSchedule(fresh, quality, ctx), masteryStatus: 'reviewing' as const }
  return atMost(entered, ctx)
}

function demoted(node: MindMapNode, ctx: ReviewContext): MindMapNode {
  const intervalDays = firstStep(ctx.learningSteps)
  const nextReviewAt = dueAfter(intervalDays, ctx.at, ctx.dayMs)
  return { ...node, masteredAt: null, intervalDays, nextReviewAt }
}

/** In an arc, a concept that is not mastered is due in time for its learner to get there; the interval stays as it is. */
function atMost(node: MindMapNode, { maxInterval, at, dayMs }: ReviewContext): MindMapNode {
  if (maxInterval === undefined || node.nextReviewAt === null) return node
  return { ...node, nextReviewAt: Math.min(node.nextReviewAt, dueAfter(maxInterval, at, dayMs)) }
}

/** A review in an arc that was answered with help is asked again soon, and is no repetition: only the ease moves. */
function scheduleReview(node: MindMapNode, quality: number, ctx: ReviewContext): MindMapNode {
  if (ctx.maxInterval === undefined || !isHelped(quality)) {
    return stepSchedule(node, quality, ctx)
  }
  const { easeFactor } = sm2(node, quality, ctx.learningSteps)
  return { ...node, easeFactor, nextReviewAt: dueAfter(HELPED_AGAIN, ctx.at, ctx.dayMs) }
}

function stepSchedule(node: MindMapNode, quality: number, ctx: ReviewContext): MindMapNode {
  const memory = readFsrsMemory(node.metadata.fsrs)
  const { easeFactor, repetitions, intervalDays, lastReviewedAt } = node
  const { state, nextReviewAt } = schedulerFor(ctx.scheduler, ctx.learningSteps, ctx.fsrs).review(
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
