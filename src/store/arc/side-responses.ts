import { sql } from 'kysely'
import type { SideResponse } from '../../domain/arc/side-responses.ts'

/** An answer from the course tutor as a response of its concept; its id follows from the input's, so that it is written once. */
export function sideResponseInsert(
  { inputId, nodeId, response }: { inputId: string; nodeId: string; response: SideResponse },
  of: { arcId: string; mindMapId: string; at: Date },
) {
  const { question, answer, quality, notes } = response
  return sql`
    insert into quiz_responses
      (id, node_id, mind_map_id, question_text, user_answer, quality, response_type, session_id,
       attempt_number, evaluator_notes, responded_at)
    values (md5(${of.arcId}::text || ${inputId}::text)::uuid, ${nodeId}::uuid, ${of.mindMapId}::uuid,
            ${question}, ${answer}, ${quality}::int, 'teach', ${of.arcId}::uuid, 1, ${notes},
            ${of.at}::timestamptz)
    on conflict (id) do nothing`
}
