import type { CompiledQuery } from 'kysely'
import type { Db } from '../database.ts'
import { storable } from '../storable.ts'

/** What a step returned, to be kept under its key with what was asked and what it cost. */
export interface StepToKeep {
  key: string
  entityId: string
  kind: string
  input: unknown
  output: unknown
  model: string
  inputTokens: number
  outputTokens: number
  cacheReadTokens?: number
  cacheWriteTokens?: number
}

/** What was kept under a key, if something was. */
export const readKept = (db: Db, key: string): CompiledQuery<{ output: unknown }> =>
  db.selectFrom('model_steps').select('output').where('step_key', '=', key).compile()

/** Keeps what a step returned; the first answer under a key stays. */
export const stepInsert = (db: Db, step: StepToKeep): CompiledQuery =>
  db
    .insertInto('model_steps')
    .values({
      step_key: step.key,
      entity_id: step.entityId,
      kind: step.kind,
      input: JSON.stringify(storable(step.input ?? {})),
      model: step.model,
      output: JSON.stringify(step.output),
      input_tokens: step.inputTokens,
      output_tokens: step.outputTokens,
      cache_read_tokens: step.cacheReadTokens ?? 0,
      cache_write_tokens: step.cacheWriteTokens ?? 0,
    })
    .onConflict((conflict) => conflict.column('step_key').doNothing())
    .compile()
