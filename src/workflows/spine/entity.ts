import { defineSearchAttributeKey } from '@temporalio/common'
import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { AdvanceActivities, ThinkActivities } from '../../contracts/spine.ts'
import { LLM_TASK_QUEUE, SEARCH_ATTRIBUTES, TASK_QUEUE } from '../../contracts/temporal.ts'
import type { Standing, View, WantedStep } from '../../domain/spine/decision.ts'
import { Alarm } from './alarm.ts'
import type { Signals } from './signals.ts'
import { Steps } from './steps.ts'

/** After so long without an input a run that has had one is continued as new, and sleeps to its date in that run. */
const QUIET_MS = 60 * 60_000
/** A run that grows beyond this is continued as new as soon as no step runs. */
const MAX_EVENTS = 2_000
/** A step that nobody takes up in this time is told as slow, and then goes first. */
const NO_PLACE_MS = 8_000

/**
 * A short transaction, repeated without effect if it was written before. The store may be away for long: after a second
 * the retries are timers, which hold no slot, so that signals and queries are heard at once.
 */
const { advance } = proxyLocalActivities<AdvanceActivities>({
  startToCloseTimeout: '10s',
  localRetryThreshold: '1s',
  retry: { initialInterval: '200ms', backoffCoefficient: 4, maximumInterval: '30s' },
})

/** What is known of an entity when its workflow begins: where it stood at the end of the run before, if there was one. */
export interface EntityInput {
  id: string
  shown?: Standing | null
}

/**
 * An entity in the hands of its workflow, which keeps time, hears signals, and looks after what is slow. All else is in
 * the store: where it stands is told by whoever has decided last.
 */
export class Entity {
  readonly id: string
  readonly #product: string
  readonly #signals: Signals
  readonly #steps: Steps
  readonly #alarm = new Alarm()
  #standing: Standing | null
  #view: View | null
  #lastInputAt: number | null = null

  constructor(product: string, { id, shown = null }: EntityInput, signals: Signals) {
    this.id = id
    this.#product = product
    this.#signals = signals
    this.#standing = shown
    this.#view = shown?.view ?? null
    this.#steps = new Steps(
      (step, again) => this.#think(step, again),
      (standing) => this.#adopt(standing),
    )
  }

  get phase(): string {
    return this.#view?.phase ?? ''
  }

  /** The answer of the product's query. */
  get query(): unknown {
    return this.#view?.query ?? null
  }

  /** Whether nothing will come any more. */
  get isOver(): boolean {
    const { over = false, more = false, think = [] } = this.#standing ?? {}
    return over && !more && think.length === 0 && !this.#signals.waiting && this.#steps.idle
  }

  /** Where it stands, for the next run. */
  get shown(): Standing | null {
    return this.#standing && { ...this.#standing, view: this.#view }
  }

  /** Whether it is time to continue as new: it has been quiet for an hour, or the run has grown long. */
  get isQuiet(): boolean {
    const hears = this.#signals.waiting || this.#signals.holding || this.#steps.failing
    if (this.isOver || hears || !this.#steps.idle) return false
    const { historyLength, continueAsNewSuggested } = workflowInfo()
    if (historyLength > MAX_EVENTS || continueAsNewSuggested) return true
    return this.#lastInputAt !== null && Date.now() - this.#lastInputAt >= QUIET_MS
  }

  /** Has the store take up what waits, or what time or a failed step have brought, and hears where that leads. */
  async advance(): Promise<void> {
    if (this.isOver) return
    const woken = this.#signals.waiting
    const controls = this.#signals.take()
    const failed = this.#steps.failures()
    if (woken) this.#lastInputAt = Date.now()
    const summary = [this.phase, woken ? 'woken' : failed.length > 0 ? 'a step failed' : 'its time']
    const standing = await advance.executeWithOptions(
      { summary: summary.filter(Boolean).join(', ') },
      [{ product: this.#product, id: this.id, at: Date.now(), controls, failed }],
    )
    this.#signals.stored(controls)
    this.#adopt(standing)
  }

  /**
   * Shows it to the operator and runs what it wants, until there is something for `advance` to do, or until it is over
   * or quiet.
   */
  async wait(summary: string): Promise<void> {
    for (;;) {
      this.#steps.keep(this.#standing?.think ?? [])
      this.#show()
      if (this.#calls || this.isOver || this.isQuiet) return
      const { wakeAt = null } = this.#standing ?? {}
      // Where a step runs it is not quiet, however long ago the last input was.
      const { idle } = this.#steps
      const quietAt = this.#lastInputAt !== null && idle ? this.#lastInputAt + QUIET_MS : null
      const dates = [wakeAt, quietAt].filter((date) => date !== null)
      this.#alarm.set(dates.length > 0 ? Math.min(...dates) : null, summary)
      await condition(() => this.#calls || this.#steps.ended || this.#alarm.rang)
    }
  }

  /** Whether there is something for `advance` to do now. */
  get #calls(): boolean {
    const { wakeAt = null, more = false } = this.#standing ?? {}
    if (this.#signals.waiting || this.#steps.failing || more) return true
    return wakeAt !== null && wakeAt <= Date.now()
  }

  /** Standings may arrive out of order; an older one is forgotten. */
  #adopt(standing: Standing): void {
    if (this.#standing && standing.generation < this.#standing.generation) return
    this.#standing = standing
    this.#view = standing.view ?? this.#view
  }

  #think(step: WantedStep, again: boolean): Promise<Standing> {
    const queue = step.queue === 'meno-llm' ? LLM_TASK_QUEUE : TASK_QUEUE
    const { think } = proxyActivities<ThinkActivities>({
      taskQueue: queue,
      startToCloseTimeout: step.startToCloseMs,
      heartbeatTimeout: '5s',
      ...(again ? {} : { scheduleToStartTimeout: NO_PLACE_MS }),
      priority: { priorityKey: again ? 1 : 3 },
      cancellationType: ActivityCancellationType.TRY_CANCEL,
      summary: step.label,
      retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: step.attempts },
    })
    return think({ product: this.#product, id: this.id, key: step.key })
  }

  /** Shows the operator where it has ended. */
  end(): void {
    // Runs of an earlier build ended without it.
    if (this.#changes().length === 0 || patched('shows-its-end')) this.#show()
  }

  #show(): void {
    if (!this.#view) return
    const changes = this.#changes()
    if (changes.length > 0) upsertSearchAttributes(changes as never)
    const fault = this.#standing?.fault
    const { details } = this.#view
    setCurrentDetails(
      fault ? `${details}\n\n**Held up by a fault of Meno’s own** since ${fault}` : details,
    )
  }

  /** The search attributes that say something else than they should. */
  #changes() {
    const { attributes = {} } = this.#view ?? {}
    const shown = workflowInfo().typedSearchAttributes
    return SEARCH_ATTRIBUTES.flatMap(({ name, type }) => {
      const value = attributes[name]
      if (value === undefined) return []
      const key = defineSearchAttributeKey(name, type)
      const now = shown.get(key as never) as string | number | Date | undefined
      const isSame = (now instanceof Date ? now.toISOString() : (now ?? null)) === value
      const set = type === 'DATETIME' && value !== null ? new Date(value) : value
      return isSame ? [] : [{ key, value: set }]
    })
  }
}

/** Runs a workflow that nobody can cancel: a cancellation is a control like any other. */
export const uncancelled = <T>(live: () => Promise<T>): Promise<T> =>
  CancellationScope.nonCancellable(live)
