import { isPassed } from '../mastery/quality.ts'
import type { Diagnosis, DiagnosisDepth } from './diagnosis.ts'
import { expectedInformation, type KnowledgeStates, knowledgeStates } from './knowledge-states.ts'
import { inferMastery, measuredQualities } from './mastery-inference.ts'

const PROBES_MIN = 3
const BISECTION_MAX = 5
/** How many probes may follow the bisection, and how many there may be in all. */
const LIMITS: Record<DiagnosisDepth, { further: number; total: number }> = {
  standard: { further: 3, total: 7 },
  thorough: { further: 6, total: 10 },
}
/** Bits below which a question is not worth the learner's time. */
const NEGLIGIBLE_INFORMATION = 0.02
/** Two questions whose worth differs by less are equal, and the easier one is asked. */
const INFORMATION_TOLERANCE = 1e-9

/** The concept to ask about, its rank (1 is the easiest) and what chose it. */
export interface NextProbe {
  label: string
  rank: number
  phase: 'bisection' | 'information'
}

/**
 * The next probe of a diagnosis, null when it is complete (seed 000 D4). The first is at the median
 * rank ⌊N/2⌋, or in the third that the learner has named; a right answer (quality 3 or more) leads to the middle of the harder unprobed part, any
 * other to the middle of the easier one. When no part is left, or after five probes, those follow
 * from which most information is expected: 3 at most, 7 probes in all (thorough: 6, 10 in all),
 * fewer when little can be learned, but never fewer than 3. No concept is asked about twice.
 * `prior` as in `inferMastery`.
 */
export function nextProbe(diagnosis: Diagnosis, prior?: KnowledgeStates): NextProbe | null {
  const { concepts, depth } = diagnosis
  const asked = measuredQualities(diagnosis)
  const { asked: bisected, next } = bisection(asked, concepts.length, diagnosis.start)
  const chosen = (rank: number, phase: NextProbe['phase']): NextProbe | null => {
    const concept = concepts[rank - 1]
    return concept ? { label: concept.label, rank, phase } : null
  }
  if (next !== null) return chosen(next, 'bisection')

  const { further, total } = LIMITS[depth]
  if (asked.size >= total || asked.size - bisected >= further) return null
  const best = mostInformative(diagnosis, asked, prior ?? knowledgeStates(concepts))
  if (!best) return null
  if (asked.size >= PROBES_MIN && best.bits < NEGLIGIBLE_INFORMATION) return null
  return chosen(best.rank, 'information')
}

/** How many probes there can be yet, at most. */
export const probesLeft = (diagnosis: Diagnosis): number =>
  Math.max(0, LIMITS[diagnosis.depth].total - measuredQualities(diagnosis).size)

/**
 * Replays the answers, by index in order of asking, over N ranks: how many of them halved the
 * interval, and the rank that halves it next; null once it is empty or halved five times.
 */
function bisection(
  asked: ReadonlyMap<number, number>,
  count: number,
  start: Diagnosis['start'],
): { asked: number; next: number | null } {
  let easiest = 1
  let hardest = count
  let halvings = 0
  for (const [index, quality] of asked) {
    const rank = index + 1
    if (halvings === BISECTION_MAX || rank < easiest || rank > hardest) continue
    halvings += 1
    if (isPassed(quality)) easiest = rank + 1
    else hardest = rank - 1
  }
  if (halvings === BISECTION_MAX || easiest > hardest) return { asked: halvings, next: null }
  const middle = Math.floor((easiest + hardest) / 2)
  return { asked: halvings, next: halvings === 0 ? firstRank(count, start) : middle }
}

/** The median rank, or the middle of the third that the learner has named. */
function firstRank(count: number, start: Diagnosis['start']): number {
  const share = start === 'beginner' ? 1 / 6 : start === 'advanced' ? 5 / 6 : 1 / 2
  return Math.max(1, Math.floor(count * share))
}

function mostInformative(
  diagnosis: Diagnosis,
  asked: ReadonlyMap<number, number>,
  prior: KnowledgeStates,
): { rank: number; bits: number } | null {
  let best: { rank: number; bits: number } | null = null
  inferMastery(diagnosis, prior).forEach(({ inferred }, index) => {
    if (asked.has(index)) return
    const bits = expectedInformation(inferred)
    if (!best || bits > best.bits + INFORMATION_TOLERANCE) best = { rank: index + 1, bits }
  })
  return best
}
