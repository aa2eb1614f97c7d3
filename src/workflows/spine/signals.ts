import {
  CancellationScope,
  defineSignal,
  isCancellation,
  type SignalDefinition,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import { WAKE_SIGNAL } from '../../contracts/temporal.ts'
import type { Control } from '../../domain/spine/decision.ts'

export const wake = defineSignal(WAKE_SIGNAL)

/** A signal that an operator may send from the Temporal UI: its content is put into the inbox. */
export interface ControlSignal {
  signal: SignalDefinition<[payload?: unknown]>
  type: string
  urgent?: boolean
  description: string
}

/**
 * What has been signalled and not yet looked at. Handlers only take note. An input that is stored already sends a signal
 * without content: it wakes, and a thousand of them wake once. A control that comes with its content is kept, under an
 * id that names this run and its place in it, until the store has it.
 */
export class Signals {
  #woken = false
  #controls: Control[] = []
  #count = 0

  /** @param cancel the control that a cancellation stands for; null: it changes nothing */
  constructor(
    wakes: readonly SignalDefinition<[payload?: never]>[],
    controls: readonly ControlSignal[],
    cancel: { type: string; payload: Record<string, unknown> } | null,
  ) {
    for (const signal of [wake, ...wakes]) {
      setHandler(
        signal,
        () => {
          this.#woken = true
        },
        { description: 'Something is in the inbox' },
      )
    }
    for (const { signal, type, urgent = false, description } of controls) {
      setHandler(signal, (payload) => this.#keep(type, payload, urgent), { description })
    }
    const { cancelRequested } = CancellationScope.current()
    cancelRequested.catch((error) => {
      if (isCancellation(error) && cancel) this.#keep(cancel.type, cancel.payload, true)
    })
  }

  /** Whether something has been signalled since it was last taken note of. */
  get waiting(): boolean {
    return this.#woken || this.#controls.length > 0
  }

  /** Whether a control is kept that the store does not have yet. */
  get holding(): boolean {
    return this.#controls.length > 0
  }

  /** The controls to hand to the store; what comes from now on wakes again. */
  take(): Control[] {
    this.#woken = false
    return [...this.#controls]
  }

  /** The store has them. */
  stored(controls: readonly Control[]): void {
    this.#controls = this.#controls.filter((kept) => !controls.includes(kept))
  }

  #keep(type: string, payload: unknown, urgent: boolean): void {
    this.#count += 1
    const id = `${workflowInfo().runId}/${this.#count}`
    const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
    this.#controls.push({
      id,
      type,
      payload: isObject ? (payload as Record<string, unknown>) : {},
      urgent,
    })
  }
}
