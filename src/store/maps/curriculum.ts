import { type CompiledQuery, sql } from 'kysely'
import type { MindMap } from '../../domain/mind-map/mind-map.ts'
import type { Db } from '../database.ts'
import { probeText } from './diagnosis.ts'
import { mapOf, mapReads } from './rows.ts'

/** What the planning of a map decides on: the map, locked, its arc, and the requests that were not answered. */
export function curriculumReads(db: Db, mapId: string): CompiledQuery[] {
  const [map, nodes, edges] = mapReads(db, mapId)
  return [
    map.forNoKeyUpdate().compile(),
    nodes.compile(),
    edges.compile(),
    db.selectFrom('arcs').select('id').where('mind_map_id', '=', mapId).compile(),
    db
      .selectFrom('inbox')
      .select('id')
      .where('entity_id', '=', mapId)
      .where('taken_at', 'is not', null)
      .where('answered_at', 'is', null)
      .compile(),
  ]
}

/** What those rows say; null: there is no such map. */
export function curriculumOf(rows: readonly unknown[][]) {
  type Read = Parameters<typeof mapOf>
  const [maps, nodes, edges, arcs, open] = rows as [...Read, { id: string }[], { id: string }[]]
  const map = mapOf(maps, nodes, edges)
  return map && { map, arcId: arcs[0]?.id ?? null, open: open.map(({ id }) => id) }
}

/** The goal of a map that was generated, and its diagnosis: probes become responses of the nodes they found. */
export function beginWrites(
  db: Db,
  map: MindMap,
  seeded: readonly { nodeId: string; quality: number }[],
  goal: string | null,
): CompiledQuery[] {
  const label = new Map(map.nodes.map((node) => [node.id, node.label]))
  const responses = seeded.map(({ nodeId, quality }) => ({
    node_id: nodeId,
    mind_map_id: map.id,
    question_text: probeText(label.get(nodeId) ?? ''),
    quality,
    response_type: 'diagnostic' as const,
  }))
  return [
    ...(goal === null
      ? []
      : [
          sql`
            update mind_maps set metadata = metadata || ${JSON.stringify({ goal })}::jsonb
            where id = ${map.id}`.compile(db),
        ]),
    ...(responses.length > 0 ? [db.insertInto('quiz_responses').values(responses).compile()] : []),
  ]
}

/** Has whoever waits for a plan of the map told that it failed: a fault of ours came in between. */
export const failOpenRequests = (db: Db, mapId: string): CompiledQuery =>
  sql`
    with failed as (
      update inbox set answered_at = now(), failure = 'a fault of ours'
      where entity_id = ${mapId}::uuid and taken_at is not null and answered_at is null
      returning id)
    select pg_notify('meno', jsonb_build_object('stream', ${mapId}::text,
      'answered', coalesce(jsonb_agg(id), '[]'))::text) from failed`.compile(db)
