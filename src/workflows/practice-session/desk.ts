import { condition, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow'
import {
  type DeliverAgain,
  PRACTICE_MESSAGE,
  type TurnOutcome,
  type TurnUpdate,
} from '../../contracts/practice-messages.ts'

export const turn = defineUpdate<TurnOutcome, [TurnUpdate]>(PRACTICE_MESSAGE.turn)
export const complete = defineUpdate<void, [Record<string, never>]>(PRACTICE_MESSAGE.complete)
export const deliverAgain = defineSignal<[DeliverAgain]>(PRACTICE_MESSAGE.deliverAgain)

/** Something the session is asked to do, taken up one at a time. */
export interface Request {
  type: 'turn' | 'complete'
  messageId: string | null
  outcome: TurnOutcome | null
}

/** What has been asked and not yet taken up. Handlers only record and wait; the main loop acts. */
export class Desk {
  readonly #requests: Request[] = []
  /** Set once the session is over: what still comes is told so. */
  closed = false
  /** When the report was last asked to be sent again, in epoch milliseconds; 0: never. */
  resendSince = 0

  constructor() {
    setHandler(turn, ({ messageId }) => this.#ask('turn', messageId), {
      description: 'A student’s message; its text is in the store',
    })
    setHandler(
      complete,
      async () => {
        await this.#ask('complete', null)
      },
      { description: 'End the session and report' },
    )
    setHandler(
      deliverAgain,
      ({ since }) => {
        this.resendSince = Math.max(this.resendSince, since)
      },
      { description: 'Send the report to the LMS once more' },
    )
  }

  get size(): number {
    return this.#requests.length
  }

  take(): Request | null {
    return this.#requests.shift() ?? null
  }

  /** Puts a request back in front: its turn has to be done again. */
  putBack(request: Request): void {
    this.#requests.unshift(request)
  }

  /** Nothing more is taken up. */
  close(): void {
    this.closed = true
    for (const request of this.#requests.splice(0)) request.outcome = 'closed'
  }

  async #ask(type: Request['type'], messageId: string | null): Promise<TurnOutcome> {
    if (this.closed) return 'closed'
    const request: Request = { type, messageId, outcome: null }
    this.#requests.push(request)
    await condition(() => request.outcome !== null)
    return request.outcome ?? 'closed'
  }
}
