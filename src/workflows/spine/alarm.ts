import { CancellationScope, sleep } from '@temporalio/workflow'

/**
 * One timer. It is kept when the workflow is woken, and set anew only if the date comes nearer: a turn costs no timer.
 * One that rings too early is set again by whoever looks at the date.
 */
export class Alarm {
  #at: number | null = null
  #scope: CancellationScope | null = null
  #rang = false

  /** Rings at `at` (epoch milliseconds) or earlier; null: nothing to wait for, and a timer that runs is left alone. */
  set(at: number | null, summary: string): void {
    this.#rang = false
    if (at === null || (this.#at !== null && this.#at <= at)) return
    this.#scope?.cancel()
    const scope = new CancellationScope()
    this.#scope = scope
    this.#at = at
    scope
      .run(() => sleep(Math.max(1, at - Date.now()), { summary }))
      .then(
        () => {
          if (this.#scope !== scope) return
          this.#at = null
          this.#scope = null
          this.#rang = true
        },
        () => {},
      )
  }

  get rang(): boolean {
    return this.#rang
  }
}
