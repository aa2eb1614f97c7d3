import { randomUUID } from 'node:crypto'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import type { DrillGrade } from '../domain/course-tutor/drill-grade.ts'
import { hashText } from '../domain/random/seeded-random.ts'
import type { RequestConclusion } from '../store/course-commit.ts'
import { statusesFromLocks } from '../store/course-locks.ts'
import { isDrillGraded } from '../store/course-records.ts'
import type { RequestPayloads, RequestResult } from '../store/course-requests.ts'
import { expectedAnswer } from '../tutor/offline/question-choice.ts'
import { cardOf } from '../tutor/steps/course/card.ts'
import { drawDrills, drillFrom, shownAs } from '../tutor/steps/course/course-drills.ts'
import type { GradeBrief } from '../tutor/steps/course/drill-grade.ts'
import {
  type CodeGrade,
  gradeByCode,
  gradeCourseDrill,
  gradeMadeUpDrill,
  NOT_COUNTED,
} from '../tutor/steps/course/drill-grading.ts'
import { DRILL_LIFE_MS, type SealedDrill } from '../tutor/steps/course/drill-token.ts'
import { type CourseDependencies, type InHand, liteOf, unitOf } from './course-dependencies.ts'
import type { MindOutcome } from './course-turn.ts'

/** A drill's answer as far as code can grade it. `expired` is a drill that may no longer be answered. */
export type PreparedGrade =
  | { expired: true; drill: SealedDrill }
  | { expired: false; drill: SealedDrill; code: CodeGrade; brief: GradeBrief | null }

const problem = (status: number, detail: string): RequestResult => ({ status, body: { detail } })

/**
 * Checks a drill's token and grades by code; `brief` is what a model is still to be asked. A drill that this server did
 * not issue to this thread, or that is graded already, is refused.
 */
export async function prepareGrade(
  { db, sealer, mind }: CourseDependencies,
  { request, course, at }: InHand,
): Promise<PreparedGrade | RequestResult> {
  const payload = request.payload as RequestPayloads['drill_grade']
  const drill = sealer.open(payload.token)
  const isOurs =
    drill !== null &&
    drill.threadId === request.thread_id &&
    drill.unitId === payload.unitId &&
    shownAs(drill) === shownAs(payload)
  if (!isOurs) return problem(422, 'This drill was not given in this thread.')
  if (await isDrillGraded(db, drill.id)) {
    return problem(409, 'This drill is graded already; ask for another one.')
  }
  if (at - drill.issuedAt > DRILL_LIFE_MS) return { expired: true, drill }
  const unit = unitOf(course, drill.unitId)
  if (!unit) return problem(422, 'The course no longer has the unit of this drill.')
  const drawn = drill.source === null ? null : drillFrom(unit, drill.source)
  const code = drawn
    ? gradeCourseDrill(course, unit, drawn, payload.studentAnswer)
    : gradeMadeUpDrill(
        drill.key as AnswerKey,
        `${drill.prompt}\n$${drill.questionLatex}$`,
        payload.studentAnswer,
      )
  const asks = mind.name === 'anthropic' && !(code.decided && code.isExplained)
  if (!asks) return { expired: false, drill, code, brief: null }
  const brief: GradeBrief = {
    language: course.language,
    prompt: drill.prompt,
    questionLatex: drill.questionLatex,
    expectedAnswer: drawn ? expectedAnswer(drawn.question) : drill.expectedAnswer,
    studentAnswer: payload.studentAnswer,
    code,
    tags: course.units.flatMap(({ misconceptions }) =>
      misconceptions.map(({ tag, description }) => ({ tag, description })),
    ),
  }
  return { expired: false, drill, code, brief }
}

/** The grade as it is stored and shown; where nobody could read the answer, nothing is counted. Seed 004 PF-4.1. */
export function concludeGrade(
  dependencies: CourseDependencies,
  hand: InHand,
  prepared: PreparedGrade,
  outcome: MindOutcome<DrillGrade | null> | null,
): RequestConclusion {
  if (prepared.expired) return freshDrill(dependencies, hand, prepared.drill)
  const { course, at, stored } = hand
  const { drill, code } = prepared
  const grade = outcome?.ok ? outcome.output : gradeByCode(code)
  const { isCorrect, commonMistakeTag } = grade ?? NOT_COUNTED
  const statuses = statusesFromLocks(stored.locks, at)
  return {
    change: {
      messages: [],
      evidence: grade && {
        type: 'drill_graded',
        unitId: drill.unitId,
        isCorrect,
        commonMistakeTag,
        at,
      },
      ...(grade ? { drillId: drill.id } : {}),
    },
    resultOf: (snapshot) => ({
      status: 200,
      body: {
        ...(grade ?? NOT_COUNTED),
        snapshotLite: liteOf(course, snapshot, stored.blocker, statuses),
      },
    }),
  }
}

/** A drill that has expired is replaced by another one, shown in the thread. */
function freshDrill(
  { sealer }: CourseDependencies,
  { request, course, at }: InHand,
  drill: SealedDrill,
): RequestConclusion {
  const unit = unitOf(course, drill.unitId)
  const seed = hashText(request.id)
  const [drawn] = unit ? drawDrills(unit, seed, 1, new Set([shownAs(drill)])) : []
  const detail = 'This drill is more than 24 hours old.'
  if (!unit || !drawn) {
    const refused = problem(409, detail)
    return { change: { evidence: null, messages: [] }, resultOf: () => refused }
  }
  const text = `That exercise was from another day. Here is a fresh one on **${unit.title}**.`
  const card = cardOf(
    {
      action: 'DRILL_CARD',
      targetUnitId: unit.unitId,
      tutorText: text,
      drillCard: { ...drawn, expectedAnswer: expectedAnswer(drawn.question) },
    },
    {
      course,
      threadId: request.thread_id,
      sealer,
      drillId: randomUUID(),
      drillSource: drawn.source,
      examStatusById: {},
      at,
    },
  )
  const threadId = request.thread_id
  const said = {
    threadId,
    role: 'assistant',
    text,
    latex: null,
    action: 'DRILL_CARD',
    unitId: unit.unitId,
    card,
  } as const
  return {
    change: { evidence: null, messages: [{ ...said, turnId: null }] },
    resultOf: (_, messages) => ({
      status: 409,
      body: { detail: `${detail} Here is a fresh one.`, card, message: messages[0] },
    }),
  }
}
