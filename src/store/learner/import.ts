import { sql } from 'kysely'
import type { Trx } from '../database.ts'
import type { Database } from '../schema.ts'

const ROWS_AT_ONCE = 500

/** Inserts rows as JSON has them; PostgreSQL reads each value as its column's type. All rows have the same columns. */
export async function insertRows(
  trx: Trx,
  table: keyof Database,
  rows: readonly object[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return
  const names = sql.join(columns.map((column) => sql.ref(column)))
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const chunk = JSON.stringify(rows.slice(start, start + ROWS_AT_ONCE))
    await sql`
      insert into ${sql.table(table)} (${names})
      select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${chunk}::jsonb)
    `.execute(trx)
  }
}

/** What a learner has already, of what an import names. */
export interface Owned {
  arcs: Map<string, string>
  maps: Set<string>
  courses: Set<string>
}

/** Locks the learner until the transaction ends, so that one import is done before the next looks. */
export async function lockLearner(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('learners')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** The learner's own arcs, with their maps, maps without an arc, and courses. */
export async function readOwned(trx: Trx, learnerId: string): Promise<Owned> {
  const arcs = await trx
    .selectFrom('arcs')
    .select(['id', 'mind_map_id'])
    .where('learner_id', '=', learnerId)
    .execute()
  const maps = await trx
    .selectFrom('mind_maps')
    .select('id')
    .where('learner_id', '=', learnerId)
    .execute()
  const courses = await trx
    .selectFrom('course_snapshots')
    .select('course_id')
    .where('learner_id', '=', learnerId)
    .execute()
  return {
    arcs: new Map(arcs.map(({ id, mind_map_id }) => [id, mind_map_id])),
    maps: new Set(maps.map(({ id }) => id)),
    courses: new Set(courses.map(({ course_id }) => course_id)),
  }
}

/** Notes whose export is brought here; false if it was brought before. */
export async function noteImport(trx: Trx, learnerId: string, sourceId: string): Promise<boolean> {
  const noted = await trx
    .insertInto('learner_imports')
    .values({ learner_id: learnerId, source_id: sourceId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (noted.numInsertedOrUpdatedRows ?? 0n) > 0n
}
