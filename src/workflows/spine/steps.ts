import { ActivityFailure, CancellationScope, TimeoutFailure } from '@temporalio/workflow'
import type { FailedStep, Standing, WantedStep } from '../../domain/spine/decision.ts'

/**
 * The steps that run: always those that the entity wants. An answer is in the store, and decided upon, before its
 * activity returns; what it returns is where the entity stands then.
 */
export class Steps {
  readonly #run: (step: WantedStep, again: boolean) => Promise<Standing>
  readonly #adopt: (standing: Standing) => void
  readonly #running = new Map<string, CancellationScope>()
  /** Steps that found no free place before: they go first. */
  readonly #again = new Set<string>()
  #failed: FailedStep[] = []
  #ended = false

  constructor(
    run: (step: WantedStep, again: boolean) => Promise<Standing>,
    adopt: (standing: Standing) => void,
  ) {
    this.#run = run
    this.#adopt = adopt
  }

  get idle(): boolean {
    return this.#running.size === 0
  }

  /** Whether one has ended since `keep` was called last. */
  get ended(): boolean {
    return this.#ended
  }

  /** Steps that ended without an answer; each is told once. */
  failures(): FailedStep[] {
    return this.#failed.splice(0)
  }

  get failing(): boolean {
    return this.#failed.length > 0
  }

  /** Starts what is wanted and does not run, cancels what runs and is not wanted any more. */
  keep(wanted: readonly WantedStep[]): void {
    this.#ended = false
    for (const [key, scope] of this.#running) {
      if (!wanted.some((step) => step.key === key)) scope.cancel()
    }
    for (const step of wanted) if (!this.#running.has(step.key)) this.#start(step)
  }

  #start(step: WantedStep): void {
    const { key } = step
    const scope = new CancellationScope()
    this.#running.set(key, scope)
    const ended = () => {
      this.#running.delete(key)
      this.#ended = true
    }
    scope
      .run(() => this.#run(step, this.#again.has(key)))
      .then(
        (standing) => {
          ended()
          this.#again.delete(key)
          this.#adopt(standing)
          // Whoever still wants what has just ended would ask for ever.
          if (standing.think.some((wanted) => wanted.key === key)) this.#fail(key, false)
        },
        (error) => {
          ended()
          if (scope.consideredCancelled) return
          const slow = isWaitingForPlace(error)
          if (slow) this.#again.add(key)
          this.#fail(key, slow)
        },
      )
  }

  #fail(key: string, slow: boolean): void {
    this.#failed.push({ key, slow })
  }
}

/** Nobody took it up in time: every place was taken. */
function isWaitingForPlace(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START'
}
