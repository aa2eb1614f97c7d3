import { setHandler } from '@temporalio/workflow'
import type {
  AbandonSignal,
  ModelProgressSignal,
  PracticeOutcomeSignal,
  ReplanSignal,
  UserMessageSignal,
} from '../../contracts/temporal.ts'
import {
  abandon,
  modelProgress,
  pause,
  practiceOutcome,
  regenerate,
  replan,
  resume,
  reviewNow,
  stop,
  userMessage,
} from './messages.ts'

/** Something the arc is asked to do, taken up one at a time at a message boundary. */
export type Request =
  | { type: 'message'; message: UserMessageSignal }
  | { type: 'replan'; replan: ReplanSignal }
  | { type: 'regenerate'; messageId: string }
  | { type: 'practice-outcome'; sessionId: string }
  | { type: 'review-now' }
  | { type: 'pause' }
  | { type: 'resume' }

/** What has been signalled and not yet taken up. Handlers only record; the main loop acts. */
export class Inbox {
  readonly #requests: Request[] = []
  /** Set once; the arc closes at once, also in the middle of a model step. */
  abandoned: AbandonSignal | null = null
  /** How many times a running step has said that tokens are coming. */
  progress = 0
  /** Told at once while a model step runs: that the arc is abandoned, or which turn the learner stops. */
  interrupt: { onAbandon: () => void; onStop: (turnId: string) => void } | null = null

  constructor() {
    setHandler(
      userMessage,
      (message) => {
        if (message?.messageId) this.#put({ type: 'message', message })
      },
      {
        description: 'A learner’s message; its text is in the store',
      },
    )
    setHandler(replan, (signal) => this.#put({ type: 'replan', replan: signal ?? {} }), {
      description: 'Look at the plan again',
    })
    setHandler(reviewNow, () => this.#put({ type: 'review-now' }), {
      description: 'Open the reviews that are due',
    })
    setHandler(pause, () => this.#put({ type: 'pause' }), {
      description: 'Keep the place and stay quiet',
    })
    setHandler(resume, () => this.#put({ type: 'resume' }), { description: 'Go on after a pause' })
    setHandler(
      regenerate,
      (signal) => {
        if (signal?.messageId) this.#put({ type: 'regenerate', messageId: signal.messageId })
      },
      {
        description: 'Write a message again',
      },
    )
    setHandler(
      practiceOutcome,
      (signal: PracticeOutcomeSignal) => {
        if (signal?.sessionId) {
          this.#put({ type: 'practice-outcome', sessionId: signal.sessionId })
        }
      },
      { description: 'A practice session on a concept is completed' },
    )
    setHandler(stop, (signal) => this.interrupt?.onStop(signal?.turnId), {
      description: 'End what is being streamed; the part shown is in the store',
    })
    setHandler(
      abandon,
      (signal) => {
        this.abandoned ??= { reason: signal?.reason ?? '' }
        this.interrupt?.onAbandon()
      },
      { description: 'Close the arc for good' },
    )
    setHandler(
      modelProgress,
      (_: ModelProgressSignal) => {
        this.progress += 1
      },
      { description: 'Tokens of a model step are coming in' },
    )
  }

  get size(): number {
    return this.#requests.length
  }

  /** Whether something wants the arc's attention. */
  get isWanted(): boolean {
    return this.size > 0 || this.abandoned !== null
  }

  take(): Request | null {
    return this.#requests.shift() ?? null
  }

  /** Puts a request back in front: its turn has to be done again. */
  putBack(request: Request): void {
    this.#requests.unshift(request)
  }

  #put(request: Request): void {
    this.#requests.push(request)
  }
}
