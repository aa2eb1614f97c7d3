import { type CompiledQuery, type Selectable, sql } from 'kysely'
import type { ProductName } from '../../contracts/spine.ts'
import type { StoredInput } from '../../domain/spine/decision.ts'
import type { Db, DbOrTrx } from '../database.ts'
import type { Database } from '../schema.ts'

export type EntityRow = Selectable<Database['entities']>

/** What starts or wakes the workflow of an entity. */
export type EntityToWake = Pick<
  EntityRow,
  'id' | 'product' | 'workflow_id' | 'learner_id' | 'course_id'
>

export interface NewEntity {
  id: string
  product: ProductName
  workflowId: string
  learnerId: string | null
  courseId: string | null
  /** Left out: it begins at once. */
  begins?: 'at once' | 'with its first input'
}

/** The statement that stores a new entity, before anything that refers to it; one of that id stays as it is. */
export function entityInsert(db: DbOrTrx, entity: NewEntity) {
  const { begins = 'at once' } = entity
  return db
    .insertInto('entities')
    .values({
      id: entity.id,
      product: entity.product,
      workflow_id: entity.workflowId,
      learner_id: entity.learnerId,
      course_id: entity.courseId,
      // Whoever made it wakes it; where that is lost, the reconciler does.
      wake_at: begins === 'at once' ? sql<Date>`now()` : null,
    })
    .onConflict((conflict) => conflict.doNothing())
}

const entityOf = (db: Db, id: string) => db.selectFrom('entities').selectAll().where('id', '=', id)

/** The entity, locked until the transaction ends; what others store for it meanwhile does not wait for that. */
export const lockedEntity = (db: Db, id: string): CompiledQuery<EntityRow> =>
  entityOf(db, id).forNoKeyUpdate().compile()

/** The entity as it stands, for who only looks. */
export const seenEntity = (db: Db, id: string): CompiledQuery<EntityRow> =>
  entityOf(db, id).compile()

export interface InboxRow {
  position: string
  id: string
  type: string
  payload: Record<string, unknown>
  received_at: Date
}

/** How many waiting inputs are looked at for one that may be taken up. */
const LOOKED_AT = 8

const oldestInputs = (db: Db, id: string) =>
  db
    .selectFrom('inbox')
    .select(['position', 'id', 'type', 'payload', 'received_at'])
    .where('entity_id', '=', id)
    .where('taken_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .orderBy('urgent', 'desc')
    .orderBy('position')
    .limit(LOOKED_AT)

/** Inputs that wait, in the order they are to be taken up in; each is locked, so that it cannot be withdrawn meanwhile. */
export const waitingInputs = (db: Db, id: string): CompiledQuery<InboxRow> =>
  oldestInputs(db, id).forUpdate().compile()

/** The same, for who only looks. */
export const seenInputs = (db: Db, id: string): CompiledQuery<InboxRow> =>
  oldestInputs(db, id).compile()

export const storedInput = (row: InboxRow): StoredInput => ({
  type: row.type,
  id: row.id,
  position: Number(row.position),
  payload: row.payload,
  receivedAt: row.received_at.getTime(),
})

/** What a decision leaves behind in the entity's own row. */
export interface EntityUpdate {
  version: number
  generation: number
  state: unknown
  wakeAt: number | null
  thinks: boolean
  over: boolean
  /** How many events the transaction stores in the entity's stream. */
  events: number
  /** Whether a fault of ours is over; time alone does not say so. */
  mended: boolean
  at: number
}

export function entityUpdate(db: Db, id: string, update: EntityUpdate): CompiledQuery {
  const at = new Date(update.at)
  return db
    .updateTable('entities')
    .set((row) => ({
      version: update.version,
      generation: update.generation,
      state: JSON.stringify(update.state),
      wake_at: update.wakeAt === null ? null : new Date(update.wakeAt),
      thinking_since: update.thinks ? sql<Date>`coalesce(thinking_since, clock_timestamp())` : null,
      fault: update.mended ? null : sql`fault || '{"held": false}'`,
      is_over: update.over,
      last_event: row('last_event', '+', update.events),
      signals: 0,
      signalled_at: null,
      updated_at: at,
    }))
    .where('id', '=', id)
    .compile()
}

/** A fault of our own: written by a statement that needs no rule, so that it can always be written. */
export function faultUpdate(
  db: Db,
  id: string,
  fault: { since: string; message: string },
  retryAt: number,
): CompiledQuery {
  return db
    .updateTable('entities')
    .set((row) => ({
      fault: JSON.stringify({ ...fault, held: true }),
      generation: row('generation', '+', 1),
      wake_at: new Date(retryAt),
      thinking_since: null,
    }))
    .where('id', '=', id)
    .compile()
}
