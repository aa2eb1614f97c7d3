import { ARC_VERSION, type ArcState, type Lesson, newState, type OpenQuestion } from './state.ts'

/** A state of the first version, in which a migration has put the questions to come where their steps were named. */
interface ArcStateV1 extends Omit<ArcStateV2, 'v' | 'openTurn' | 'blocked' | 'question'> {
  v: 1
  openTurn: { messageId: string | null } | null
  blocked: { reason: string; since: number; retryAt: number } | null
  question: (OpenQuestionV2 & { hints: number }) | null
}

type OpenQuestionV2 = Pick<OpenQuestion, 'id' | 'kind' | 'nodeId' | 'label' | 'hintsGiven'> & {
  tries: number
}

interface ArcStateV2
  extends Omit<ArcState, 'v' | 'question' | 'lesson' | 'sitting' | 'lastGrade' | 'asking'> {
  v: 2
  question: OpenQuestionV2 | null
  lesson: Omit<Lesson, 'easier' | 'quizFirst' | 'mixed'> | null
  quizzed: number
  asking: ArcState['asking']
}

/**
 * The state as this version of the rules reads it. What the first version was in the middle of is begun again from where
 * the state says it stood: a turn that was open had written all it had done.
 */
export function upgradeArc(stored: unknown): ArcState {
  const { v } = stored as { v: number }
  switch (v) {
    case ARC_VERSION:
      return stored as ArcState
    case 2:
      return fromSecond(stored as ArcStateV2)
    case 1:
      return fromSecond(fromFirst(stored as ArcStateV1))
    default:
      throw new Error(`an arc's state of version ${v} is not known`)
  }
}

/** The third version knows second tries, sittings and placement. */
function fromSecond({ question, lesson, quizzed, ...kept }: ArcStateV2): ArcState {
  const fresh = newState(kept.startedAt)
  return {
    ...fresh,
    ...kept,
    v: ARC_VERSION,
    question: question && {
      id: question.id,
      kind: question.kind,
      purpose: 'plain',
      nodeId: question.nodeId,
      label: question.label,
      attempt: question.tries > 0 ? 2 : 1,
      hintsGiven: question.hintsGiven,
      unread: 0,
      first: null,
    },
    lesson: lesson && { ...lesson, easier: null, quizFirst: null, mixed: false },
    sitting: { ...fresh.sitting, quizzed },
    // What was known of the last grade is not enough to check it again.
    lastGrade: null,
  }
}

function fromFirst(stored: ArcStateV1): ArcStateV2 {
  const { openTurn: _, blocked, question, ...kept } = stored
  return {
    ...kept,
    v: 2,
    asking: [],
    openTurn: null,
    // The second version counts the ids it makes; the first one drew them.
    ids: 0,
    blocked: blocked && { ...blocked, waits: true, tries: 1, heard: 0 },
    question: question && { ...question, hintsGiven: question.hints },
    speaker: null,
  }
}
