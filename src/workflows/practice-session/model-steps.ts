import { CancellationScope, condition } from '@temporalio/workflow'
import type { MessageView, ReplyStep } from '../../domain/practice/message-view.ts'
import type { PracticeState } from '../../domain/practice/session.ts'
import { stepKey } from '../../domain/practice/step-key.ts'
import type { Classification } from '../../domain/practice/turn.ts'
import { judge, speaker } from './proxies.ts'

/** A student waits this long for a verdict; then the answer stays unjudged until it is there. */
const JUDGE_MS = 8_000
/** The whole turn takes no longer than this; what is left after the verdict is the reply's. */
const TURN_MS = 9_000
const MIN_REPLY_MS = 1_000
const MAX_REPLY_MS = 6_000

/** Asks the model for what code cannot do, for as long as a student can wait. */
export class ModelSteps {
  readonly #scope = new CancellationScope({ cancellable: true })
  readonly #running = new Set<string>()

  /** The verdict, or null where none has come in time; it goes on being waited for, and is kept in the store. */
  async classify(
    view: MessageView,
    memory: PracticeState['memory'],
  ): Promise<Classification | null> {
    let verdict: Classification | null = null
    let ended = false
    this.#listen(view, memory).then(
      (classification) => {
        verdict = classification
        ended = true
      },
      () => {
        ended = true
      },
    )
    await condition(() => ended, JUDGE_MS, { summary: 'patience with the judge' })
    return verdict
  }

  /** Goes on waiting for a verdict that an earlier run waited for. */
  resume(view: MessageView, memory: PracticeState['memory']): void {
    if (!this.#running.has(view.messageId)) this.#listen(view, memory).catch(() => {})
  }

  /** The key of the reply, and whether it asks a smaller question; null where a canned one has to do. */
  async reply(step: ReplyStep, turnBegan: number): Promise<{ key: string; asks: boolean } | null> {
    const left = TURN_MS - (Date.now() - turnBegan)
    const timeout = Math.min(MAX_REPLY_MS, Math.max(MIN_REPLY_MS, left))
    const options = { scheduleToCloseTimeout: timeout, summary: `reply: ${step.turn.category}` }
    const { sessionId, messageId } = step.view
    try {
      const { asksSmaller } = await speaker.replyPractice.executeWithOptions(options, [step])
      return { key: stepKey(sessionId, messageId, 'reply'), asks: asksSmaller }
    } catch {
      return null
    }
  }

  /** Nobody wants the verdicts any more that are still waited for. */
  stop(): void {
    this.#scope.cancel()
  }

  async #listen(view: MessageView, memory: PracticeState['memory']): Promise<Classification> {
    this.#running.add(view.messageId)
    try {
      return await this.#scope.run(() =>
        judge.judgePractice.executeWithOptions({ summary: 'verdict' }, [{ view, memory }]),
      )
    } finally {
      this.#running.delete(view.messageId)
    }
  }
}
