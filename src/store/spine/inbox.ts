import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Control } from '../../domain/spine/decision.ts'
import type { Db, DbOrTrx } from '../database.ts'
import { storable } from '../storable.ts'

/** An input on its way into the inbox of an entity. */
export interface NewInput {
  entityId: string
  id: string
  type: string
  payload: Record<string, unknown>
  urgent?: boolean
}

/** The statement that stores an input; the first one of an id stays. */
export const inputInsert = (input: NewInput): RawBuilder<{ position: string }> => sql`
  insert into inbox (entity_id, id, type, payload, urgent)
  values (${input.entityId}::uuid, ${input.id}, ${input.type}, ${JSON.stringify(input.payload)}::jsonb,
    ${input.urgent ?? false})
  on conflict (entity_id, id) do nothing
  returning position`

/** Stores an input, and says whether it is new. */
export async function storeInput(db: DbOrTrx, input: NewInput): Promise<boolean> {
  const { rows } = await inputInsert(input).execute(db)
  return rows.length > 0
}

/** No text of a control is longer, as those are that come in over HTTP. */
const MOST_CHARACTERS = 500

/**
 * Controls that a workflow was signalled with, put where every input is; null where there are none. Nobody has checked
 * what they carry: what cannot be stored becomes U+FFFD, and what is too long is cut.
 */
export function controlsInsert(
  db: Db,
  entityId: string,
  controls: readonly Control[],
): CompiledQuery | null {
  if (controls.length === 0) return null
  return sql`
    insert into inbox (entity_id, id, type, payload, urgent)
    select id, control->>'id', control->>'type', control->'payload', (control->>'urgent')::boolean
    from entities, jsonb_array_elements(${storableJson(controls)}::jsonb) with ordinality as each (control, place)
    where id = ${entityId}::uuid
    order by place
    on conflict (entity_id, id) do nothing`.compile(db)
}

const storableJson = (controls: readonly Control[]): string =>
  JSON.stringify(storable(controls), (_, value) =>
    typeof value === 'string' ? storable(value.slice(0, MOST_CHARACTERS)) : value,
  )

/** The input has been taken up by the decision that is written with this. */
export const inputTaken = (db: Db, position: number, at: number): CompiledQuery =>
  db
    .updateTable('inbox')
    .set({ taken_at: new Date(at) })
    .where('position', '=', String(position))
    .compile()

/** An answer to an input: its turn is done. `body` is what its sender is told, where the product has it here. */
export interface InputAnswer {
  id: string
  body?: Record<string, unknown>
}

export const inputAnswered = (
  db: Db,
  entityId: string,
  { id, body }: InputAnswer,
  at: number,
): CompiledQuery =>
  db
    .updateTable('inbox')
    .set({ answered_at: new Date(at), answer: body === undefined ? null : JSON.stringify(body) })
    .where('entity_id', '=', entityId)
    .where('id', '=', id)
    .compile()

/** The input met a fault of ours each time: it is set aside, and the next one goes on. */
export const inputFailed = (db: Db, position: number, message: string): CompiledQuery =>
  db
    .updateTable('inbox')
    .set({ taken_at: sql<Date>`now()`, answered_at: sql<Date>`now()`, failure: message })
    .where('position', '=', String(position))
    .compile()

/** What became of an input. */
export interface InputOutcome {
  taken: boolean
  answered: boolean
  failed: boolean
  answer: Record<string, unknown> | null
}

export async function readInput(
  db: DbOrTrx,
  entityId: string,
  id: string,
): Promise<InputOutcome | null> {
  const row = await db
    .selectFrom('inbox')
    .select(['taken_at', 'answered_at', 'failure', 'answer'])
    .where('entity_id', '=', entityId)
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    taken: row.taken_at !== null,
    answered: row.answered_at !== null,
    failed: row.failure !== null,
    answer: row.answer,
  }
}

/**
 * Takes an input back that nobody has taken up. Each of the two, this and the decision, looks at the row in its own
 * write: only one happens.
 * @returns whether it is withdrawn
 */
export async function withdrawInput(db: DbOrTrx, entityId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('inbox')
    .set({ withdrawn_at: sql<Date>`now()` })
    .where('entity_id', '=', entityId)
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
