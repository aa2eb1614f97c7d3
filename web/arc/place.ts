import type { ArcMessage, ArcView } from '../../src/contracts/arc.ts'

/** Where the learner is among the questions of a level check or a quiz; `total` null where nobody knows. */
export interface Place {
  kind: 'diagnostic' | 'quiz'
  number: number
  total: number | null
}

/** Questions that a level check asks at most (seed 000 D4). */
const MOST_PROBES = { standard: 7, thorough: 10 }

type Counted = Pick<ArcView, 'pendingQuestion' | 'settings' | 'phase'>

/** The place of the open question, counted in what was asked since the check or the quiz began; null elsewhere. */
export function placeOf(arc: Counted, messages: readonly ArcMessage[]): Place | null {
  const { pendingQuestion: open, settings } = arc
  if (open?.kind !== 'diagnostic' && open?.kind !== 'quiz') return null
  const phase = open.kind === 'quiz' ? 'QUIZZING' : 'DIAGNOSING'
  const said = messages.filter(({ role }) => role === 'tutor')
  const since = said.findLastIndex((message) => message.phase !== phase)
  const asked = said
    .slice(since + 1)
    .filter(({ questionId, card }) => questionId !== undefined && card?.type === 'QUESTION')
    .filter(({ card }) => card?.attempt !== 2)
  const ids = new Set(asked.map(({ questionId }) => questionId))
  // The question may be told before the message that asks it.
  if (open.attempt === 1) ids.add(open.id)
  const number = ids.size
  if (number === 0) return null
  const most = open.kind === 'quiz' ? settings.quizQuestions : MOST_PROBES[settings.diagnosisDepth]
  return { kind: open.kind, number, total: number > most ? null : most }
}
