/** What every product's `decide` is told and answers; see `docs/developers/spine.md`. */

/** Why a step has no answer: it may come later, an operator has to act, or what came could not be used. */
export type StepFault = 'unavailable' | 'refused' | 'malformed'

/** An input that was stored before the entity was told: a message, or a control of its learner, an operator, a program. */
export interface StoredInput {
  type: string
  /** The sender's id for it, unique in the entity. */
  id: string
  /** Its place in the order of arrival. */
  position: number
  payload: Record<string, unknown>
  /** When it was stored, in epoch milliseconds of the database; for people, never for rules. */
  receivedAt: number
}

export type Input =
  | { type: 'input'; input: StoredInput }
  /** What a step returned; `output` is the step's own. */
  | { type: 'answer'; key: string; output: unknown }
  | {
      type: 'no-answer'
      key: string
      fault: StepFault
      reason: string
      retryAfterMs: number | null
    }
  /** A step that runs has said nothing for eight seconds, or finds no free place. */
  | { type: 'slow'; key: string }
  /** Nothing but time has passed. `waiting` is the newest input that waits to be taken up, by its place; null: none. */
  | { type: 'clock'; waiting: number | null }

/** A step that an entity waits for, as its workflow runs it. */
export interface WantedStep {
  /** Names the step for good: whoever runs it again under this key asks nobody twice. */
  key: string
  /** What the Temporal UI shows: `quiz: Fractions`. */
  label: string
  /** Model steps have a queue of their own; deliveries and other calls use the workflows'. */
  queue: 'meno' | 'meno-llm'
  /** How long one attempt may take. */
  startToCloseMs: number
  /** From which attempt on a failure that may pass is told as an input. */
  attempts: number
  /** The turn under which its text may be shown while it comes; left out: it is not shown before it is whole. */
  turnId?: string
}

/** What an operator sees, made by the store, so that a workflow derives nothing. */
export interface View {
  /** The product's word for where it stands: an arc's phase, a session's status. */
  phase: string
  /** Search attributes by name; null removes one, what is left out stays. Dates are ISO 8601. */
  attributes: Record<string, string | number | null>
  /** Markdown for the Temporal UI. */
  details: string
  /** The answer of the product's query. */
  query: unknown
}

/** Where an entity stands: all that its workflow knows of it. */
export interface Standing {
  generation: number
  think: WantedStep[]
  /** When it wants to be looked at without an input, in epoch milliseconds. */
  wakeAt: number | null
  /** Whether an input waits that may be taken up now. */
  more: boolean
  /** Nothing will come any more, but for inputs that are late. */
  over: boolean
  /** Null: as it was shown last. */
  view: View | null
  /** A fault of ours that holds it up, since when; null: none. */
  fault: string | null
}

/** A control that came from the Temporal UI, in a signal: kept by the workflow until it is in the inbox. */
export interface Control {
  id: string
  type: string
  payload: Record<string, unknown>
  urgent: boolean
}

/** A step whose activity ended without an answer of ours: it timed out, or its worker was lost each time. */
export interface FailedStep {
  key: string
  slow: boolean
}
