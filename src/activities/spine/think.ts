import {
  ApplicationFailure,
  activityInfo,
  cancellationSignal,
  cancelled,
  heartbeat,
} from '@temporalio/activity'
import { TemporalFailure } from '@temporalio/common'
import type { ThinkRequest } from '../../contracts/spine.ts'
import type { Standing, WantedStep } from '../../domain/spine/decision.ts'
import { announceDelta } from '../../store/spine/events.ts'
import { type StepToKeep, stepInsert } from '../../store/spine/model-steps.ts'
import { Transaction } from '../../store/spine/transaction.ts'
import { storable } from '../../store/storable.ts'
import { TutorFailure } from '../../tutor/mind.ts'
import {
  type DirectInput,
  decideAll,
  GONE,
  load,
  productOf,
  readEntity,
  type SpineDependencies,
  seeEntity,
  settleFault,
  standingNow,
  write,
} from './advance.ts'
import { passes } from './faults.ts'
import type { AnyProduct, Position, StepLife } from './product.ts'
import { ProvisionalText } from './provisional-text.ts'

const HEARTBEAT_MS = 2_000
/** Without a sign of life for so long the entity hears that the step is slow. */
const SILENCE_MS = 8_000
/** How long a store that is away is waited for before it is looked for again. */
const STORE_PAUSE_MS = 1_000

/**
 * Runs one step that an entity wants: reads what was kept under its key, else asks, and then keeps the answer and has it
 * decided upon in one transaction. A step that is not wanted any more is neither asked nor applied; an answer that comes
 * too late is kept with what it cost.
 * @throws ApplicationFailure for what may pass by itself, but at the last attempt: then it is an input, `no-answer`
 */
export async function think(
  dependencies: SpineDependencies,
  request: ThinkRequest,
): Promise<Standing> {
  const beating = setInterval(() => heartbeat(), HEARTBEAT_MS)
  try {
    return await new RunningStep(dependencies, request).run()
  } finally {
    clearInterval(beating)
  }
}

/** What was found of a step: that it is not wanted, what it returned earlier, or what it has to be asked with. */
type Found =
  | { standing: Standing }
  | { standing: null; kept: { output: unknown } | null; loaded: unknown; step: WantedStep }

class RunningStep {
  readonly #dependencies: SpineDependencies
  readonly #request: ThinkRequest
  readonly #product: AnyProduct
  readonly #scheduledAt = activityInfo().currentAttemptScheduledTimestampMs
  readonly #startedAt = performance.now()

  constructor(dependencies: SpineDependencies, request: ThinkRequest) {
    this.#dependencies = dependencies
    this.#request = request
    this.#product = productOf(dependencies, request.product)
  }

  /** The server's time at which this attempt was scheduled, and what has passed since by a clock that never jumps. */
  get #at(): number {
    return Math.round(this.#scheduledAt + (performance.now() - this.#startedAt))
  }

  async run(): Promise<Standing> {
    try {
      return await this.#run()
    } catch (error) {
      if (error instanceof TemporalFailure) throw error
      return this.#settleFault(error)
    }
  }

  async #run(): Promise<Standing> {
    const { key, id } = this.#request
    const found = await this.#patiently(() => this.#find())
    if (found.standing) return found.standing
    if (found.kept) return this.#settle({ type: 'answer', key, output: found.kept.output }, null)
    const { loaded, step } = found
    // Before it is asked: a fault of ours in it costs nothing then.
    const described = this.#product.describeStep(loaded, key)
    const asked = await this.#ask(loaded, step)
    if ('input' in asked) return this.#settle(asked.input, null)
    const { thought } = asked
    const output = storable(thought.output)
    return this.#settle(
      { type: 'answer', key, output },
      { ...thought, ...described, output, key, entityId: id },
    )
  }

  async #find(): Promise<Found> {
    const { db } = this.#dependencies
    const { id, key } = this.#request
    return Transaction.look(db, async (transaction) => {
      const read = await seeEntity(transaction, db, this.#product, id, key)
      if (!read) return { standing: GONE }
      const at = this.#at
      const loaded = load(this.#product, read.entity, read.rows, at)
      if (loaded === null || read.entity.fault?.held) {
        return { standing: standingNow(this.#product, read, at) }
      }
      const step = this.#product.position(loaded, at).think.find((each) => each.key === key)
      if (!step) return { standing: standingNow(this.#product, read, at) }
      return { standing: null, kept: read.kept, loaded, step }
    })
  }

  async #ask(loaded: unknown, step: WantedStep) {
    const life = this.#life(step)
    try {
      const thought = await this.#patiently(() => this.#product.ask(loaded, step.key, life.heard))
      return { thought }
    } catch (error) {
      if (cancellationSignal().aborted) await cancelled()
      if (error instanceof TutorFailure) return { input: await this.#noAnswer(error, step) }
      throw error
    } finally {
      life.end()
    }
  }

  /** @throws ApplicationFailure where another attempt follows */
  async #noAnswer(
    { kind, message, retryAfterMs }: TutorFailure,
    { key, attempts }: WantedStep,
  ): Promise<DirectInput> {
    const mayPass = kind === 'overloaded' || kind === 'unavailable'
    if (mayPass && activityInfo().attempt < attempts) {
      // A model that asks for patience is as silent as one that says nothing.
      const silentMs = this.#at - activityInfo().scheduledTimestampMs + (retryAfterMs ?? 0)
      if (silentMs > SILENCE_MS) await this.#settle({ type: 'slow', key }, null)
      throw ApplicationFailure.create({
        message,
        type: `Step.${kind}`,
        ...(retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs }),
      })
    }
    const fault = mayPass ? 'unavailable' : kind
    return { type: 'no-answer', key, fault, reason: message, retryAfterMs }
  }

  /** Signs of life of a step: silence is told to the entity, text to whoever watches. */
  #life({ key, turnId }: WantedStep) {
    const { db } = this.#dependencies
    const { id } = this.#request
    const { attempt } = activityInfo()
    let silence: NodeJS.Timeout
    const hear = () => {
      clearTimeout(silence)
      silence = setTimeout(() => {
        this.#settle({ type: 'slow', key }, null)
          .catch((error) => this.#settleFault(error))
          .catch(() => {})
      }, SILENCE_MS)
    }
    const text =
      turnId === undefined
        ? null
        : new ProvisionalText({ stream: id, turnId, stepKey: key, attempt }, (delta) => {
            announceDelta(db, delta).catch(() => {})
          })
    hear()
    const heard: StepLife = {
      signal: cancellationSignal(),
      attempt,
      onToken: hear,
      onText: (piece) => {
        hear()
        text?.add(piece)
      },
    }
    const end = () => {
      clearTimeout(silence)
      text?.end()
    }
    return { heard, end }
  }

  /** Has an input of the step decided upon, if the step is still wanted, and keeps its answer in any case. */
  async #settle(input: DirectInput, kept: StepToKeep | null): Promise<Standing> {
    const also = kept ? [stepInsert(this.#dependencies.db, kept)] : []
    try {
      return await this.#patiently(() => this.#decide(input, also))
    } catch (error) {
      // What was paid for is kept, whatever our rules make of it.
      if (also.length > 0) {
        const { db } = this.#dependencies
        await this.#patiently(() => Transaction.run(db, (keeping) => keeping.commit(also)))
      }
      throw error
    }
  }

  async #decide(input: DirectInput, also: ReturnType<typeof stepInsert>[]): Promise<Standing> {
    const { db, wake } = this.#dependencies
    const { id, key } = this.#request
    const product = this.#product
    const { sent, standing } = await Transaction.run(db, async (transaction) => {
      const read = await readEntity(transaction, db, product, id)
      if (!read) return { sent: [], standing: GONE }
      const { entity, waiting } = read
      const at = Math.max(this.#at, entity.updated_at.getTime())
      const loaded = load(product, entity, read.rows, at)
      const before = loaded === null ? null : product.position(loaded, at)
      if (entity.fault?.held || !before?.think.some((step) => step.key === key)) {
        if (also.length > 0) await transaction.commit(also)
        return { sent: [], standing: standingNow(product, read, at) }
      }
      const made = await decideAll(this.#dependencies, product, transaction, loaded, [input], at)
      const mended = input.type !== 'slow'
      const toWrite = { entity, made, waiting, taken: null, mended, at }
      const written = await write(this.#dependencies, product, transaction, toWrite, also)
      // Its workflow hears where a step has led when the step ends: of one that goes on it has to be told.
      const changed = input.type === 'slow' && !isSamePlan(before, made.position)
      if (!changed) return written
      return { ...written, sent: [...written.sent, { to: entity, input: null }] }
    })
    for (const { to } of sent) wake(to)
    return standing
  }

  async #settleFault(error: unknown): Promise<Standing> {
    const request = { id: this.#request.id, at: this.#at, controls: [] }
    const held = await this.#patiently(() =>
      settleFault(this.#dependencies, this.#product, request, null, error),
    )
    return held ?? GONE
  }

  /** Does it again for as long as the store is away, with the heart still beating. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!passes(error)) throw error
        if (cancellationSignal().aborted) await cancelled()
        await new Promise((resolve) => setTimeout(resolve, STORE_PAUSE_MS))
      }
    }
  }
}

/** Whether a workflow has the same steps to run, and the same date to keep. */
const isSamePlan = (one: Position, other: Position) =>
  one.wakeAt === other.wakeAt &&
  one.think.length === other.think.length &&
  one.think.every(({ key }) => other.think.some((step) => step.key === key))
