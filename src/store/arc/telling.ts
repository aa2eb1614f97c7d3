import { type CompiledQuery, sql } from 'kysely'
import type { Language } from '../../domain/language/languages.ts'
import type { Db } from '../database.ts'
import { CHANNEL } from '../spine/events.ts'

/** A text in each of the tutor's languages. */
export type InEveryLanguage = Record<Language, string>

/** A message of the product in the transcript, with its event, written by a statement that needs no rule. */
const systemMessage = (db: Db, arcId: string, text: InEveryLanguage): CompiledQuery =>
  sql`
    with entity as (
      update entities set last_event = last_event + 1 where id = ${arcId}::uuid
      returning last_event, state ->> 'language' as language),
    message as (
      insert into arc_messages (arc_id, id, role, text, phase)
      select arcs.id, gen_random_uuid()::text, 'system',
        case when coalesce(settings ->> 'language', entity.language) like 'de%' then ${text.de} else ${text.en} end,
        phase
      from arcs, entity where arcs.id = ${arcId}::uuid
      returning *),
    event as (
      insert into events (stream, seq, type, data)
      select ${arcId}, last_event, 'message', jsonb_build_object('id', message.id, 'role', 'system', 'text', text,
        'phase', phase, 'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from message, entity)
    select pg_notify(${CHANNEL}, jsonb_build_object('stream', ${arcId}::text, 'answered', '[]'::jsonb)::text)`.compile(
    db,
  )

/** The learner hears that a fault of ours holds the arc up, and screens show it. */
export const faultTold = (
  db: Db,
  arcId: string,
  { since, retryAt }: { since: string; retryAt: number },
  text: InEveryLanguage,
): CompiledQuery[] => [
  db
    .updateTable('arcs')
    .set({
      blocked: JSON.stringify({
        reason: 'internal',
        since,
        retryAt: new Date(retryAt).toISOString(),
      }),
    })
    .where('id', '=', arcId)
    .compile(),
  systemMessage(db, arcId, text),
]

/** The learner hears that a message could not be processed. */
export const inputSetAsideTold = (
  db: Db,
  arcId: string,
  inputId: string,
  text: InEveryLanguage,
): CompiledQuery[] => [
  sql`
    update arc_messages set turn = coalesce(turn, -1)
    where arc_id = ${arcId}::uuid and id = ${inputId}`.compile(db),
  systemMessage(db, arcId, text),
]
