import { sql } from 'kysely'
import type { AgendaView } from '../../contracts/agenda.ts'
import { StudyCalendar } from '../../domain/agenda/study-calendar.ts'
import { todayOf } from '../../domain/agenda/today.ts'
import { nextNode } from '../../domain/mind-map/frontier.ts'
import type { UnlockAt } from '../../domain/mind-map/mind-map.ts'
import { type Db, queryTogether } from '../database.ts'
import { readMap } from '../maps/rows.ts'
import { agendaFacts, factReads } from './facts.ts'

/** So far back what was sent is shown. */
const SHOWN_DAYS = 7
const DAY_MS = 86_400_000

/**
 * The agenda of a learner at a moment, from the tables alone: it is right also where no workflow of it has ever run.
 * @returns null if there is no such learner
 */
export async function readAgenda(
  db: Db,
  learnerId: string,
  at: number,
  dayMs: number,
): Promise<AgendaView | null> {
  const facts = agendaFacts((await queryTogether(db, ...factReads(db, learnerId))) as unknown[][])
  if (!facts) return null
  const { listed, ...today } = todayOf(facts, new StudyCalendar(facts.times, dayMs), at)
  const [next, nudges] = await Promise.all([
    readNext(db, learnerId),
    readNudges(db, learnerId, at - SHOWN_DAYS * DAY_MS),
  ])
  return {
    ...today,
    due: listed.map(({ dueAt, ...item }) => ({ ...item, dueAt: iso(dueAt) })),
    next,
    nudges,
    holidayUntil: laterThan(at, facts.holidayUntil),
    snoozedUntil: laterThan(at, facts.snoozedUntil),
  }
}

const iso = (time: number) => new Date(time).toISOString()
const laterThan = (at: number, until: number | null) =>
  until === null || until <= at ? null : iso(until)

/** The lesson to go on with: of the open arc that the learner was in last and that has one. */
async function readNext(db: Db, learnerId: string): Promise<AgendaView['next']> {
  const arcs = await db
    .selectFrom('arcs')
    .leftJoin('mind_map_nodes as node', 'node.id', 'arcs.current_node_id')
    .select(['arcs.id', 'arcs.phase', 'arcs.mind_map_id', 'arcs.settings', 'node.label'])
    .where('arcs.learner_id', '=', learnerId)
    .where('arcs.phase', 'in', ['TEACHING', 'QUIZZING', 'REVIEWING'])
    .where('arcs.paused', '=', false)
    .where('arcs.archived', '=', false)
    .orderBy(sql`arcs.last_session_at desc nulls last`)
    .orderBy('arcs.started_at', 'desc')
    .execute()
  for (const { id, phase, mind_map_id, settings, label } of arcs) {
    if (label !== null && phase !== 'REVIEWING') return { arcId: id, label }
    const map = await readMap(db, mind_map_id)
    const node = map && nextNode(map, (settings as { unlockAt: UnlockAt }).unlockAt)
    if (node) return { arcId: id, label: node.label }
  }
  return null
}

/** What was sent, newest first, once for each channel; the page shows every nudge. */
async function readNudges(db: Db, learnerId: string, since: number): Promise<AgendaView['nudges']> {
  const { rows } = await sql<{
    id: string
    channel: AgendaView['nudges'][number]['channel']
    sent_at: Date
    answered_at: Date | null
  }>`
    select id, 'web' as channel, created_at as sent_at, answered_at from nudges
    where learner_id = ${learnerId}::uuid and created_at > ${new Date(since)}
    union all
    select nudges.id, delivery.channel, delivery.sent_at, answered_at
    from nudges join nudge_deliveries as delivery on delivery.nudge_id = nudges.id
    where learner_id = ${learnerId}::uuid and created_at > ${new Date(since)} and delivery.sent_at is not null
    order by sent_at desc, channel`.execute(db)
  return rows.map(({ id, channel, sent_at, answered_at }) => ({
    id,
    channel,
    sentAt: sent_at.toISOString(),
    answeredAt: answered_at?.toISOString() ?? null,
  }))
}
