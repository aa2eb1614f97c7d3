import type { Language } from '../language/languages.ts'
import type { DrillGrade } from './drills/drill-grade.ts'
import type { ExamCandidate } from './exams/exam-availability.ts'
import type { TutorAction, TutorPolicy } from './policy/tutor-policy.ts'
import type { TutorResponse } from './policy/tutor-response.ts'
import type { ClientEvent } from './request.ts'
import type { SnapshotLiteForLlm } from './snapshot/snapshot-lite.ts'
import type { AskedQuestion } from './turn/asked-question.ts'
import type { ContentChunk, SupportChunk, UnitAnchor } from './turn/retrieved.ts'
import type { MappedUnit } from './units/mapped-units.ts'

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
  /** The language of the tutor's own words. */
  spoken?: Language
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
  /** What the last words of the thread asked, where code can judge the reply. */
  asked: AskedQuestion | null
  /** Makes choices among equals repeatable. */
  seed: number
}

/** A drill to be graded where code could not decide, or decided "wrong" without knowing why. */
export interface GradeBrief {
  language: string
  prompt: string
  questionLatex: string
  expectedAnswer: string
  studentAnswer: string
  /** What code found out; never to be overruled. */
  codeVerdict: 'wrong' | 'equal' | null
  tags: { tag: string; description: string }[]
}

/** Why there is no answer: it came too late, was cut off or declined, or the call failed. */
export type MindFailureKind = 'late' | 'malformed' | 'failed'

/** What a mind said in a turn, word for word and as it reads. */
export interface TurnSaid {
  raw: string
  /** Where a drill comes from, `template#seed` or a bank question's id; null for one that was made up. */
  drillSource: string | null
  /** What it asks, where code can judge the reply. */
  asks: AskedQuestion | null
  reading: Reading<TutorResponse>
}

/** What asking a mind came to, and the prompt that a model was given. */
export type MindOutcome<T> =
  | { ok: true; prompt: string | null; said: T }
  | { ok: false; prompt: string | null; kind: MindFailureKind; detail: string }

/** A readable answer, or everything that is wrong with it, one line a fault. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: string[] }

export type TurnOutcome = MindOutcome<TurnSaid>
export type GradeOutcome = MindOutcome<DrillGrade>
