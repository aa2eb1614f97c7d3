import { activityInfo, heartbeat } from '@temporalio/activity'
import type { StaleArc } from '../domain/agenda/state.ts'
import { ABSENT_DAYS, staleness } from '../domain/arc/staleness.ts'
import { languageOfTag } from '../domain/language/languages.ts'
import { fitMemory } from '../domain/spaced-repetition/fitting.ts'
import { dailyReviews } from '../domain/spaced-repetition/review-log.ts'
import { storeAgendaInput } from '../store/agenda/entity.ts'
import { type SnapshotProgress, takeAllSnapshots } from '../store/analytics.ts'
import { arcToWake, findArc } from '../store/arc/arcs.ts'
import { proposeReplans } from '../store/arc/proposals.ts'
import { readAttendance, warnOfStaleness } from '../store/arc/staleness.ts'
import type { Db } from '../store/database.ts'
import { keepMemory, learnersToFit, readReviewLog, tellWeights } from '../store/memory.ts'
import { pruneTeacherEvents } from '../store/practice/teacher.ts'
import type { EntityToWake } from '../store/spine/entities.ts'
import { storeInput } from '../store/spine/inbox.ts'
import { phrase } from '../tutor/phrases.ts'
import { loadFitter } from './memory/fit-weights.ts'

const TEACHER_EVENTS_KEPT_MS = 30 * 24 * 60 * 60_000

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>

/** What is done by the calendar; `at` is the nominal time of the schedule in UTC ms. */
export function createHousekeepingActivities({
  db,
  dayMs,
  wake,
}: {
  db: Db
  dayMs: number
  wake: (entity: EntityToWake) => void
}) {
  /** The learner hears of it over their channels, at the next moment at which they may be disturbed. */
  async function tellAgenda(
    { arcId, learnerId, topic }: { arcId: string; learnerId: string; topic: string },
    closed: boolean,
    at: number,
  ): Promise<void> {
    const id = `${closed ? 'closed' : 'stale'}/${arcId}/${at}`
    const payload = { arcId, topic, closed } satisfies StaleArc
    const agenda = await storeAgendaInput(db, learnerId, { id, type: 'stale', payload })
    if (agenda) wake(agenda)
  }

  async function abandonStale(arcId: string): Promise<void> {
    const arc = await findArc(db, arcId)
    if (!arc) return
    const payload = { reason: 'stale' }
    const input = { entityId: arcId, id: 'stale', type: 'abandon', payload, urgent: true }
    await storeInput(db, input)
    wake(arcToWake(arc))
  }

  return {
    /**
     * One snapshot per map for the UTC day, and what it gives cause to propose; doing it again replaces it. An attempt goes
     * on where the last one was when it told of itself.
     */
    async takeSnapshots({ at }: { at: number }): Promise<number> {
      let reached: SnapshotProgress | null = activityInfo().heartbeatDetails ?? null
      const taken = await takeAllSnapshots(db, at, reached, (progress) => {
        reached = progress
        heartbeat(reached)
      })
      await proposeReplans(db, at, () => heartbeat(reached))
      return taken
    },

    /**
     * Fits FSRS to the reviews of each learner who has enough of them and new ones, and tells their arcs; one learner after
     * the other. Done again, it does what is left.
     * @returns how many memories were fitted; 0 where there is no optimizer for this machine
     */
    async fitMemories({ at }: { at: number }): Promise<number> {
      const fit = await loadFitter()
      if (!fit) return 0
      let fitted = 0
      for (const learnerId of await learnersToFit(db)) {
        heartbeat()
        const log = await readReviewLog(db, learnerId)
        const found = await fitMemory(dailyReviews(log, dayMs), fit)
        if (!found) continue
        await keepMemory(db, learnerId, found, log.length, at)
        fitted += 1
      }
      for (const arc of await tellWeights(db, at)) wake(arcToWake(arc))
      return fitted
    },

    /** Forgets what teachers' pages heard of a month ago. */
    async forgetTeacherEvents({ at }: { at: number }): Promise<number> {
      return pruneTeacherEvents(db, at - TEACHER_EVENTS_KEPT_MS)
    },

    /** Warns the learners of stale arcs, and abandons those that were warned a week ago, in the arc and by a nudge. */
    async sweepStaleArcs({ at }: { at: number }): Promise<{ warned: number; abandoned: number }> {
      const swept = { warned: 0, abandoned: 0 }
      for (const attendance of await readAttendance(db)) {
        const verdict = staleness(attendance, at)
        if (verdict === 'warn') {
          const language = languageOfTag(attendance.language)
          const text = phrase({ phrase: 'going-stale', params: { days: ABSENT_DAYS } }, language)
          // Swept again after a crash, the same input is stored once.
          await tellAgenda(attendance, false, at)
          await warnOfStaleness(db, attendance.arcId, text, new Date(at))
          swept.warned += 1
        }
        if (verdict === 'abandon') {
          await tellAgenda(attendance, true, at)
          await abandonStale(attendance.arcId)
          swept.abandoned += 1
        }
      }
      return swept
    },
  }
}
