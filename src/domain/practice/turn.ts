import type { Talk } from '../talk/wishes.ts'
import type { Action, Category, MasterySignal, Mode, PracticeState } from './session.ts'

/** What is said beside the problem and wants a word of its own; `leave` pauses the session. */
export type SmallTalk = Talk | 'leave' | 'know_this' | 'contest' | 'plan' | 'resume'

/** What a message is, as code or a model has found. */
export interface Classification {
  category: Category
  /** Whether it answers the main problem; only then it counts as an attempt. */
  isMainAttempt: boolean
  /** Right for the smaller question and for the problem: the smaller one gets it, and the problem is put again. */
  answersBoth?: boolean
  /** Of what is off topic. */
  talk?: SmallTalk
}

export type PracticeEvent =
  | { type: 'message'; at: number; messageId: string; classification: Classification }
  /** The verdict on an earlier message of the list `unjudged`, with the time of that message. */
  | { type: 'late'; messageId: string; classification: Classification }
  /** An implicit session gets its next problem. */
  | { type: 'append'; at: number; problemId: string }
  | { type: 'clock'; at: number }
  | { type: 'complete'; at: number }

/** What one message did. */
export interface Turn {
  number: number
  messageId: string
  mode: Mode
  category: Category
  action: Action
  isMainAttempt: boolean
  /** The problem it belongs to; null while none is open. */
  problemIndex: number | null
  /** The problem's standing after it. */
  signal: MasterySignal | null
  attempts: number
  depth: number
  /** How the solution is to be explained: asked now, still wanted, or no longer. */
  teachBack: 'opened' | 'open' | 'ended' | 'invited' | null
  /** Whether the smaller question was answered and the problem itself is to be put again. */
  putsMainAgain: boolean
  /** The number of the hint this turn may give, from 0; null where none is due. */
  hint: number | null
  skipOffered: boolean
  /** What the teacher is told, at most once a problem each. */
  alerts: ('struggling' | 'stuck')[]
  /** The problem that comes next. */
  opened: number | null
  completed: boolean
  late: boolean
  /** What was said beside the problem; absent in older turns. */
  talk?: SmallTalk | null
  /** What changed, from and to, for those who may look inside. */
  transitions: Record<string, [unknown, unknown]>
}

export interface Step {
  state: PracticeState
  /** The turn of a message; null for the other events, and for a verdict that came too late to matter. */
  turn: Turn | null
}
