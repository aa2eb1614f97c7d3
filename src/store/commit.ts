import { type CompiledQuery, sql } from 'kysely'
import type { ArcCommit } from '../domain/arc/commit.ts'
import { isTerminal } from '../domain/arc/phase.ts'
import type { CommitTexts } from './commit-events.ts'
import { commitWrites } from './commit-writes.ts'
import { type Db, runTogether } from './database.ts'

/**
 * Writes one step of an arc, with the texts it points to, in one transaction, which is one trip to the database.
 * @returns `written`; `repeated` when this very write was made before; `superseded` when the stored
 *   generation is another: nothing was written, the writer must load the arc again
 */
export async function writeCommit(
  db: Db,
  commit: ArcCommit,
  texts: CommitTexts,
): Promise<'written' | 'repeated' | 'superseded'> {
  const { writes, events } = commitWrites(db, commit, texts)
  try {
    await runTogether(db, [claimGeneration(db, commit, events), ...writes])
    return 'written'
  } catch (error) {
    if ((error as { code?: string }).code !== DIVISION_BY_ZERO) throw error
    return (await isRepeat(db, commit)) ? 'repeated' : 'superseded'
  }
}

async function isRepeat(db: Db, { arcId, generation, key }: ArcCommit): Promise<boolean> {
  const arc = await db
    .selectFrom('arcs')
    .select(['generation', 'commit_key'])
    .where('id', '=', arcId)
    .executeTakeFirst()
  return arc?.generation === generation && arc.commit_key === key
}

const DIVISION_BY_ZERO = '22012'

/**
 * Takes the arc's next generation and the numbers of its next events. Nothing can be decided between statements that
 * are sent together, so one that finds another generation fails, and all that follow with it.
 */
function claimGeneration(db: Db, commit: ArcCommit, events: number): CompiledQuery {
  const { flow } = commit
  return db
    .with('claimed', (claim) =>
      claim
        .updateTable('arcs')
        .set((arc) => ({
          generation: commit.generation,
          commit_key: commit.key,
          snapshot: JSON.stringify(flow),
          phase: flow.phase,
          sub_phase: flow.subPhase,
          current_node_id: currentNodeId(commit),
          pending_question: flow.question?.id ?? null,
          paused: flow.paused,
          blocked: flow.blocked
            ? JSON.stringify({
                reason: flow.blocked.reason,
                since: new Date(flow.blocked.since).toISOString(),
                retryAt: new Date(flow.blocked.retryAt).toISOString(),
              })
            : null,
          session_count: flow.sessionCount,
          last_session_at: flow.lastMessageAt === null ? null : new Date(flow.lastMessageAt),
          next_review_at: commit.nextReviewAt === null ? null : new Date(commit.nextReviewAt),
          last_event: arc('last_event', '+', events),
          updated_at: new Date(commit.at),
        }))
        .where('id', '=', commit.arcId)
        .where('generation', '=', commit.generation - 1)
        .returning('id'),
    )
    .selectFrom('claimed')
    .select(sql<number>`1 / count(*)`.as('claimed'))
    .compile()
}

/** The concept in hand: the lesson's, or the open review question's. */
function currentNodeId({ flow }: ArcCommit): string | null {
  if (isTerminal(flow.phase)) return null
  if (flow.phase === 'REVIEWING') return flow.question?.nodeId ?? null
  return flow.lesson?.nodeId ?? null
}
