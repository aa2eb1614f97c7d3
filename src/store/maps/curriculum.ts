import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { CurriculumState, Generated, Replanned } from '../../contracts/curriculum-job.ts'
import type { BuiltMap } from '../../domain/mind-map/building.ts'
import { MapStatusError } from '../../domain/mind-map/lifecycle.ts'
import { replan } from '../../domain/mind-map/replan.ts'
import { type Additions, checkDescriptions, MAP_LIMITS } from '../../domain/mind-map/validation.ts'
import { MapRuleError } from '../../domain/mind-map/violation.ts'
import type { DbOrTrx, Trx } from '../database.ts'
import { probeText } from './diagnosis.ts'
import { changeMap, GraphRefusal } from './stored-map.ts'
import { writeMap } from './writing.ts'

/**
 * Stores a generated map whole: nodes, edges, root, goal, the diagnosis as responses. Run twice,
 * it writes once.
 * @throws MapRuleError for descriptions that are too long; MapStatusError unless the map is in creation; GraphRefusal when it has concepts already
 */
export async function adoptGraph(db: DbOrTrx, generated: Generated): Promise<CurriculumState> {
  const { map: built, descriptions, seeded, goal } = generated
  return changeMap(db, built.id, async (trx, map) => {
    const isRepeated = map.rootNodeId !== null && map.rootNodeId === built.rootNodeId
    if (isRepeated) return stateOf(map)
    if (map.status !== 'creation') throw new MapStatusError(map.status, 'be generated again')
    if (map.nodes.length > 0) {
      throw new GraphRefusal('conflict', 'The map has concepts already; activate or re-plan it.')
    }
    const violations = checkDescriptions(described(built, descriptions))
    if (violations.length > 0) throw new MapRuleError(violations)
    const stored = await writeMap(trx, map, built, descriptions)
    if (goal !== null) {
      await sql`
        update mind_maps set metadata = metadata || ${JSON.stringify({ goal })}::jsonb
        where id = ${map.id}
      `.execute(trx)
    }
    await writeDiagnosis(trx, map.id, built.nodes, seeded)
    return stateOf(stored)
  })
}

function described(map: BuiltMap['map'], descriptions: BuiltMap['descriptions']) {
  const label = new Map(map.nodes.map((node) => [node.id, node.label]))
  return descriptions.map(({ nodeId, description }) => ({
    label: label.get(nodeId) ?? '',
    description,
  }))
}

/** Probes come before the map: they become responses of the nodes they found. */
async function writeDiagnosis(
  trx: Trx,
  mapId: string,
  nodes: BuiltMap['map']['nodes'],
  seeded: Generated['seeded'],
): Promise<void> {
  if (seeded.length === 0) return
  const label = new Map(nodes.map((node) => [node.id, node.label]))
  await trx
    .insertInto('quiz_responses')
    .values(
      seeded.map(({ nodeId, quality }) => ({
        node_id: nodeId,
        mind_map_id: mapId,
        question_text: probeText(label.get(nodeId) ?? ''),
        quality,
        response_type: 'diagnostic' as const,
      })),
    )
    .execute()
}

/**
 * Re-plans a map: adds what valid advice adds, marks what can be skipped, orders anew. Advice that
 * breaks a rule is dropped and the order still recomputed.
 * @throws MapStatusError when the map is not active
 */
export async function replanMap(
  db: DbOrTrx,
  mapId: string,
  additions: Additions | null,
): Promise<Replanned> {
  return changeMap(db, mapId, async (trx, map) => {
    const advice = additions ? { additions, limits: MAP_LIMITS, ids: randomUUID } : undefined
    const { map: next, descriptions, refused } = replan(map, 'mastered', advice)
    const stored = next === map ? map : await writeMap(trx, map, next, descriptions)
    const known = new Set(map.nodes.map(({ id }) => id))
    return {
      ...stateOf(stored),
      addedNodeIds: stored.nodes.flatMap(({ id }) => (known.has(id) ? [] : [id])),
      refused,
    }
  })
}

const stateOf = (map: Pick<BuiltMap['map'], 'id' | 'nodes' | 'edges' | 'status'>) => ({
  mindMapId: map.id,
  nodeCount: map.nodes.length,
  edgeCount: map.edges.length,
  status: map.status,
})
