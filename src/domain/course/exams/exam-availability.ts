import type { ExamTier } from '../snapshot/mastery-tier.ts'

/** The exam authority's word on one question; `lockedUntil` is ISO 8601. Seed 004 PF-3.4. */
export interface ExamStatus {
  readonly status: 'available' | 'locked' | 'passed'
  readonly lockedUntil?: string | undefined
}

/** Sparse: a question the authority did not answer for is not available. */
export type ExamStatusById = Readonly<Record<string, ExamStatus>>

/** An exam question as retrieval and the model know it: metadata, no text, no key. */
export interface ExamCandidate {
  readonly questionId: string
  readonly unitIds: readonly string[]
  readonly difficultyTier: ExamTier
  readonly tags: readonly string[]
}

export interface ExamAvailability {
  readonly availability: 'available' | 'locked' | 'none'
  /** The questions that can be attempted now, in the order of preference. */
  readonly candidateIds: readonly string[]
  /** When the first locked question opens; only with availability `locked`. */
  readonly nextEligibleAt: string | null
}

export const NO_EXAM: ExamAvailability = {
  availability: 'none',
  candidateIds: [],
  nextEligibleAt: null,
}

/** The authority's word on a question, undefined if it gave none. */
export function examStatusOf(statuses: ExamStatusById, questionId: string): ExamStatus | undefined {
  return Object.hasOwn(statuses, questionId) ? statuses[questionId] : undefined
}

/**
 * Whether one of a tier's candidates can be attempted now: `available` if some can, `locked` if
 * none can but some are locked, else `none`. Questions to revisit come after the others: a revisit
 * prefers another question of the tier. Seed 004 PF-3.4 and PF-5.3.
 */
export function computeExamAvailabilityForTier(args: {
  readonly candidateQuestionIds: readonly string[]
  readonly examStatusById: ExamStatusById
  readonly revisitQueue: Readonly<Record<string, unknown>>
}): ExamAvailability {
  const { candidateQuestionIds, examStatusById, revisitQueue } = args
  const withStatus = (status: ExamStatus['status']) =>
    candidateQuestionIds.filter((id) => examStatusOf(examStatusById, id)?.status === status)

  const available = withStatus('available')
  if (available.length > 0) {
    const isRevisit = (id: string) => Object.hasOwn(revisitQueue, id)
    const candidateIds = [
      ...available.filter((id) => !isRevisit(id)),
      ...available.filter((id) => isRevisit(id)),
    ]
    return { availability: 'available', candidateIds, nextEligibleAt: null }
  }
  const locked = withStatus('locked')
  if (locked.length === 0) return NO_EXAM
  const [first] = lockedInOrder(locked, examStatusById)
  const nextEligibleAt = first?.lockedUntil ?? null
  return { availability: 'locked', candidateIds: [], nextEligibleAt }
}

/** The questions whose lock has a readable end, the one that opens first at the front. */
export function lockedInOrder(
  questionIds: readonly string[],
  statuses: ExamStatusById,
): { questionId: string; lockedUntil: string }[] {
  return questionIds
    .flatMap((questionId) => {
      const { status, lockedUntil } = examStatusOf(statuses, questionId) ?? {}
      const ends = status === 'locked' && lockedUntil !== undefined
      return ends && !Number.isNaN(Date.parse(lockedUntil)) ? [{ questionId, lockedUntil }] : []
    })
    .sort((a, b) => Date.parse(a.lockedUntil) - Date.parse(b.lockedUntil))
}
