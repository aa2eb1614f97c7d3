import type { Course } from '../../contracts/course-pack.ts'
import { type Closing, closingOf, type GradedAnswer } from '../../domain/arc/closing.ts'
import { MOST_PROBLEMS } from '../../domain/arc/practising.ts'
import type { Question } from '../../domain/arc/question.ts'
import type { LoadedArc } from '../../domain/arc/state.ts'
import {
  type Asking,
  CODE_STEPS,
  type OpenedPractice,
  type PracticeResult,
  type StepInputs,
} from '../../domain/arc/steps.ts'
import type { Problem } from '../../domain/practice/state.ts'
import { hashText } from '../../domain/random/seeded-random.ts'
import { derivedId } from '../../domain/spine/ids.ts'
import { answersRead } from '../../store/arc/closing.ts'
import {
  type ConceptSource,
  outcomeOf,
  outcomeReads,
  practiceSource,
  practiceSourceReads,
} from '../../store/arc/practice.ts'
import type { Db } from '../../store/database.ts'
import type { NewPractice } from '../../store/practice/sessions.ts'
import type { Transaction } from '../../store/spine/transaction.ts'
import {
  problemsAskedBefore,
  problemsOfUnit,
  problemsWritten,
} from '../../tutor/steps/practice/choose-problems.ts'

export type CodeAsking = Extract<Asking, { kind: (typeof CODE_STEPS)[number] }>

/** Whether code answers a step, whoever the tutor is. */
export const isOfCode = (asking: Asking): asking is CodeAsking =>
  (CODE_STEPS as readonly string[]).includes(asking.kind)

/** The steps of an arc that code answers, whoever the tutor is. */
export async function answerCodeStep(
  db: Db,
  courses: readonly Course[],
  arc: LoadedArc,
  { kind, input }: CodeAsking,
  transaction: Transaction,
): Promise<OpenedPractice | PracticeResult | Closing | null> {
  if (kind === 'practice') return openPractice(db, courses, arc, input, transaction)
  if (kind === 'closing') {
    const [answers = []] = await transaction.read<[GradedAnswer]>(answersRead(db, arc.mindMapId))
    return closingOf(arc.map.nodes, answers, unitsOf(courses, arc.courseId))
  }
  const rows = await transaction.read<unknown[]>(...outcomeReads(db, input.sessionId))
  return outcomeOf(arc.arcId, rows as unknown[][])
}

const unitsOf = (courses: readonly Course[], courseId: string | null) =>
  courses.find((course) => course.courseId === courseId)?.units

/**
 * A practice session: the one that is open stays the only one, else a new one of what was written for it, of a course's
 * problems, or of questions asked before. Null where there are none.
 */
async function openPractice(
  db: Db,
  courses: readonly Course[],
  arc: LoadedArc,
  { nodeIds, turn, written }: StepInputs['practice'],
  transaction: Transaction,
): Promise<OpenedPractice | null> {
  const rows = await transaction.read<unknown[]>(...practiceSourceReads(db, arc, nodeIds))
  const source = practiceSource(arc, nodeIds, rows as unknown[][])
  if (source.open) return { ...source.open, isOld: true, session: null }
  const externalSessionId = `arc_${arc.arcId}_${turn}`
  const course = courses.find(({ courseId }) => courseId === arc.courseId) ?? null
  const asked = new Set(source.concepts.flatMap(({ before }) => before.map(({ text }) => text)))
  // What is open in the lesson, or was asked before, is no exercise.
  const fresh = written.filter(({ text }) => !asked.has(text))
  const chosen =
    fresh.length > 0
      ? onTheirConcepts(arc, nodeIds, fresh)
      : source.concepts.flatMap((concept, place) =>
          problemsOn(arc, course, concept, {
            seed: hashText(externalSessionId) + place,
            count: Math.ceil(MOST_PROBLEMS / nodeIds.length),
          }),
        )
  const problems = withOwnIds(chosen)
  const [first] = problems
  if (!first?.nodeId) return null
  const sessionId = derivedId(arc.arcId, 'practice', turn)
  const unitIds = new Set(problems.map(({ help }) => help?.unit?.unitId))
  const [unitId] = unitIds
  return {
    sessionId,
    externalSessionId,
    nodeIds: [...new Set(problems.flatMap(({ nodeId }) => nodeId ?? []))],
    isOld: false,
    count: problems.length,
    session: {
      sessionId,
      integrationId: null,
      externalSessionId,
      studentId: source.learnerHandle,
      questionSetId: (unitIds.size === 1 ? unitId : null) ?? 'arc',
      problems,
      implicit: false,
      tutor: arc.tutor,
      arc: { arcId: arc.arcId, nodeId: first.nodeId, learnerId: arc.learnerId },
    } satisfies NewPractice,
  }
}

/** Problems on one concept: a course's, else what was asked before. */
function problemsOn(
  arc: LoadedArc,
  course: Course | null,
  { nodeId, before, keyed }: ConceptSource,
  { seed, count }: { seed: number; count: number },
): Problem[] {
  const node = arc.map.nodes.find(({ id }) => id === nodeId)
  const unit = course?.units.find(({ unitId }) => unitId === node?.unitId)
  const fresh = course && unit ? problemsOfUnit(course, unit, before, seed, count) : []
  const problems = fresh.length > 0 ? fresh : problemsAskedBefore(keyed).slice(0, count)
  return problems.map((problem) => ({ ...problem, nodeId }))
}

/** Each written problem on the concept that it names, else on the first of those that were asked for. */
function onTheirConcepts(
  { map }: LoadedArc,
  nodeIds: readonly string[],
  written: readonly Question[],
): Problem[] {
  const asked = map.nodes.filter(({ id }) => nodeIds.includes(id))
  return problemsWritten(written).map((problem, place) => {
    const named = written[place]?.concept.trim().toLowerCase()
    const node = asked.find(({ label }) => label.trim().toLowerCase() === named)
    const nodeId = node?.id ?? nodeIds[0]
    return nodeId === undefined ? problem : { ...problem, nodeId }
  })
}

/** Ids tell the problems of a session apart; two concepts may bring the same. */
const withOwnIds = (problems: readonly Problem[]): Problem[] => [
  ...new Map(problems.map((problem) => [problem.id, problem])).values(),
]
