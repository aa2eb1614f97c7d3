import { sql } from 'kysely'
import type { MapStatus, MindMap, UnlockAt } from '../../domain/mind-map/mind-map.ts'
import type { DbOrTrx, Trx } from '../database.ts'
import { readMap } from './rows.ts'

/** A change or a question that the stored maps do not allow; the message says why. */
export class GraphRefusal extends Error {
  readonly kind: 'not-found' | 'conflict' | 'invalid'

  constructor(kind: GraphRefusal['kind'], message: string) {
    super(message)
    this.name = 'GraphRefusal'
    this.kind = kind
  }
}

/** A map without its nodes; `arcId` is null where no arc owns it. */
export interface StoredMap {
  id: string
  title: string
  status: MapStatus
  rootNodeId: string | null
  metadata: Record<string, unknown>
  /** Whose map it is: the arc's learner, or who created it. */
  learnerId: string | null
  arcId: string | null
  /** The arc's own rule, else the strict one (seed 000 D1). */
  unlockAt: UnlockAt
  createdAt: Date
  updatedAt: Date
}

/** The map, or null. */
export async function findMap(db: DbOrTrx, mapId: string): Promise<StoredMap | null> {
  const { rows } = await sql<StoredMap>`
    select map.id, map.title, map.status, map.root_node_id as "rootNodeId", map.metadata,
           coalesce(arc.learner_id, map.learner_id) as "learnerId", arc.id as "arcId",
           coalesce(arc.settings->>'unlockAt', 'mastered') as "unlockAt",
           map.created_at as "createdAt", map.updated_at as "updatedAt"
    from mind_maps map left join arcs arc on arc.mind_map_id = map.id
    where map.id = ${mapId}
  `.execute(db)
  return rows[0] ?? null
}

/** The map a node belongs to, or null for an unknown node. */
export async function mapOfNode(db: DbOrTrx, nodeId: string): Promise<string | null> {
  const row = await db
    .selectFrom('mind_map_nodes')
    .select('mind_map_id')
    .where('id', '=', nodeId)
    .executeTakeFirst()
  return row?.mind_map_id ?? null
}

/**
 * Runs a change on a map that no arc owns, alone among its writers: its row is locked until the
 * transaction ends, so that what `change` reads is what it writes upon.
 * @throws GraphRefusal for an unknown map and for one that an arc owns
 */
export async function changeMap<T>(
  db: DbOrTrx,
  mapId: string,
  change: (trx: Trx, map: MindMap) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (trx) => {
    await sql`select 1 from mind_maps where id = ${mapId} for update`.execute(trx)
    const stored = await findMap(trx, mapId)
    const map = await readMap(trx, mapId)
    if (!stored || !map) throw new GraphRefusal('not-found', 'There is no such mind map.')
    if (stored.arcId !== null) {
      throw new GraphRefusal(
        'conflict',
        `Arc ${stored.arcId} teaches this map and alone changes it; talk to the arc instead.`,
      )
    }
    return change(trx, map)
  })
}

function inTransaction<T>(db: DbOrTrx, run: (trx: Trx) => Promise<T>): Promise<T> {
  return db.isTransaction ? run(db as Trx) : db.transaction().execute(run)
}
