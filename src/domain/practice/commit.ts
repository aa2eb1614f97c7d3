import type { PracticeState } from './session.ts'
import type { Turn } from './turn.ts'

/** A session as its workflow begins it. */
export interface LoadedPractice {
  sessionId: string
  /** The arc whose concept is practised. */
  arcId: string | null
  tutor: 'anthropic' | 'offline'
  generation: number
  delivery: 'none' | 'pending' | 'delivered' | 'given_up'
  /** Since when delivery has been tried (UTC ms). */
  deliverySince: number | null
  state: PracticeState
}

/** A turn with where its texts are found: what judged it, and the model's reply; null where code did it. */
export interface TakenTurn {
  turn: Turn
  judgedBy: 'code' | 'model' | 'nobody'
  replyStep: string | null
}

/**
 * One write of a session, in one transaction. `generation` is the number it will have; a repeat of the same `key` is
 * answered as done, anything older is refused.
 */
export interface PracticeCommit {
  sessionId: string
  generation: number
  key: string
  at: number
  state: PracticeState
  /** Late verdicts first, then the turn of the message. */
  turns: TakenTurn[]
  /** The message that this write answers. */
  messageId: string | null
  /** Whether the message brought a new problem, which now is the last one. */
  appends: boolean
}
