import type { ClientEvent } from '../../contracts/course-tutor.ts'
import type { ContentChunk, SupportChunk, UnitAnchor } from '../../contracts/retrieved.ts'
import type { ExamCandidate } from '../../domain/course/exam-availability.ts'
import type { MappedUnit } from '../../domain/course/mapped-units.ts'
import type { SnapshotLiteForLlm } from '../../domain/course/snapshot-lite.ts'
import type { TutorAction, TutorPolicy } from '../../domain/course/tutor-policy.ts'

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
  courseId: string
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

/** What a mind said, not yet judged: the answer as text, the prompt it was given, and what it cost. */
export interface MindAnswer {
  raw: string
  prompt: string | null
  model: string
  inputTokens: number
  outputTokens: number
  /** Where a drill comes from, `template#seed` or a bank question's id; null for one that was made up. */
  drillSource: string | null
}

/** Why there is no answer: it came too late, was cut off or declined, or the call failed. */
export type MindFailureKind = 'late' | 'malformed' | 'failed'

export class MindFailure extends Error {
  readonly kind: MindFailureKind
  readonly prompt: string | null

  constructor(kind: MindFailureKind, message: string, prompt: string | null = null) {
    super(message)
    this.kind = kind
    this.prompt = prompt
  }
}

/**
 * The mind of the course tutor: `anthropic` asks a model, `offline` goes by the course pack. It is asked once; what it
 * says is checked by the policy and replaced where it breaks it.
 *
 * Both calls reject with a `MindFailure`.
 */
export interface CourseMind {
  readonly name: 'anthropic' | 'offline'
  turn(brief: TurnBrief): Promise<MindAnswer>
  gradeDrill(brief: GradeBrief): Promise<MindAnswer>
}
