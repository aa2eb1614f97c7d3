import type { Mode, PracticeState } from './session.ts'
import type { Turn } from './turn.ts'

/** How a message is to be read: where the session stands when it is taken up. */
export interface MessageView {
  sessionId: string
  messageId: string
  mode: Mode
  invited: boolean
  problemIndex: number
  /** Whether a smaller question is open. */
  asked: boolean
}

/** A message to be read by a model, with the turns it remembers. */
export interface MessageStep {
  view: MessageView
  memory: PracticeState['memory']
}

/** A turn whose reply is to be worded. */
export interface ReplyStep extends MessageStep {
  turn: Turn
  /** The problem in hand after the turn; its answer is not earned yet. */
  nextIndex: number
}
