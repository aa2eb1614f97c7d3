import type { Course } from '../../../contracts/course-pack.ts'
import {
  type ClientEvent,
  LlmTutorResponse,
  type TurnDebug,
} from '../../../contracts/course-tutor.ts'
import { readTutorResponse } from '../../../contracts/course-tutor-wire.ts'
import type { ContentChunk, SupportChunk, UnitAnchor } from '../../../contracts/retrieved.ts'
import type {
  ExamAvailability,
  ExamCandidate,
} from '../../../domain/course-tutor/exam-availability.ts'
import { ENGLISH_FALLBACK, fallbackAction } from '../../../domain/course-tutor/fallback-action.ts'
import {
  keepKnownUnits,
  type MappedUnit,
  type TurnAnalysis,
} from '../../../domain/course-tutor/mapped-units.ts'
import { validateAgainstPolicy } from '../../../domain/course-tutor/policy-validation.ts'
import type { SnapshotLiteForLlm } from '../../../domain/course-tutor/snapshot-lite.ts'
import type { TutorAction, TutorPolicy } from '../../../domain/course-tutor/tutor-policy.ts'
import type { TutorMove } from '../../../domain/course-tutor/tutor-response.ts'
import type { TutorFailure } from '../../mind.ts'
import type { Step } from '../../step.ts'
import { storable } from '../../storable.ts'
import { ASKED_ONCE } from './asked-once.ts'
import { fallbackMaterial } from './course-words.ts'
import { courseTags } from './drill-grading.ts'
import { forbiddenClaims } from './forbidden-claims.ts'
import { offlineTurn } from './offline-turn.ts'
import { TURN_RULES, turnRequest } from './turn-prompt.ts'

/** What a student put into the composer; at least one is there unless a button was pressed. */
export interface StudentInput {
  messageText: string | null
  messageLatex: string | null
  voiceTranscript: string | null
}

/** A message of the thread before this turn, oldest first. */
export interface RecentMessage {
  role: 'user' | 'assistant' | 'system'
  text: string
  action: TutorAction | null
  unitId: string | null
}

/** The drill last shown in the thread, and how many hints it has had; null when there is none to go on with. */
export interface OpenDrill {
  unitId: string
  prompt: string
  questionLatex: string
  source: string | null
  hintsGiven: number
}

/** Everything a turn's mind may know: the policy, what was retrieved within its scope, and the student's words. */
export interface TurnBrief {
  language: string
  policy: TutorPolicy
  context: {
    unitAnchors: UnitAnchor[]
    unitContentChunks: ContentChunk[]
    /** Only those that can be attempted now. */
    examCandidates: ExamCandidate[]
    /** Memos of questions behind the student. */
    examSupportChunks: SupportChunk[]
    snapshotLiteForLLM: SnapshotLiteForLlm
    clientEvent: ClientEvent
    recentMessages: RecentMessage[]
  }
  mappedUnits: MappedUnit[]
  student: StudentInput
  openDrill: OpenDrill | null
  /** Makes choices among equals repeatable. */
  seed: number
}

/** A turn's brief with what its answer is checked against and replaced from. */
export interface TurnContext extends TurnBrief {
  course: Course
  /** All that were found, whether or not they can be attempted now. */
  examCandidates: ExamCandidate[]
  examAvailability: ExamAvailability
  /** Walks through the course's material, so that a fallback does not come twice in a row. */
  turnNumber: number
}

export type TurnViolation = TurnDebug['validation']['violations'][number]

/** The move of a turn as it may be shown: the mind's own, or the fallback with the reasons why. */
export interface TakenTurn {
  move: TutorMove
  analysis: TurnAnalysis | null
  fallback: boolean
  violations: TurnViolation[]
  /** Where a drill comes from, `template#seed` or a bank question's id; null for one that was made up. */
  drillSource: string | null
  /** What the mind said, word for word; null where it said nothing of use. */
  raw: string | null
}

/**
 * One move of the course tutor, asked for once: an answer that breaks the policy is replaced, not asked for again.
 * Seed 004 PF-3.6 and PF-3.7.
 */
export const turn: Step<TurnContext, TakenTurn, Omit<TakenTurn, 'move' | 'raw'>> = {
  kind: 'turn',
  tier: 'tutor',
  maxTokens: 2_000,
  ...ASKED_ONCE,
  schema: () => LlmTutorResponse,
  prompt: (context) => ({ system: TURN_RULES, request: turnRequest(context) }),
  read: (text, context) => ({ ok: true, output: judgeTurn(storable(text), null, context) }),
  digest: ({ move: _, raw: __, ...verdict }) => verdict,
  offline: (context) => {
    const { answer, drillSource } = offlineTurn(context)
    return judgeTurn(JSON.stringify(answer), drillSource, context)
  },
  fallback: (context, failure) => insteadOf(null, context, [violationOf(failure)]),
}

/** What the mind said where it holds before the policy, else the fallback; the same text may be judged by a later policy. */
export function judgeTurn(
  raw: string,
  drillSource: string | null,
  context: TurnContext,
): TakenTurn {
  const reading = readTutorResponse(raw)
  if (!reading.ok) return insteadOf(raw, context, reading.problems.map(malformed))
  const { analysis, ...move } = storable(reading.value)
  const { course, policy, examCandidates, examAvailability } = context
  const violations = [
    ...validateAgainstPolicy(move, { policy, examCandidates, examAvailability }),
    ...tooLongDrill(move, policy.constraints.maxConceptWords),
    ...forbiddenClaims(move, {
      courseTags: courseTags(course),
      examIds: examAvailability.candidateIds,
    }).map(malformed),
  ]
  if (violations.length > 0) return insteadOf(raw, context, violations)
  const known = keepKnownUnits(analysis, course)
  return { move, analysis: known, fallback: false, violations, drillSource, raw }
}

/** The move from the course's own material, for what was wrong with the mind's. */
export function insteadOf(
  raw: string | null,
  { course, policy, seed, turnNumber }: TurnContext,
  violations: TurnViolation[],
): TakenTurn {
  const unit = course.units.find(({ unitId }) => unitId === policy.focusUnitId)
  if (!unit) throw new Error(`the course has no unit ${policy.focusUnitId}`)
  const material = fallbackMaterial(unit, seed)
  const move = fallbackAction({ policy, material, templates: ENGLISH_FALLBACK, turnNumber })
  return { move, analysis: null, fallback: true, violations, drillSource: null, raw }
}

/** A failure of the mind as a reason for the fallback. */
export function violationOf({ kind, isLate, message }: TutorFailure): TurnViolation {
  const rule = isLate ? 'late' : kind === 'malformed' ? kind : 'failed'
  return { rule, detail: message }
}

const malformed = (detail: string): TurnViolation => ({ rule: 'malformed', detail })

function tooLongDrill({ action, drillCard }: TutorMove, maxWords: number): TurnViolation[] {
  if (action !== 'DRILL_CARD' || !drillCard) return []
  const words = `${drillCard.prompt} ${drillCard.questionLatex}`.match(/\S+/g)?.length ?? 0
  return words > maxWords
    ? [{ rule: 'too_many_words', detail: `${words} words in the drill card` }]
    : []
}
