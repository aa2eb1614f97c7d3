import { localClock } from '../../src/domain/analytics/local-clock.ts'
import type { MapMetrics, TimeOfDay } from '../../src/domain/analytics/metrics.ts'
import { isPassed } from '../../src/domain/mastery/quality.ts'
import type { NodeHistory, ResponseType } from '../../src/domain/mastery/status.ts'
import { strugglingNodes } from '../../src/domain/mastery/struggling.ts'
import { descendants, prerequisiteGraph } from '../../src/domain/mind-map/graph.ts'
import { compareLabels } from '../../src/domain/mind-map/label.ts'
import type { MindMap, MindMapNode } from '../../src/domain/mind-map/mind-map.ts'

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

/**
 * The metrics of a map at `now`, in UTC ms (seed 000 D6), from its rows, one after the other: what the statement that
 * takes the snapshots is checked against.
 */
export function mapMetrics(history: MapHistory, now: number): MapMetrics {
  const { map, responses } = history
  const mastered = map.nodes.filter((node) => node.masteryStatus === 'mastered')
  const recent = recentlyMastered(mastered, now)
  const lastWeek = responses.filter(({ at }) => isWithin(at, now, WEEK_MS))
  return {
    total_nodes: map.nodes.length,
    mastered_nodes: mastered.length,
    mastery_pct: meanTo(map.nodes.map(isMastered), 2) ?? 0,
    avg_ease_factor: meanTo(
      map.nodes.map((node) => node.easeFactor),
      2,
    ),
    retention_rate_7d: retention(responses, now, WEEK_MS),
    retention_rate_30d: retention(responses, now, 30 * DAY_MS),
    velocity_nodes_per_week: recent / VELOCITY_WEEKS,
    estimated_completion_days: daysLeft(map, recent),
    struggling_nodes: strugglingNodes(map, history.histories),
    strongest_subtree: strongestSubtree(map),
    total_quiz_responses: responses.length,
    avg_quality_score: meanTo(
      responses.map(({ quality }) => quality),
      1,
    ),
    ...attendance(lastWeek, history.timeZone),
  }
}

function isWithin(at: number, now: number, windowMs: number): boolean {
  return at > now - windowMs && at <= now
}

function isMastered(node: MindMapNode): number {
  return Number(node.masteryStatus === 'mastered')
}

function recentlyMastered(mastered: readonly MindMapNode[], now: number): number {
  const window = VELOCITY_WEEKS * WEEK_MS
  const recent = mastered.filter(
    ({ masteredAt }) => masteredAt !== null && isWithin(masteredAt, now, window),
  )
  return recent.length
}

/** What is optional or skipped is not waited for. */
function daysLeft(map: MindMap, recent: number): number | null {
  const remaining = map.nodes.filter(
    ({ masteryStatus, metadata }) =>
      masteryStatus !== 'mastered' && metadata.optional !== true && metadata.skipped !== true,
  ).length
  if (remaining === 0 || recent === 0) return null
  return Number((BigInt(remaining) * 28n + BigInt(recent) - 1n) / BigInt(recent))
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
      score: meanTo(
        [...descendants(graph, [id])].map((below) => byId.get(below)?.masteryScore ?? 0),
        12,
      ),
    }))
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || compareLabels(a.label, b.label))
  return ranked[0]?.id ?? null
}

function attendance(responses: readonly AnalysedResponse[], timeZone: string) {
  const clocks = responses.map(({ at }) => localClock(at, timeZone))
  const datesIn = (part: TimeOfDay) =>
    new Set(clocks.filter(({ hour }) => timeOfDay(hour) === part).map(({ date }) => date)).size
  return {
    sessions_this_period: new Set(clocks.map(({ date }) => date)).size,
    time_of_day_distribution: {
      morning: datesIn('morning'),
      afternoon: datesIn('afternoon'),
      evening: datesIn('evening'),
    },
  }
}

function timeOfDay(hour: number): TimeOfDay {
  if (hour >= 6 && hour < 12) return 'morning'
  return hour >= 12 && hour < 18 ? 'afternoon' : 'evening'
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const SCALE = 20

/** The mean rounded half up, of the numbers as decimals of 15 digits; null of none. */
function meanTo(values: readonly number[], decimals: number): number | null {
  if (values.length === 0) return null
  const sum = values.reduce((total, value) => total + asDecimal(value), 0n)
  const whole = BigInt(values.length) * 10n ** BigInt(SCALE - decimals)
  return Number((2n * sum + whole) / (2n * whole)) / 10 ** decimals
}

/** The number times 10^20, by its first 15 digits. */
function asDecimal(value: number): bigint {
  const [mantissa = '0', exponent = '0'] = value.toExponential(14).split('e')
  const digits = BigInt(mantissa.replace('.', ''))
  const power = SCALE - 14 + Number(exponent)
  return power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power)
}
