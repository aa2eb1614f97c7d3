import { getClient } from '@temporalio/activity'
import type { Course } from '../contracts/course-pack.ts'
import { SIGNAL, WORKFLOW } from '../contracts/temporal.ts'
import { arcStart, practiceStart } from '../contracts/workflow-start.ts'
import { hashText } from '../domain/random/seeded-random.ts'
import {
  openPracticeOf,
  readPracticeSource,
  readSessionOutcome,
  type SessionOutcome,
} from '../store/arc-practice.ts'
import { findArc } from '../store/arcs.ts'
import type { Db } from '../store/database.ts'
import {
  createPractice,
  findPractice,
  readPractice,
  type SessionRow,
} from '../store/practice-sessions.ts'
import { problemsAskedBefore, problemsOfUnit } from '../tutor/steps/practice/choose-problems.ts'

/** A session for the learner to go to. */
export interface OpenedPractice {
  /** The internal id, and the one that the practice endpoints know. */
  sessionId: string
  externalSessionId: string
  nodeId: string
  count: number
  /** Whether it was open before, and is to be finished first. */
  isOld: boolean
}

export type ArcPracticeActivities = ReturnType<typeof createArcPracticeActivities>

/** What stands between an arc and the practice sessions on its concepts. */
export function createArcPracticeActivities({ db, courses }: { db: Db; courses: Course[] }) {
  return {
    /**
     * Stores a practice session on a concept, once a turn however often it is asked for; the one that is open stays the
     * only one. Null where there are no questions that code can judge.
     */
    async openPractice(wish: {
      arcId: string
      nodeId: string
      turn: number
    }): Promise<OpenedPractice | null> {
      const externalSessionId = `arc_${wish.arcId}_${wish.turn}`
      const made = await findPractice(db, null, externalSessionId)
      if (made) return opened(made, false)
      const open = await openPracticeOf(db, wish.arcId)
      if (open) return opened(open, true)
      const source = await readPracticeSource(db, wish)
      if (!source) return null
      const unit = courses
        .find(({ courseId }) => courseId === source.courseId)
        ?.units.find(({ unitId }) => unitId === source.unitId)
      const fresh = unit ? problemsOfUnit(unit, source.before, hashText(externalSessionId)) : []
      const problems = fresh.length > 0 ? fresh : problemsAskedBefore(source.keyed)
      if (problems.length === 0) return null
      const session = await createPractice(db, {
        integrationId: null,
        externalSessionId,
        studentId: source.learnerHandle,
        questionSetId: unit?.unitId ?? 'arc',
        problems,
        implicit: false,
        tutor: source.tutor,
        arc: { arcId: wish.arcId, nodeId: wish.nodeId },
      })
      const stored = session ?? (await findPractice(db, null, externalSessionId))
      return stored && opened(stored, false)
    },

    /** Starts the workflow of a stored session; one that runs already is left as it is. */
    async startPractice({ sessionId }: { sessionId: string }): Promise<void> {
      await getClient().workflow.start(WORKFLOW.practiceSession, practiceStart(sessionId))
    },

    /** Tells the arc that its session is completed; an arc that sleeps or is over is woken for it. */
    async tellArc({ sessionId }: { sessionId: string }): Promise<void> {
      const session = await readPractice(db, sessionId)
      if (!session?.arc_id || session.arc_turn !== null) return
      const arc = await findArc(db, session.arc_id)
      if (!arc) return
      await getClient().workflow.signalWithStart(WORKFLOW.learningArc, {
        ...arcStart(arc),
        signal: SIGNAL.practiceOutcome,
        signalArgs: [{ sessionId }],
      })
    },

    /** How a completed session went; null where an earlier turn has taken it up. */
    async readPracticeOutcome(of: {
      arcId: string
      sessionId: string
      turn: number
    }): Promise<SessionOutcome | null> {
      return readSessionOutcome(db, of)
    },
  }
}

const opened = (row: SessionRow, isOld: boolean): OpenedPractice => ({
  sessionId: row.session_id,
  externalSessionId: row.external_session_id,
  nodeId: row.node_id ?? '',
  count: row.problems_total,
  isOld,
})
