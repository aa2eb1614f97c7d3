import type { CompiledQuery } from 'kysely'
import type { ProductName } from '../../contracts/spine.ts'
import type { Input, View, WantedStep } from '../../domain/spine/decision.ts'
import type { Db } from '../../store/database.ts'
import type { EntityRow, EntityToWake } from '../../store/spine/entities.ts'
import type { NewEvent } from '../../store/spine/events.ts'
import type { InputAnswer, NewInput } from '../../store/spine/inbox.ts'
import type { Transaction } from '../../store/spine/transaction.ts'

/** What a decision comes to: where the entity stands, and what is to be written with it. */
export interface Decided<Loaded, Effect> {
  /** The entity as it is now: the next decision of the same transaction goes on from here. */
  loaded: Loaded
  effects: Effect[]
}

/** How an entity stands, as the spine needs to know it. */
export interface Position {
  /** The state as it is stored. */
  state: unknown
  think: WantedStep[]
  wakeAt: number | null
  over: boolean
  view: View
}

/** What effects come to for those who wait, watch, or are asked to do something. */
export interface Told {
  /** Events in the entity's own stream. */
  events: NewEvent[]
  /** Inputs whose turn is done. */
  answered: InputAnswer[]
  /** What other entities are asked to do; each is woken after the commit. */
  sent: { to: EntityToWake; input: NewInput | null }[]
  /** Events for teachers. */
  teachers?: NewEvent[]
  /** What an operator may want to know, for the log. */
  logs?: { message: string; data: Record<string, unknown> }[]
}

/** What a step brought, and what it cost. */
export interface Thought {
  output: unknown
  model: string
  inputTokens: number
  outputTokens: number
  /** Of the input tokens, those read from the server's cache and those written to it. */
  cacheReadTokens?: number
  cacheWriteTokens?: number
}

/** How a running step is heard and stopped. */
export interface StepLife {
  signal: AbortSignal
  attempt: number
  /** Something came in: whoever answers is alive. */
  onToken(): void
  /** A piece of text that may be seen already. */
  onText(piece: string): void
}

/**
 * A product on the spine. What is its own: which rows a decision needs, the rules (`decide`), its effects in SQL, and who
 * answers its steps. `Loaded` is everything a decision reads, as plain data.
 */
export interface Product<Loaded, Effect> {
  readonly name: ProductName
  /** The version of the state that this code writes; a state of a later one is left alone. */
  readonly version: number
  /** The statements that read what a decision needs besides the entity's own row, sent with it in one trip. */
  reads(db: Db, id: string): CompiledQuery[]
  /** What those rows say, with states of earlier versions brought up to date; null: the entity is gone. */
  loaded(entity: EntityRow, rows: readonly unknown[][], at: number): Loaded | null
  /** The rules: pure, and without change of its arguments. `at` is in epoch milliseconds and never goes back. */
  decide(loaded: Loaded, input: Input, at: number): Decided<Loaded, Effect>
  /** Whether an input of that type may be taken up as things stand; others wait. */
  admits(loaded: Loaded, type: string): boolean
  position(loaded: Loaded, at: number): Position
  /** Effects in SQL, in their order; all they refer to is in the effects, so that it can be written at any time. */
  statements(db: Db, loaded: Loaded, effects: readonly Effect[], at: number): CompiledQuery[]
  /** What screens read of the entity as it stands at the end, in the product's own tables. */
  row(db: Db, loaded: Loaded, at: number): CompiledQuery[]
  told(loaded: Loaded, effects: readonly Effect[], at: number): Told
  /** Whether code answers a wanted step on the spot. */
  isAnsweredHere(loaded: Loaded, key: string): boolean
  /**
   * The answer that code gives on the spot, inside the transaction, in which all effects so far are written.
   * @throws what is a fault of ours
   */
  answerHere(loaded: Loaded, key: string, transaction: Transaction, at: number): Promise<unknown>
  /**
   * Has a step answered by whoever can: a model, an outside system.
   * @throws {TutorFailure} where that one is at fault
   */
  ask(loaded: Loaded, key: string, life: StepLife): Promise<Thought>
  /** The kind and input of a wanted step, to be kept with its answer. */
  describeStep(loaded: Loaded, key: string): { kind: string; input: unknown }
  /** Tells whoever has to know, once, that a fault of ours holds the entity up. */
  tellFault(db: Db, id: string, fault: { since: string; retryAt: number }): CompiledQuery[]
  /** Tells the sender of an input that it was set aside. */
  tellSetAside(db: Db, id: string, inputId: string): CompiledQuery[]
}

// biome-ignore lint/suspicious/noExplicitAny: the spine carries what it loads from one method of a product to the next
export type AnyProduct = Product<any, any>
