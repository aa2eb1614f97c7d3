import { ARC_VERSION, type ArcState, newState } from './state.ts'

/** A state of the first version, in which a migration has put the questions to come where their steps were named. */
interface ArcStateV1 extends Omit<ArcState, 'v' | 'openTurn' | 'blocked' | 'question'> {
  v: 1
  openTurn: { messageId: string | null } | null
  blocked: { reason: string; since: number; retryAt: number } | null
  question: (NonNullable<ArcState['question']> & { hints: number }) | null
}

/**
 * The state as this version of the rules reads it. What the first version was in the middle of is begun again from where
 * the state says it stood: a turn that was open had written all it had done.
 */
export function upgradeArc(stored: unknown): ArcState {
  const { v } = stored as { v: number }
  if (v === ARC_VERSION) return stored as ArcState
  if (v !== 1) throw new Error(`an arc's state of version ${v} is not known`)
  const { openTurn: _, blocked, question, lesson, lastGrade: __, ...kept } = stored as ArcStateV1
  return {
    ...newState(kept.startedAt),
    ...kept,
    v: ARC_VERSION,
    asking: [],
    openTurn: null,
    // The second version counts the ids it makes; the first one drew them.
    ids: 0,
    blocked: blocked && { ...blocked, waits: true, tries: 1, heard: 0 },
    question: question && {
      id: question.id,
      kind: question.kind,
      nodeId: question.nodeId,
      label: question.label,
      tries: question.tries,
      hintsGiven: question.hints,
    },
    lesson,
    // What it knew of the last grade is not enough to check it again.
    lastGrade: null,
    speaker: null,
  }
}
