/** The messages of a practice session's workflow. No zod here: workflows import it. Ids are internal. */
export const PRACTICE_MESSAGE = {
  turn: 'turn',
  complete: 'complete',
  deliverAgain: 'deliverAgain',
} as const

export interface PracticeInput {
  sessionId: string
}

/** The report is to be sent once more; asked for at `since`, in epoch milliseconds. */
export interface DeliverAgain {
  since: number
}

/** A student's message; its text is already in the store. */
export interface TurnUpdate {
  messageId: string
}

/** `closed`: the session was completed before the message was read; it left no turn. */
export type TurnOutcome = 'answered' | 'closed'
