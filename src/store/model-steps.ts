import { sql } from 'kysely'
import type { StepKind } from '../domain/arc/model-step.ts'
import { type Db, queryTogether } from './database.ts'

/** What a step returned earlier, or null if it has not been run to its end. */
export async function readStep(db: Db, key: string): Promise<unknown | null> {
  const row = await db
    .selectFrom('model_steps')
    .select('output')
    .where('step_key', '=', key)
    .executeTakeFirst()
  return row?.output ?? null
}

/** The read of what several steps returned. */
export function stepsByKey(db: Db, keys: readonly string[]) {
  return db
    .selectFrom('model_steps')
    .select(['step_key', 'output'])
    .where('step_key', '=', sql<string>`any(${keys}::text[])`)
}

export interface StepRecord {
  key: string
  arcId: string | null
  kind: StepKind | string
  model: string
  output: unknown
  inputTokens: number
  outputTokens: number
}

/** Keeps what a step returned. The first one stored stays: its output is what counts, and is returned. */
export async function keepStep(db: Db, step: StepRecord): Promise<unknown> {
  const insert = db
    .insertInto('model_steps')
    .values({
      step_key: step.key,
      arc_id: step.arcId,
      kind: step.kind,
      model: step.model,
      output: JSON.stringify(step.output),
      input_tokens: step.inputTokens,
      output_tokens: step.outputTokens,
    })
    .onConflict((conflict) => conflict.column('step_key').doNothing())
    .returning('step_key')
  const [[stored]] = await queryTogether(db, insert.compile())
  return stored ? step.output : readStep(db, step.key)
}
