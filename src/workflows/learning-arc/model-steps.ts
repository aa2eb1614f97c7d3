import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  sleep,
} from '@temporalio/workflow'
import { STEP_FAILURE } from '../../contracts/step-failure.ts'
import type { QuestionSource } from '../../domain/arc/flow.ts'
import type { StepDigests, StepInputs, StepKind } from '../../domain/arc/model-step.ts'
import type { Arc } from './arc.ts'
import type { Inbox } from './inbox.ts'
import { model } from './proxies.ts'

/** What is already known is told after this long, while the model still writes. */
const FIRST_WORD_MS = 1_500
/** A learner waits this long without a sign of life before being told that the model is silent. */
const SILENCE_MS = 8_000
/** After the retries of a step are spent: the waits before it is tried again; the last one repeats. */
const OUTAGE_WAITS_MS = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]
/** A model that refuses us is asked again this late: an operator has to act first. */
const REFUSED_WAIT_MS = 300_000

/** The arc was abandoned while a model step was running. */
export class Abandoned extends Error {}

/** What the model returned could not be used, and there is no course to take its place. */
export class Malformed extends Error {}

/** The questions of a step, to be asked one by one. */
export function questionsOf(
  step: StepDone<'probe' | 'lesson' | 'quiz' | 'review'>,
): QuestionSource[] {
  return step.digest.questions.map(({ format }, index) => ({ step: step.key, index, format }))
}

/** A step that was run: its key, by which others find its text, and its digest. */
export interface StepDone<K extends StepKind> {
  key: string
  digest: StepDigests[K]
}

/**
 * Runs model steps. A step that is silent or fails blocks the arc and tells the learner once per
 * outage; it is tried again by itself, and at any message. The step's result is in the store
 * before it returns, so that a repeated step asks the model nothing.
 */
export class ModelSteps {
  readonly #arc: Arc
  readonly #inbox: Inbox

  constructor(arc: Arc, inbox: Inbox) {
    this.#arc = arc
    this.#inbox = inbox
  }

  /**
   * @param subject what the step is about: with the turn and the kind it names the step for good
   * @throws {Abandoned} when the arc is abandoned meanwhile
   * @throws {Malformed} when the model's answer broke its schema twice
   */
  async run<K extends StepKind>(
    kind: K,
    subject: string,
    input: StepInputs[K],
    label: string,
  ): Promise<StepDone<K>> {
    const key = this.#arc.stepKey(kind, subject)
    for (let outage = 0; ; outage += 1) {
      const outcome = await this.#attempt(kind, key, input, label)
      if ('digest' in outcome) {
        this.#arc.flow.blocked = null
        this.#arc.countStep(kind, subject)
        return { key, digest: outcome.digest }
      }
      if (outcome.failed === STEP_FAILURE.malformed) {
        this.#arc.countStep(kind, subject)
        throw new Malformed(outcome.reason)
      }
      await this.#waitOut(outcome, outage)
    }
  }

  /** The same for a step that nothing depends on: asked once, and left out if that fails. */
  async tryOnce<K extends StepKind>(
    kind: K,
    subject: string,
    input: StepInputs[K],
    label: string,
  ): Promise<StepDone<K> | null> {
    const key = this.#arc.stepKey(kind, subject)
    const step = { arcId: this.#arc.arcId, turn: this.#arc.flow.turn, key, kind, input }
    try {
      const digest = await model.runStep.executeWithOptions(
        {
          summary: `${kind}: ${label}`,
          scheduleToCloseTimeout: '10s',
          retry: { maximumAttempts: 1 },
        },
        [step],
      )
      return { key, digest: digest as StepDigests[K] }
    } catch (error) {
      if (isCancellation(error)) throw error
      return null
    }
  }

  async #attempt<K extends StepKind>(
    kind: K,
    key: string,
    input: StepInputs[K],
    label: string,
  ): Promise<{ digest: StepDigests[K] } | { failed: string; reason: string }> {
    if (this.#inbox.abandoned) throw new Abandoned()
    const scope = new CancellationScope()
    let stopped = false
    this.#inbox.interrupt = {
      onAbandon: () => scope.cancel(),
      onStop: (turnId) => {
        stopped = turnId === String(this.#arc.flow.turn)
        if (stopped) scope.cancel()
      },
    }
    const step = { arcId: this.#arc.arcId, turn: this.#arc.flow.turn, key, kind, input }
    const options = { summary: `${kind}: ${label}` }
    try {
      const running = scope.run(() => model.runStep.executeWithOptions(options, [step]))
      await this.#watch(running)
      return { digest: (await running) as StepDigests[K] }
    } catch (error) {
      if (this.#inbox.abandoned && isCancellation(error)) throw new Abandoned()
      // The part that was shown is stored as what the step returned: running it again reads that.
      if (stopped && isCancellation(error)) return this.#attempt(kind, key, input, label)
      if (isCancellation(error)) throw error
      return failureOf(error)
    } finally {
      this.#inbox.interrupt = null
    }
  }

  /** Returns when the step has ended; tells the learner if it is silent too long before that. */
  async #watch(running: Promise<unknown>): Promise<void> {
    let ended = false
    const end = () => {
      ended = true
    }
    running.then(end, end)
    const summary = 'patience with a silent model'
    let isLong = false
    const patience = new CancellationScope()
    const timer = patience.run(() => sleep(FIRST_WORD_MS, { summary }))
    timer.then(
      () => {
        isLong = true
      },
      () => {},
    )
    await condition(() => ended || isLong)
    patience.cancel()
    if (ended) return
    if (this.#arc.hasNews) await this.#arc.commit()
    for (let wait = SILENCE_MS - FIRST_WORD_MS; !ended; wait = SILENCE_MS) {
      const heard = this.#inbox.progress
      const isAlive = () => ended || this.#inbox.progress > heard
      if (await condition(isAlive, wait, { summary })) continue
      await this.#block('the model is silent', Date.now() + SILENCE_MS, ['blocked-slow'])
      await condition(isAlive)
    }
  }

  async #waitOut({ failed, reason }: { failed: string; reason: string }, outage: number) {
    const refused = failed === STEP_FAILURE.refused
    const wait = refused
      ? REFUSED_WAIT_MS
      : (OUTAGE_WAITS_MS[Math.min(outage, OUTAGE_WAITS_MS.length - 1)] ?? REFUSED_WAIT_MS)
    const told: Parameters<Arc['notify']> = refused
      ? [{ phrase: 'blocked-refused', params: { reason } }]
      : ['blocked-slow']
    await this.#block(reason, Date.now() + wait, told)
    const pending = this.#inbox.size
    await condition(() => this.#inbox.size > pending || this.#inbox.abandoned !== null, wait, {
      summary: 'until the model is tried again',
    })
    if (this.#inbox.abandoned) throw new Abandoned()
  }

  async #block(reason: string, retryAt: number, told: Parameters<Arc['notify']>): Promise<void> {
    const { flow } = this.#arc
    const isNew = flow.blocked === null
    flow.blocked = { reason, since: flow.blocked?.since ?? Date.now(), retryAt }
    if (isNew) this.#arc.notify(...told)
    this.#arc.record({ type: 'phase', phase: flow.phase, subPhase: flow.subPhase })
    await CancellationScope.nonCancellable(() => this.#arc.commit())
  }
}

function failureOf(error: unknown): { failed: string; reason: string } {
  const cause = error instanceof ActivityFailure ? error.cause : error
  if (cause instanceof ApplicationFailure) {
    return { failed: cause.type ?? STEP_FAILURE.unavailable, reason: cause.message }
  }
  return { failed: STEP_FAILURE.unavailable, reason: 'the model does not answer' }
}
