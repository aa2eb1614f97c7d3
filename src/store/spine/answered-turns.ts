import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** How far the turns were counted: every input up to a place, and some behind it. */
export interface TurnsSeen {
  upTo: string
  beyond: ReadonlySet<string>
}

/** An input that has waited longer than this holds nothing up. */
const PATIENCE = "interval '1 hour'"
const MOST = 10_000

/** Nothing before now is counted. */
export async function beginOfTurns(db: Db): Promise<TurnsSeen> {
  const { rows } = await sql<{ last: string }>`
    select coalesce(max(position), 0)::text as last from inbox`.execute(db)
  return { upTo: rows[0]?.last ?? '0', beyond: new Set() }
}

/** The messages of learners whose turn has ended since `seen`, with how long it took; each is told once. */
export async function answeredTurns(
  db: Db,
  { upTo, beyond }: TurnsSeen,
): Promise<{ answered: { product: string; seconds: number }[]; seen: TurnsSeen }> {
  const { rows } = await sql<{
    position: string
    product: string
    seconds: number | null
    isOpen: boolean
  }>`
    select position::text as position, product,
      extract(epoch from answered_at - received_at)::float8 as seconds,
      answered_at is null and withdrawn_at is null and received_at > now() - ${sql.raw(PATIENCE)} as "isOpen"
    from inbox join entities on entities.id = inbox.entity_id
    where position > ${upTo}::bigint and type in ('message', 'turn')
    order by position limit ${MOST}`.execute(db)
  const answered = rows.flatMap(({ position, product, seconds }) =>
    seconds === null || beyond.has(position) ? [] : [{ product, seconds }],
  )
  const firstOpen = rows.findIndex(({ isOpen }) => isOpen)
  const settled = firstOpen === -1 ? rows : rows.slice(0, firstOpen)
  const later = firstOpen === -1 ? [] : rows.slice(firstOpen)
  return {
    answered,
    seen: {
      upTo: settled.at(-1)?.position ?? upTo,
      beyond: new Set(later.filter(({ isOpen }) => !isOpen).map(({ position }) => position)),
    },
  }
}
