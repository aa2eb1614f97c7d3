import type { Course } from '../../contracts/course-pack.ts'
import type { LoadedArc } from '../../domain/arc/state.ts'
import type { Asking, OpenedPractice, PracticeResult } from '../../domain/arc/steps.ts'
import { hashText } from '../../domain/random/seeded-random.ts'
import { derivedId } from '../../domain/spine/ids.ts'
import {
  outcomeOf,
  outcomeReads,
  practiceSource,
  practiceSourceReads,
} from '../../store/arc/practice.ts'
import type { Db } from '../../store/database.ts'
import type { NewPractice } from '../../store/practice/sessions.ts'
import type { Transaction } from '../../store/spine/transaction.ts'
import { problemsAskedBefore, problemsOfUnit } from '../../tutor/steps/practice/choose-problems.ts'

type CodeAsking = Extract<Asking, { kind: 'practice' | 'outcome' }>

/** The steps of an arc that code answers, whoever the tutor is. */
export async function answerCodeStep(
  db: Db,
  courses: readonly Course[],
  arc: LoadedArc,
  { kind, input }: CodeAsking,
  transaction: Transaction,
): Promise<OpenedPractice | PracticeResult | null> {
  if (kind === 'practice') return openPractice(db, courses, arc, input, transaction)
  const rows = await transaction.read<unknown[]>(...outcomeReads(db, input.sessionId))
  return outcomeOf(arc.arcId, rows as unknown[][])
}

/**
 * A practice session on a concept: the one that is open stays the only one, else a new one of questions that code can
 * judge. Null where there are none.
 */
async function openPractice(
  db: Db,
  courses: readonly Course[],
  arc: LoadedArc,
  { nodeId, turn }: { nodeId: string; turn: number },
  transaction: Transaction,
): Promise<OpenedPractice | null> {
  const rows = await transaction.read<unknown[]>(...practiceSourceReads(db, arc, nodeId))
  const source = practiceSource(arc, rows as unknown[][])
  if (source.open) return { ...source.open, isOld: true, session: null }
  const externalSessionId = `arc_${arc.arcId}_${turn}`
  const node = arc.map.nodes.find(({ id }) => id === nodeId)
  const course = courses.find(({ courseId }) => courseId === arc.courseId)
  const unit = course?.units.find(({ unitId }) => unitId === node?.unitId)
  const fresh =
    course && unit ? problemsOfUnit(course, unit, source.before, hashText(externalSessionId)) : []
  const problems = fresh.length > 0 ? fresh : problemsAskedBefore(source.keyed)
  if (problems.length === 0) return null
  const sessionId = derivedId(arc.arcId, 'practice', turn)
  return {
    sessionId,
    externalSessionId,
    nodeId,
    isOld: false,
    count: problems.length,
    session: {
      sessionId,
      integrationId: null,
      externalSessionId,
      studentId: source.learnerHandle,
      questionSetId: unit?.unitId ?? 'arc',
      problems,
      implicit: false,
      tutor: arc.tutor,
      arc: { arcId: arc.arcId, nodeId, learnerId: arc.learnerId },
    } satisfies NewPractice,
  }
}
