import { isPassed } from '../mastery/quality.ts'
import type { NodeHistory, ResponseType } from '../mastery/status.ts'
import { strugglingNodes } from '../mastery/struggling.ts'
import { descendants, prerequisiteGraph } from '../mind-map/graph.ts'
import { compareLabels } from '../mind-map/label.ts'
import type { MindMap, MindMapNode } from '../mind-map/mind-map.ts'
import { localClock } from './local-clock.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** Velocity looks back over this many weeks. */
const VELOCITY_WEEKS = 4

/** A graded response; `at` in UTC ms. */
export interface AnalysedResponse {
  at: number
  quality: number
  type: ResponseType
}

export interface MapHistory {
  map: MindMap
  /** Every response of the map. */
  responses: readonly AnalysedResponse[]
  /** By node id. */
  histories: Readonly<Record<string, NodeHistory>>
  /** The learner's IANA zone. */
  timeZone: string
}

export type TimeOfDay = 'morning' | 'afternoon' | 'evening'

/** The metrics of seed 000 D6; windows are real days, whatever the length of a learning day. */
export interface MapMetrics {
  total_nodes: number
  mastered_nodes: number
  /** Mastered of all, two decimals. */
  mastery_pct: number
  /** Two decimals; null without nodes. */
  avg_ease_factor: number | null
  /** Reviews of quality 3 or more among the reviews of the window; null without reviews. */
  retention_rate_7d: number | null
  retention_rate_30d: number | null
  velocity_nodes_per_week: number
  /** Null at velocity 0 or with nothing left. */
  estimated_completion_days: number | null
  struggling_nodes: string[]
  /** The child of the root whose subtree has the highest mean score; null without one. */
  strongest_subtree: string | null
  total_quiz_responses: number
  /** One decimal; null without responses. */
  avg_quality_score: number | null
  /** Days of the learner's calendar with a response in the last seven. */
  sessions_this_period: number
  /** Responses of the last seven days by the learner's clock. */
  time_of_day_distribution: Record<TimeOfDay, number>
}

/** The metrics of a map at `now`, in UTC ms (seed 000 D6). */
export function mapMetrics(history: MapHistory, now: number): MapMetrics {
  const { map, responses } = history
  const mastered = map.nodes.filter((node) => node.masteryStatus === 'mastered')
  const velocity = velocityPerWeek(mastered, now)
  const lastWeek = responses.filter(({ at }) => isWithin(at, now, WEEK_MS))
  return {
    total_nodes: map.nodes.length,
    mastered_nodes: mastered.length,
    mastery_pct: rounded(mean(map.nodes.map(isMastered)) ?? 0, 2),
    avg_ease_factor: orNull(mean(map.nodes.map((node) => node.easeFactor)), 2),
    retention_rate_7d: retention(responses, now, WEEK_MS),
    retention_rate_30d: retention(responses, now, 30 * DAY_MS),
    velocity_nodes_per_week: velocity,
    estimated_completion_days: daysLeft(map, velocity),
    struggling_nodes: strugglingNodes(map, history.histories),
    strongest_subtree: strongestSubtree(map),
    total_quiz_responses: responses.length,
    avg_quality_score: orNull(mean(responses.map(({ quality }) => quality)), 1),
    ...attendance(lastWeek, history.timeZone),
  }
}

function isWithin(at: number, now: number, windowMs: number): boolean {
  return at > now - windowMs && at <= now
}

function isMastered(node: MindMapNode): number {
  return Number(node.masteryStatus === 'mastered')
}

function velocityPerWeek(mastered: readonly MindMapNode[], now: number): number {
  const window = VELOCITY_WEEKS * WEEK_MS
  const recent = mastered.filter(
    ({ masteredAt }) => masteredAt !== null && isWithin(masteredAt, now, window),
  )
  return recent.length / VELOCITY_WEEKS
}

/** What is optional or skipped is not waited for. */
function daysLeft(map: MindMap, velocity: number): number | null {
  const remaining = map.nodes.filter(
    ({ masteryStatus, metadata }) =>
      masteryStatus !== 'mastered' && metadata.optional !== true && metadata.skipped !== true,
  ).length
  return remaining === 0 || velocity === 0 ? null : Math.ceil((remaining / velocity) * 7)
}

function retention(
  responses: readonly AnalysedResponse[],
  now: number,
  windowMs: number,
): number | null {
  return mean(
    responses
      .filter(({ type, at }) => type === 'review' && isWithin(at, now, windowMs))
      .map(({ quality }) => Number(isPassed(quality))),
  )
}

function strongestSubtree(map: MindMap): string | null {
  if (map.rootNodeId === null) return null
  const graph = prerequisiteGraph(map)
  const byId = new Map(map.nodes.map((node) => [node.id, node]))
  const ranked = (graph.children.get(map.rootNodeId) ?? [])
    .map((id) => ({
      id,
      label: byId.get(id)?.label ?? '',
      score: mean([...descendants(graph, [id])].map((below) => byId.get(below)?.masteryScore ?? 0)),
    }))
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || compareLabels(a.label, b.label))
  return ranked[0]?.id ?? null
}

function attendance(responses: readonly AnalysedResponse[], timeZone: string) {
  const dates = new Set<string>()
  const hours: Record<TimeOfDay, number> = { morning: 0, afternoon: 0, evening: 0 }
  for (const { at } of responses) {
    const { date, hour } = localClock(at, timeZone)
    dates.add(date)
    hours[timeOfDay(hour)] += 1
  }
  return { sessions_this_period: dates.size, time_of_day_distribution: hours }
}

function timeOfDay(hour: number): TimeOfDay {
  if (hour >= 6 && hour < 12) return 'morning'
  return hour >= 12 && hour < 18 ? 'afternoon' : 'evening'
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function orNull(value: number | null, decimals: number): number | null {
  return value === null ? null : rounded(value, decimals)
}

function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}
