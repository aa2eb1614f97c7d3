import { sql } from 'kysely'
import { EXPORT_FORMAT, EXPORT_VERSION } from '../../contracts/taking-along.ts'
import { withoutKeys } from '../../domain/learner/without-keys.ts'
import type { Db, DbOrTrx } from '../database.ts'
import { readLearner } from '../learners.ts'
import { EARNED, LEARNER_TABLES, type LearnerKey, type LearnerTable } from './tables.ts'

/** So many rows are held in memory at once. */
const ROWS_AT_ONCE = 200

/**
 * Everything that is kept of a learner as the text of one JSON document, piece by piece, as it was at one moment. The
 * transaction lasts as long as it is read.
 * @param at UTC ms
 */
export async function* exportLearner(
  db: Db,
  learner: LearnerKey,
  at: number,
): AsyncGenerator<string> {
  const trx = await db.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    // Whoever reads slowly, or not at all, does not hold it for ever.
    await sql`set transaction read only`.execute(trx)
    await sql`set local idle_in_transaction_session_timeout = '60s'`.execute(trx)
    const about = {
      format: EXPORT_FORMAT,
      version: EXPORT_VERSION,
      exportedAt: new Date(at).toISOString(),
      learner: await readLearner(trx, learner.id),
    }
    yield `${JSON.stringify(about).slice(0, -1)},"tables":{`
    let separator = '\n'
    for (const [name, table] of Object.entries(LEARNER_TABLES)) {
      yield `${separator}${JSON.stringify(name)}:[`
      yield* rowsOf(trx, name, table, learner)
      yield ']'
      separator = ',\n'
    }
    yield '}}\n'
  } finally {
    await trx.rollback().execute()
  }
}

async function* rowsOf(
  trx: DbOrTrx,
  name: string,
  table: LearnerTable,
  learner: LearnerKey,
): AsyncGenerator<string> {
  const order = sql.join(table.order.split(', ').map((column) => sql.ref(`t.${column}`)))
  await sql`
    declare taken no scroll cursor for
    select ${told(name, table)}::text as row from ${sql.table(name)} as t
    where ${table.where(learner)} order by ${order}`.execute(trx)
  for (let separator = '\n'; ; separator = ',\n') {
    const { rows } = await sql<{ row: string }>`
      fetch ${sql.lit(ROWS_AT_ONCE)} from taken`.execute(trx)
    if (rows.length === 0) break
    yield separator + rows.map(({ row }) => keyless(row, table)).join(',\n')
  }
  await sql`close taken`.execute(trx)
}

/** A row as JSON, without what is kept back. */
function told(name: string, { without = [] }: LearnerTable) {
  const columns = without.filter((column) => !column.includes('.'))
  const fields = without.filter((column) => column.includes('.')).map((path) => path.split('.'))
  const whole = sql`(to_jsonb(t) - ${sql.lit(`{${columns.join(',')}}`)}::text[])`
  const rest = fields.reduce(
    (row, path) => sql`(${row} #- ${sql.lit(`{${path.join(',')}}`)}::text[])`,
    whole,
  )
  if (name !== 'arc_questions') return rest
  return sql`(${rest} || case when ${EARNED}
    then jsonb_build_object('expected', t.expected, 'solution', t.solution)
    else '{"expected": "", "solution": null}' end)`
}

function keyless(row: string, { keyless: columns }: LearnerTable): string {
  if (!columns) return row
  const parsed = JSON.parse(row) as Record<string, unknown>
  for (const column of columns) parsed[column] = withoutKeys(parsed[column])
  return JSON.stringify(parsed)
}
