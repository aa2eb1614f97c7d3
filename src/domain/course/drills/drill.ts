import { derivedId } from '../../spine/ids.ts'
import type { GradeOutcome } from '../brief.ts'
import { courseTags, type TaughtCourse } from '../course.ts'
import { statusesFromLocks } from '../exams/locks.ts'
import { forbiddenWords } from '../policy/forbidden-claims.ts'
import { POLICY_CONSTRAINTS } from '../policy/tutor-policy.ts'
import { sideQuality } from '../snapshot/side-quality.ts'
import { spokenIn, spokenTag } from '../spoken.ts'
import {
  type CourseEffect,
  type Decision,
  done,
  type LoadedCourse,
  liteOf,
  type NewMessage,
  type OpenedDrill,
  refused,
  takeInHand,
  type Work,
} from '../state.ts'
import { type CourseWords, courseWords } from '../words.ts'
import {
  type CodeGrade,
  DRILL_LIFE_MS,
  type DrillGrade,
  equalGrade,
  keepKnownTag,
  notCounted,
  type SealedDrill,
  shownAs,
} from './drill-grade.ts'

export type DrillWork = Extract<Work, { type: 'drill' }>

/**
 * What is done with the answer to a drill. A drill that this server did not issue to this thread, or that is graded
 * already, is refused; one that has expired is replaced; a mind is asked where code cannot decide or explain.
 */
export function checkDrill(
  loaded: LoadedCourse,
  work: DrillWork,
  opened: OpenedDrill,
  at: number,
): Decision {
  const { course } = loaded
  const words = courseWords(spokenIn(loaded))
  const { id, threadId, payload } = work.request
  const { drill, code } = opened
  const isOurs =
    drill !== null &&
    drill.threadId === threadId &&
    drill.unitId === payload.unitId &&
    shownAs(drill) === shownAs(payload)
  if (!isOurs) return refused(loaded, id, 422, 'This drill was not given in this thread.')
  if (opened.isGraded) {
    return refused(loaded, id, 409, words.gradedAlready)
  }
  if (at - drill.issuedAt > DRILL_LIFE_MS) return freshDrill(loaded, work, drill, opened)
  if (!code) return refused(loaded, id, 422, 'The course no longer has the unit of this drill.')
  if (code.decided && code.isExplained) return concludeDrill(loaded, work, drill, code, null, at)
  const brief = {
    language: spokenTag(loaded),
    prompt: drill.prompt,
    questionLatex: drill.questionLatex,
    expectedAnswer: opened.expectedAnswer,
    studentAnswer: payload.studentAnswer,
    codeVerdict: code.decided ? ('wrong' as const) : code.verdict,
    tags: course.units.flatMap(({ misconceptions }) =>
      misconceptions.map(({ tag, description }) => ({ tag, description })),
    ),
  }
  return takeInHand(loaded, { ...work, stage: { step: 'drill-grade', drill, code, brief } })
}

/** The grade as it is stored and shown; where nobody could read the answer, nothing is counted. Seed 004 PF-4.1. */
export function concludeDrill(
  loaded: LoadedCourse,
  { request: { id: requestId, payload } }: DrillWork,
  drill: SealedDrill,
  code: CodeGrade,
  outcome: GradeOutcome | null,
  at: number,
): Decision {
  const { id: drillId, unitId } = drill
  const words = courseWords(spokenIn(loaded))
  const grade = finalGrade(code, outcome, courseTags(loaded.course), words)
  const evidence = grade && {
    type: 'drill_graded' as const,
    unitId,
    isCorrect: grade.isCorrect,
    commonMistakeTag: grade.commonMistakeTag,
    at,
  }
  const after = done(loaded, { evidence })
  const snapshotLite = liteOf(after, statusesFromLocks(after.state.locks, at))
  const side = {
    unitId,
    question: `${drill.prompt} $${drill.questionLatex}$`,
    answer: payload.studentAnswer,
    quality: sideQuality(grade?.isCorrect === true, drill.hinted === true),
    mistake: believed(loaded.course, grade?.commonMistakeTag ?? null),
  }
  const counted: CourseEffect[] = evidence
    ? [
        { type: 'evidence', requestId, evidence },
        { type: 'drill-graded', requestId, drillId },
        { type: 'side-response', requestId, ...side, notes: 'a drill in the course tutor' },
      ]
    : []
  const body = { ...(grade ?? notCounted(words)), isCounted: grade !== null, snapshotLite }
  return { loaded: after, effects: [...counted, { type: 'answer', requestId, status: 200, body }] }
}

/** The misconception of a tag, with what is believed; null where the course has none of that tag. */
function believed(
  { units }: TaughtCourse,
  tag: string | null,
): { tag: string; belief: string } | null {
  const found = units
    .flatMap(({ misconceptions }) => misconceptions)
    .find((each) => each.tag === tag)
  return found ? { tag: found.tag, belief: found.description } : null
}

/** Code's verdict stands; a model may explain it, and decides only where code cannot. Null: nobody could. */
function finalGrade(
  code: CodeGrade,
  outcome: GradeOutcome | null,
  tags: readonly string[],
  words: CourseWords,
): DrillGrade | null {
  const said = outcome?.ok ? withFitWords(keepKnownTag(outcome.said, tags), tags, words) : null
  if (code.decided) return said && said.isCorrect === code.grade.isCorrect ? said : code.grade
  return said ?? (code.verdict === 'equal' ? equalGrade(words) : null)
}

/** The grade with its bare verdict for words that are too many, or not the mind's to say. */
function withFitWords(
  grade: DrillGrade,
  courseTags: readonly string[],
  { right, notRight }: CourseWords,
): DrillGrade {
  const { feedbackText, isCorrect } = grade
  const words = feedbackText.match(/\S+/g)?.length ?? 0
  const isFit =
    words > 0 &&
    words <= POLICY_CONSTRAINTS.maxConceptWords &&
    forbiddenWords(feedbackText, { courseTags, examIds: [] }).length === 0
  return isFit ? grade : { ...grade, feedbackText: isCorrect ? right : notRight }
}

/** A drill that has expired is replaced by another one, shown in the thread. */
function freshDrill(
  loaded: LoadedCourse,
  { request }: DrillWork,
  { unitId }: SealedDrill,
  { another }: OpenedDrill,
): Decision {
  const { id: requestId, threadId } = request
  const words = courseWords(spokenIn(loaded))
  const detail = words.tooOld
  const unit = loaded.course.units.find((candidate) => candidate.unitId === unitId)
  if (!unit || !another) return refused(loaded, requestId, 409, detail)
  const { source: drillSource, ...drillCard } = another
  const text = words.freshExercise(unit.title)
  const drillId = derivedId(requestId, 'fresh drill')
  const move = { action: 'DRILL_CARD' as const, targetUnitId: unitId, tutorText: text, drillCard }
  const message: NewMessage = {
    id: derivedId(requestId, 'tutor'),
    threadId,
    role: 'assistant',
    text,
    latex: null,
    turnId: null,
    shown: { move, drillId, drillSource, examStatusById: {} },
  }
  return {
    loaded: done(loaded),
    effects: [
      { type: 'message', message },
      {
        type: 'answer',
        requestId,
        status: 409,
        body: { detail: `${detail} ${words.hereIsAFresh}` },
        shows: 'fresh-drill',
      },
    ],
  }
}
