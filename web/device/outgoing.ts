import type { MessageAction } from '../../src/contracts/arc.ts'

/** A message of the learner that no server has taken yet. */
export interface WaitingMessage {
  messageId: string
  arcId: string
  text: string
  questionId?: string
  action?: MessageAction
  nodeId?: string
  /** When it was typed, UTC ms. */
  typedAt: number
  /** Why a server would not take it, in the server's words; it is not sent again by itself. */
  refusal?: string
}

/** A message of the learner on its way, as it is shown until the server tells it back. */
export interface Outgoing extends WaitingMessage {
  /** `waiting`: sent as soon as it can be. `sent`: the server has it. `refused`: the server would not take it. */
  state: 'waiting' | 'sent' | 'refused'
  /** Whether it outlives this window. */
  isKept: boolean
  /** Why it could not be sent at the last try; it is tried again. */
  trouble?: string
}
