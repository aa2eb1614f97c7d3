import { sql } from 'kysely'
import type { ReplanProposal } from '../../contracts/arc.ts'
import {
  type EarlierProposal,
  proposalChanges,
  strugglingParts,
} from '../../domain/analytics/proposals.ts'
import { STRUGGLING_IN_SUBTREE } from '../../domain/mastery/struggling.ts'
import type { Db } from '../database.ts'
import { strugglingNodes } from '../map-metrics.ts'
import { readHistories, readMap } from '../maps/rows.ts'
import { type NewInput, storeInput } from '../spine/inbox.ts'

/** So many arcs' maps are looked through at once. */
const ARCS_AT_ONCE = 250

interface ArcOfMap {
  id: string
  mapId: string
}

/**
 * Brings the proposals of every arc with an active map up to date, as of `now` in UTC ms. Done again, it changes
 * nothing more. `onProgress` is called after every some hundreds of arcs.
 * @returns how many were made
 */
export async function proposeReplans(
  db: Db,
  now: number,
  onProgress: () => void = () => {},
): Promise<number> {
  let made = 0
  let after: string | null = null
  for (;;) {
    const arcs: ArcOfMap[] = await openArcs(db, after)
    const last = arcs.at(-1)
    if (!last) return made
    for (const { id, mapId } of await toLookInto(db, arcs)) {
      made += await proposeForArc(db, id, mapId, now)
    }
    after = last.id
    onProgress()
  }
}

async function openArcs(db: Db, after: string | null): Promise<ArcOfMap[]> {
  const { rows } = await sql<ArcOfMap>`
    select arc.id, arc.mind_map_id as "mapId"
    from arcs arc join mind_maps map on map.id = arc.mind_map_id
    where map.status = 'active' and arc.phase not in ('COMPLETED', 'ABANDONED')
      and (${after}::uuid is null or arc.id > ${after}::uuid)
    order by arc.id limit ${ARCS_AT_ONCE}
  `.execute(db)
  return rows
}

/** Those with an open proposal, and those where enough nodes struggle that a part of the map may. */
async function toLookInto(db: Db, arcs: readonly ArcOfMap[]): Promise<ArcOfMap[]> {
  const maps = arcs.map(({ mapId }) => mapId)
  const { rows } = await sql<ArcOfMap>`
    select arc.id, arc.mind_map_id as "mapId"
    from arcs arc
    where arc.mind_map_id = any(${maps}::uuid[])
      and (exists (select from replan_proposals
                   where arc_id = arc.id and status = 'open')
           or arc.mind_map_id in (select map_id from (${strugglingNodes(maps)}) as struggling
                                  group by map_id having count(*) >= ${STRUGGLING_IN_SUBTREE}))
    order by arc.id
  `.execute(db)
  return rows
}

async function proposeForArc(db: Db, arcId: string, mapId: string, now: number): Promise<number> {
  const map = await readMap(db, mapId)
  if (!map) return 0
  const parts = strugglingParts(map, await readHistories(db, mapId))
  const { made, withdrawn } = proposalChanges(parts, await earlierProposals(db, arcId), now)
  const at = new Date(now)
  if (withdrawn.length > 0) {
    await db
      .updateTable('replan_proposals')
      .set({ status: 'withdrawn', decided_at: at })
      .where('id', 'in', withdrawn)
      .where('status', '=', 'open')
      .execute()
  }
  if (made.length === 0) return 0
  const rows = await db
    .insertInto('replan_proposals')
    .values(
      made.map(({ nodeId, strugglingNodes }) => ({
        arc_id: arcId,
        node_id: nodeId,
        struggling_nodes: JSON.stringify(strugglingNodes),
        created_at: at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.length
}

async function earlierProposals(db: Db, arcId: string): Promise<EarlierProposal[]> {
  const rows = await db
    .selectFrom('replan_proposals')
    .select(['id', 'node_id', 'status', 'decided_at'])
    .where('arc_id', '=', arcId)
    .execute()
  return rows.map(({ id, node_id, status, decided_at }) => ({
    id,
    nodeId: node_id,
    status,
    decidedAt: decided_at?.getTime() ?? null,
  }))
}

/** The proposals of an arc, newest first, or the one of this id. */
export async function readProposals(db: Db, arcId: string, id?: string): Promise<ReplanProposal[]> {
  const { rows } = await sql<
    Omit<ReplanProposal, 'reason' | 'createdAt' | 'decidedAt'> & {
      createdAt: Date
      decidedAt: Date | null
    }
  >`
    select proposal.id, proposal.node_id as "nodeId", node.label, proposal.status,
           proposal.created_at as "createdAt", proposal.decided_at as "decidedAt",
           (select coalesce(jsonb_agg(jsonb_build_object('id', hard.id, 'label', hard.label)
                                      order by hard.sequence, hard.label), '[]')
            from mind_map_nodes hard
            where hard.id::text in (select jsonb_array_elements_text(proposal.struggling_nodes))
           ) as "strugglingNodes"
    from replan_proposals proposal join mind_map_nodes node on node.id = proposal.node_id
    where proposal.arc_id = ${arcId} and (${id ?? null}::text is null or proposal.id::text = ${id ?? null})
    order by proposal.created_at desc, proposal.id
  `.execute(db)
  return rows.map(({ createdAt, decidedAt, ...row }) => ({
    ...row,
    reason: reasonOf(row),
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }))
}

function reasonOf({ label, strugglingNodes }: Pick<ReplanProposal, 'label' | 'strugglingNodes'>) {
  const hard = strugglingNodes.map((node) => `“${node.label}”`).join(', ')
  return `The part from “${label}” on has been hard lately: ${hard}.`
}

/**
 * Keeps the learner's word on an open proposal; `replan` is what the arc is asked to do with it, in the same transaction.
 * @returns the status it had: only an open one is decided
 */
export async function decideProposal(
  db: Db,
  id: string,
  decision: 'accepted' | 'declined',
  replan: NewInput | null,
): Promise<ReplanProposal['status']> {
  return db.transaction().execute(async (trx) => {
    const { status } = await trx
      .selectFrom('replan_proposals')
      .select('status')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (status !== 'open') return status
    if (replan) await storeInput(trx, replan)
    await trx
      .updateTable('replan_proposals')
      .set({ status: decision, decided_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    return status
  })
}
