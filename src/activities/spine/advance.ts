import type { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import type { AdvanceRequest } from '../../contracts/spine.ts'
import type { FailedStep, Input, Standing } from '../../domain/spine/decision.ts'
import type { Db } from '../../store/database.ts'
import {
  type EntityRow,
  type EntityToWake,
  entityUpdate,
  faultUpdate,
  type InboxRow,
  lockedEntity,
  seenEntity,
  seenInputs,
  storedInput,
  waitingInputs,
} from '../../store/spine/entities.ts'
import { eventsInsert, teacherEventsInsert } from '../../store/spine/events.ts'
import {
  controlsInsert,
  inputAnswered,
  inputFailed,
  inputInsert,
  inputTaken,
} from '../../store/spine/inbox.ts'
import { readKept } from '../../store/spine/model-steps.ts'
import { Transaction } from '../../store/spine/transaction.ts'
import { storable } from '../../store/storable.ts'
import { NewerState, passes } from './faults.ts'
import type { AnyProduct, Position, Told } from './product.ts'

/** A fault of ours is tried again so late, and at any input. */
const FAULT_RETRY_MS = 60 * 60_000
const FAULT_TRIES = 3
const FAULT_PAUSE_MS = 100
/** More steps in a row that code answers on the spot are a loop. */
const MOST_STEPS_HERE = 50

export interface SpineDependencies {
  db: Db
  products: readonly AnyProduct[]
  /** Wakes the workflow of an entity, or starts it; best effort, the reconciler makes up for what is lost. */
  wake(entity: EntityToWake): void
  log: Pick<Logger, 'error' | 'warn'>
  /** Counts a fault of ours. */
  onFault(product: string): void
}

/** Something to decide on that does not come from the inbox. */
export type DirectInput = Exclude<Input, { type: 'input' } | { type: 'clock' }>

export const productOf = ({ products }: SpineDependencies, name: string): AnyProduct => {
  const product = products.find((each) => each.name === name)
  if (!product) throw new Error(`there is no product ${name}`)
  return product
}

/**
 * Takes an entity one decision on, in one transaction that locks its row: what a step brought, else the oldest input that
 * waits, else what time has brought. Code that answers a step on the spot is asked in the same transaction.
 * @throws what passes by itself, to be tried again; a fault of ours is stored and told instead
 */
export async function advance(
  dependencies: SpineDependencies,
  request: AdvanceRequest,
): Promise<Standing> {
  const product = productOf(dependencies, request.product)
  let tries = 0
  let triedOn: string | undefined
  for (;;) {
    const turn = new Turn(dependencies, product, request)
    try {
      return await turn.take()
    } catch (error) {
      if (passes(error)) throw error
      tries = turn.input?.id === triedOn ? tries + 1 : 1
      triedOn = turn.input?.id
      if (tries < FAULT_TRIES) {
        await new Promise((resolve) => setTimeout(resolve, FAULT_PAUSE_MS))
        continue
      }
      const held = await settleFault(dependencies, product, request, turn.input, error)
      if (held) return held
      tries = 0
    }
  }
}

/** One try at a decision. */
class Turn {
  /** The input from the inbox that was taken up, if one was. */
  input: InboxRow | null = null
  readonly #dependencies: SpineDependencies
  readonly #product: AnyProduct
  readonly #request: AdvanceRequest

  constructor(dependencies: SpineDependencies, product: AnyProduct, request: AdvanceRequest) {
    this.#dependencies = dependencies
    this.#product = product
    this.#request = request
  }

  async take(): Promise<Standing> {
    const { db, wake } = this.#dependencies
    const { sent, standing } = await Transaction.run(db, (transaction) => this.#decide(transaction))
    for (const { to } of sent) wake(to)
    return standing
  }

  async #decide(transaction: Transaction) {
    const { db } = this.#dependencies
    const { id, controls, failed } = this.#request
    const product = this.#product
    const stored = controlsInsert(db, id, controls)
    const read = await readEntity(transaction, db, product, id, stored)
    if (!read) return { sent: [], standing: GONE }
    const { entity, waiting } = read
    const at = Math.max(this.#request.at, entity.updated_at.getTime())
    const loaded = load(product, entity, read.rows, at)
    if (loaded === null) return { sent: [], standing: GONE }
    const inputs = this.#inputs(loaded, waiting, failed)
    const made = await decideAll(this.#dependencies, product, transaction, loaded, inputs, at)
    const taken = this.input
    const rest = waiting.filter((row) => row !== taken)
    const isNothing = made.loaded === loaded && made.effects.length === 0 && taken === null
    if (isNothing && isStanding(product, entity, made.position)) {
      const more = goesOn(product, made.loaded, rest)
      return { sent: [], standing: standingOf(entity.generation, made.position, more) }
    }
    const mended = inputs.every(({ type }) => type !== 'clock')
    const toWrite = { entity, made, waiting: rest, taken, mended, at }
    return write(this.#dependencies, product, transaction, toWrite)
  }

  #inputs(loaded: unknown, waiting: InboxRow[], failed: FailedStep[]): Input[] {
    // Run again after its commit, it finds that the steps are not wanted any more.
    const wanted = new Set(
      failed.length > 0
        ? this.#product.position(loaded, this.#request.at).think.map(({ key }) => key)
        : [],
    )
    const told = failed
      .filter(({ key }) => wanted.has(key))
      .map(
        ({ key, slow }): Input =>
          slow
            ? { type: 'slow', key }
            : {
                type: 'no-answer',
                key,
                fault: 'unavailable',
                reason: 'it did not end in time',
                retryAfterMs: null,
              },
      )
    if (told.length > 0) return told
    this.input = waiting.find(({ type }) => this.#product.admits(loaded, type)) ?? null
    if (this.input) return [{ type: 'input', input: storedInput(this.input) }]
    const newest = waiting.reduce((last, { position }) => Math.max(last, Number(position)), 0)
    return [{ type: 'clock', waiting: newest || null }]
  }
}

/** An entity that was deleted: its workflow ends. */
export const GONE: Standing = {
  generation: Number.MAX_SAFE_INTEGER,
  think: [],
  wakeAt: null,
  more: false,
  over: true,
  view: { phase: 'GONE', attributes: {}, details: 'It was deleted.', query: null },
  fault: null,
}

/** Whether the row says already what would be written. */
const isStanding = (product: AnyProduct, entity: EntityRow, { think, wakeAt }: Position) =>
  entity.state !== null &&
  entity.version === product.version &&
  entity.fault === null &&
  (entity.wake_at?.getTime() ?? null) === wakeAt &&
  (entity.thinking_since !== null) === think.length > 0

const standingOf = (
  generation: number,
  { think, wakeAt, over, view }: Position,
  more: boolean,
): Standing => ({ generation, think, wakeAt, more, over, view, fault: null })

/** Whether something that waits may be taken up at once. */
const goesOn = (product: AnyProduct, loaded: unknown, waiting: readonly InboxRow[]) =>
  waiting.some(({ type }) => product.admits(loaded, type))

/** The entity's row, locked, with what waits for it and what a decision needs, in one trip; `controls` are stored before. */
export async function readEntity(
  transaction: Transaction,
  db: Db,
  product: AnyProduct,
  id: string,
  controls: CompiledQuery | null = null,
) {
  const [, [entity], waiting, ...rows] = await transaction.read<
    [unknown, EntityRow, InboxRow, ...unknown[]]
  >(controls, lockedEntity(db, id), waitingInputs(db, id), ...product.reads(db, id))
  return entity ? { entity, waiting, rows: rows as unknown[][] } : null
}

/** The same for who only looks, with what was kept under a step's key. */
export async function seeEntity(
  transaction: Transaction,
  db: Db,
  product: AnyProduct,
  id: string,
  key: string,
) {
  const [[entity], waiting, [kept = null], ...rows] = await transaction.read<
    [EntityRow, InboxRow, { output: unknown }, ...unknown[]]
  >(seenEntity(db, id), seenInputs(db, id), readKept(db, key), ...product.reads(db, id))
  return entity ? { entity, waiting, rows: rows as unknown[][], kept } : null
}

/** @throws {NewerState} when later code wrote the state */
export function load(product: AnyProduct, entity: EntityRow, rows: unknown[][], at: number) {
  if (entity.version > product.version) throw new NewerState(product.name, entity.version)
  return product.loaded(entity, rows, at)
}

/** What was decided in a transaction, where it leads, and how much of it is written already. */
export interface Made {
  loaded: unknown
  position: Position
  effects: unknown[]
  written: number
}

/** Decides on the inputs, one after the other, and on what code answers on the spot. */
export async function decideAll(
  { db }: SpineDependencies,
  product: AnyProduct,
  transaction: Transaction,
  loaded: unknown,
  inputs: readonly Input[],
  at: number,
): Promise<Made> {
  const made: Omit<Made, 'position'> = { loaded, effects: [], written: 0 }
  const decide = (input: Input) => {
    const decided = product.decide(made.loaded, input, at)
    made.loaded = decided.loaded
    made.effects.push(...decided.effects)
  }
  for (const input of inputs) decide(input)
  for (let steps = 0; steps < MOST_STEPS_HERE; steps += 1) {
    const position = product.position(made.loaded, at)
    const here = position.think.find(({ key }) => product.isAnsweredHere(made.loaded, key))
    if (!here) return { ...made, position }
    // What the answer is made of is read from the store, which has to know what was decided so far.
    transaction.write(product.statements(db, made.loaded, made.effects.slice(made.written), at))
    made.written = made.effects.length
    const output = await product.answerHere(made.loaded, here.key, transaction, at)
    decide({ type: 'answer', key: here.key, output })
  }
  throw new Error('steps that code answers follow each other without end')
}

interface ToWrite {
  entity: EntityRow
  made: Made
  /** What still waits when it is written. */
  waiting: readonly InboxRow[]
  taken: InboxRow | null
  mended: boolean
  at: number
}

/** Writes a decision, with `also` in the same transaction, in one trip, and says where the entity stands then. */
export async function write(
  { db, log }: SpineDependencies,
  product: AnyProduct,
  transaction: Transaction,
  { entity, made, waiting, taken, mended, at }: ToWrite,
  also: readonly CompiledQuery[] = [],
): Promise<Pick<Told, 'sent'> & { standing: Standing }> {
  const { id } = entity
  const { loaded, position, effects, written } = made
  const generation = entity.generation + 1
  const { events, answered, sent, teachers = [], logs = [] } = product.told(loaded, effects, at)
  function* statements() {
    yield* also
    yield entityUpdate(db, id, {
      version: product.version,
      generation,
      state: position.state,
      wakeAt: position.wakeAt,
      thinks: position.think.length > 0,
      over: position.over,
      events: events.length,
      mended,
      at,
    })
    if (taken) yield inputTaken(db, Number(taken.position), at)
    yield* product.statements(db, loaded, effects.slice(written), at)
    yield* product.row(db, loaded, at)
    for (const { input } of sent) if (input) yield inputInsert(input).compile(db)
    for (const answer of answered) yield inputAnswered(db, id, answer, at)
    const ids = answered.map((answer) => answer.id)
    if (events.length > 0 || ids.length > 0) yield eventsInsert(id, events, ids).compile(db)
    yield* teacherEventsInsert(db, teachers)
  }
  await transaction.commit(statements())
  for (const { message, data } of logs) log.warn({ ...data, entity: id }, message)
  const more = goesOn(product, loaded, waiting)
  return { sent, standing: standingOf(generation, position, more) }
}

/**
 * A fault of ours has come up each time. A message that it came up on is set aside and its sender told; else the entity
 * is held up, told once, and tried again later. It is logged with its stack and counted.
 * @returns null when a message was set aside: the entity goes on
 */
export async function settleFault(
  dependencies: SpineDependencies,
  product: AnyProduct,
  { id, at, controls }: Pick<AdvanceRequest, 'id' | 'at' | 'controls'>,
  input: Pick<InboxRow, 'id' | 'type'> | null,
  error: unknown,
): Promise<Standing | null> {
  const { db, log, onFault } = dependencies
  const of = { product: product.name, entity: id, input: input?.type }
  log.error({ ...of, err: error }, 'a fault of ours')
  onFault(product.name)
  const message = storable(error instanceof Error ? error.message : String(error))
  // Nothing is read but what every product has, and nothing of a rule is asked: this can always be written.
  const settle = (tell: boolean) =>
    Transaction.run(db, async (transaction) => {
      const [, [entity], waiting] = await transaction.read<[unknown, EntityRow, InboxRow]>(
        controlsInsert(db, id, controls),
        lockedEntity(db, id),
        waitingInputs(db, id),
      )
      if (!entity) return GONE
      if (input) {
        const row = waiting.find((each) => each.id === input.id)
        await transaction.commit([
          ...(row ? [inputFailed(db, Number(row.position), message)] : []),
          ...(row && tell ? product.tellSetAside(db, id, row.id) : []),
          ...(row ? [eventsInsert(id, [], [row.id]).compile(db)] : []),
        ])
        return null
      }
      const since = entity.fault?.since ?? new Date(at).toISOString()
      const retryAt = at + FAULT_RETRY_MS
      await transaction.commit([
        faultUpdate(db, id, { since, message }, retryAt),
        ...(tell && !entity.fault ? product.tellFault(db, id, { since, retryAt }) : []),
      ])
      return heldUp(entity, since, retryAt)
    })
  try {
    return await settle(true)
  } catch (untold) {
    if (passes(untold)) throw untold
    log.error({ ...of, err: untold }, 'a fault of ours could not be told')
    return settle(false)
  }
}

const heldUp = (entity: EntityRow, since: string, retryAt: number): Standing => ({
  generation: entity.generation + 1,
  think: [],
  wakeAt: retryAt,
  more: false,
  over: false,
  view: null,
  fault: since,
})

/** Where an entity stands as it was read, without a decision. */
export function standingNow(
  product: AnyProduct,
  { entity, waiting, rows }: NonNullable<Awaited<ReturnType<typeof readEntity>>>,
  at: number,
): Standing {
  const retryAt = entity.wake_at?.getTime() ?? at + FAULT_RETRY_MS
  if (entity.fault?.held) {
    return { ...heldUp(entity, entity.fault.since, retryAt), generation: entity.generation }
  }
  const loaded = load(product, entity, rows, at)
  if (loaded === null) return GONE
  const more = goesOn(product, loaded, waiting)
  return standingOf(entity.generation, product.position(loaded, at), more)
}
