import type { SideResponse } from '../arc/side-responses.ts'
import type { Language } from '../language/languages.ts'
import type { GradeBrief, OpenDrill, RecentMessage, TurnBrief } from './brief.ts'
import type { TaughtCourse } from './course.ts'
import type { CodeGrade, SealedDrill } from './drills/drill-grade.ts'
import type { ExamAvailability, ExamCandidate, ExamStatusById } from './exams/exam-availability.ts'
import type { ExamLocks } from './exams/locks.ts'
import type { FallbackMaterial } from './policy/fallback-action.ts'
import type { PolicyRule } from './policy/policy-validation.ts'
import type { TurnFocus, TutorAction, TutorPolicy } from './policy/tutor-policy.ts'
import type { DrillContent, TutorMove } from './policy/tutor-response.ts'
import type { CourseRequest } from './request.ts'
import type { Evidence } from './snapshot/evidence.ts'
import { applyEvidence } from './snapshot/evidence.ts'
import type { ExamTier } from './snapshot/mastery-tier.ts'
import { buildSnapshotLite, type SnapshotLite } from './snapshot/snapshot-lite.ts'
import { coldSnapshot, type StudentSnapshot } from './snapshot/student-snapshot.ts'
import type { AskedQuestion } from './turn/asked-question.ts'
import type { Retrieved, SupportChunk } from './turn/retrieved.ts'
import type { MappedUnit } from './units/mapped-units.ts'
import type { ScoredUnit } from './units/unit-priority.ts'

/** The version of the state's shape. */
export const COURSE_VERSION = 1

/** Where a student stands in a course. */
export interface CourseState {
  readonly snapshot: StudentSnapshot
  /** The blocker of the last turn's policy. */
  readonly blocker: string | null
  readonly locks: ExamLocks
  /** How many requests and call-backs are done. */
  readonly done: number
  /** Exam answers that the authority may have heard without its word having come back: the question by the request. */
  readonly told: Readonly<Record<string, string>>
  /** What the tutor asked last, by thread; absent in older states. */
  readonly asked?: Readonly<Record<string, AskedQuestion>>
  /** The language that the student was last seen to write here. */
  readonly language?: Language
  /** What is in hand; one thing at a time. */
  readonly work: Work | null
}

/** `at` is when it was taken up, in epoch milliseconds. */
export type Work =
  | { type: 'turn'; at: number; request: CourseRequest<'turn'>; stage: TurnStage }
  | { type: 'drill'; at: number; request: CourseRequest<'drill_grade'>; stage: DrillStage }
  | {
      type: 'exam'
      at: number
      request: CourseRequest<'exam_answer' | 'support_view'>
      stage: ExamStage
    }
  | { type: 'call_back'; at: number; stage: StatusStage }

/** A stage waits for its step: what the exam authority says about questions. */
export interface StatusStage {
  step: 'exam-status'
  questionIds: string[]
}

export type TurnStage =
  | { step: 'search' }
  | { step: 'retrieve'; aim: TurnAim }
  | (StatusStage & { aim: TurnAim; material: TurnMaterial })
  | { step: 'turn'; prepared: PreparedTurn }

export type DrillStage =
  | { step: 'open-drill' }
  | { step: 'drill-grade'; drill: SealedDrill; code: CodeGrade; brief: GradeBrief }

export type ExamStage = { step: 'offered' } | StatusStage | ({ step: 'authority' } & AuthorityCall)

/** What the exam authority is told. */
export type AuthorityCall = { questionId: string; tier: ExamTier } & (
  | { kind: 'attempt'; isCorrect: boolean }
  | { kind: 'support'; supportType: 'memo' | 'video' }
)

/** What the search over the whole course brought, and the thread so far. */
export interface Searched {
  scores: MappedUnit[]
  recentMessages: RecentMessage[]
  openDrill: OpenDrill | null
  asked: AskedQuestion | null
}

/** Where a turn goes. */
export interface TurnAim extends Omit<Searched, 'scores'> {
  mappedUnits: MappedUnit[]
  focus: TurnFocus
  scopedUnitIds: string[]
  /** Exam questions of the focus unit that are behind the student. */
  behind: string[]
}

/** What was found for a turn within its scope, and what the course holds ready for its focus unit. */
export interface TurnMaterial extends Retrieved {
  examSupportChunks: SupportChunk[]
  fallback: FallbackMaterial
}

/** A turn up to the point where the mind is asked. */
export interface PreparedTurn {
  brief: TurnBrief
  examCandidates: ExamCandidate[]
  examAvailability: ExamAvailability
  examStatusById: ExamStatusById
  candidates: ScoredUnit[]
  fallback: FallbackMaterial
}

/** A drill's answer as far as code can tell: what its token holds, and what became of it. */
export interface OpenedDrill {
  /** Null: the token is none of this server's. */
  drill: SealedDrill | null
  isGraded: boolean
  /** Null: the course no longer has the unit. */
  code: CodeGrade | null
  expectedAnswer: string
  /** Another drill of the unit, should this one have expired. */
  another: (DrillContent & { source: string }) | null
}

/** How a turn came about, for the debug drawer. Seed 004 PF-7.2. */
export interface TurnLog {
  turnId: string
  policy: TutorPolicy
  candidates: ScoredUnit[]
  snapshotLite: SnapshotLite
  validation: { passed: boolean; violations: Violation[] }
  fallback: boolean
  examAvailability: ExamAvailability
  prompt: string | null
  rawAnswer: string | null
}

/** A policy rule that was broken, or why there was nothing to judge by the policy. */
export interface Violation {
  rule: PolicyRule | 'malformed' | 'late' | 'failed'
  detail: string
}

/** What a message shows beside its text; the key of a drill is sealed before it is shown. */
export interface ShownMove {
  move: TutorMove
  /** The drill's own id, by which it is graded once. */
  drillId: string
  drillSource: string | null
  examStatusById: ExamStatusById
}

/** A message to be written; `turnId` is null for what belongs to no turn. */
export interface NewMessage {
  id: string
  threadId: string
  role: 'user' | 'assistant'
  text: string
  latex: string | null
  turnId: string | null
  shown: ShownMove | null
}

export type CourseEffect =
  | { type: 'message'; message: NewMessage }
  | { type: 'evidence'; requestId: string; evidence: Evidence }
  | { type: 'drill-graded'; requestId: string; drillId: string }
  /** What an open arc of the course counts for the unit's concept. */
  | ({ type: 'side-response'; requestId: string } & SideResponse)
  | {
      type: 'turn'
      threadId: string
      action: TutorAction
      mapped: readonly MappedUnit[]
      log: TurnLog
    }
  /** A message in every thread in which the question was put. */
  | { type: 'invitation'; questionId: string; unitId: string | null; text: string }
  /**
   * The answer of a request: an HTTP status and what goes with it, a problem's detail from 400 on. `shows`: the messages
   * of this decision go with it, as a turn's or as one with a fresh drill.
   */
  | {
      type: 'answer'
      requestId: string
      status: number
      body: Record<string, unknown>
      shows?: 'turn' | 'fresh-drill'
      /** The authority may have heard the exam answer. */
      told?: boolean
    }

/** All that a decision reads. */
export interface LoadedCourse {
  readonly id: string
  readonly learnerId: string
  readonly courseId: string
  readonly course: TaughtCourse
  /** The length of a learner's day, in milliseconds. */
  readonly dayMs: number
  /** Units that a learning arc of the student's has brought to reviews, or to mastery: nothing is missing there. */
  readonly knownUnitIds: readonly string[]
  /** As tags: what the student has set in an arc of the course, and what they speak there or by their settings. */
  readonly language?: { set: string | null; spoken: string | null }
  readonly state: CourseState
}

export interface Decision {
  loaded: LoadedCourse
  effects: CourseEffect[]
}

/** A course that nothing has been asked in yet, at `now` (UTC ms). */
export function coldCourse(
  learnerId: string,
  courseId: string,
  entryUnitId: string,
  now: number,
): CourseState {
  const snapshot = coldSnapshot(learnerId, courseId, entryUnitId, now)
  return { snapshot, blocker: null, locks: {}, done: 0, told: {}, work: null }
}

/** The same with something else, or another stage of it, in hand. */
export function takeInHand(loaded: LoadedCourse, work: Work): Decision {
  return { loaded: { ...loaded, state: { ...loaded.state, work } }, effects: [] }
}

/** What a piece of work changes: at most one entry of evidence, from which the snapshot follows. */
export interface Change {
  evidence?: Evidence | null
  blocker?: string | null
  locks?: ExamLocks
  told?: Readonly<Record<string, string>>
  asked?: Readonly<Record<string, AskedQuestion>>
  language?: Language
}

/** The state with nothing in hand any more. */
export function done(loaded: LoadedCourse, change: Change = {}): LoadedCourse {
  const { state } = loaded
  const { evidence, ...rest } = change
  const snapshot = evidence ? applyEvidence(state.snapshot, evidence) : state.snapshot
  return {
    ...loaded,
    state: { ...state, ...rest, snapshot, done: state.done + 1, work: null },
  }
}

/** Ends a request that changes nothing: it is refused. */
export function refused(
  loaded: LoadedCourse,
  requestId: string,
  status: number,
  detail: string,
  more: { change?: Change; extra?: object; told?: boolean } = {},
): Decision {
  const { change, extra, told = false } = more
  const body = { detail, ...extra }
  return {
    loaded: done(loaded, change),
    effects: [{ type: 'answer', requestId, status, body, told }],
  }
}

/** The summary for the screen. */
export function liteOf(
  { course: { units }, state: { snapshot, blocker } }: LoadedCourse,
  examStatusById: ExamStatusById,
): SnapshotLite {
  return buildSnapshotLite({ snapshot, units, prereqBlockingUnitId: blocker, examStatusById })
}
