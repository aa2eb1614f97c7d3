import { activityInfo, heartbeat } from '@temporalio/activity'
import type { Course } from '../contracts/course-pack.ts'
import type {
  CourseMindActivities,
  CourseState,
  CourseStoreActivities,
  ExamAuthorityActivities,
  RequestRef,
} from '../contracts/course-workflow.ts'
import type { DrillGrade } from '../domain/course-tutor/drill-grade.ts'
import { commitRequest, type RequestConclusion, refuseRequest } from '../store/course-commit.ts'
import { nextCallBack } from '../store/course-locks.ts'
import { keepAnswer, keepPrepared, readRequest, withdrawRequest } from '../store/course-requests.ts'
import {
  getOrCreateSnapshot,
  readStoredCourse,
  type StoredCourse,
} from '../store/course-snapshots.ts'
import { storable } from '../store/course-storable.ts'
import type { Mind } from '../tutor/mind.ts'
import { drillGrade } from '../tutor/steps/course/drill-grade.ts'
import { type TakenTurn, turn } from '../tutor/steps/course/turn.ts'
import { callBackToRevisits } from './course-call-back.ts'
import type { CourseDependencies, InHand } from './course-dependencies.ts'
import { concludeGrade, type PreparedGrade, prepareGrade } from './course-drill.ts'
import {
  type AuthorityOutcome,
  askAuthority,
  checkExamRequest,
  concludeExam,
} from './course-exam.ts'
import {
  type MindOutcome,
  outcomeOf,
  type PreparedTurn,
  prepareTurn,
  turnContext,
} from './course-turn.ts'
import { concludeTurn } from './course-turn-conclusion.ts'

const HEARTBEAT_MS = 3_000

/** The activities of `courseTutor`: those on its own queue, and the one that asks a model. */
export function createCourseTutorActivities(dependencies: CourseDependencies): {
  store: CourseStoreActivities & ExamAuthorityActivities
  model: CourseMindActivities
} {
  return {
    store: { ...storeActivities(dependencies), ...authorityActivities(dependencies) },
    model: mindActivities(dependencies),
  }
}

function storeActivities(dependencies: CourseDependencies): CourseStoreActivities {
  const { db, courses } = dependencies
  const courseOf = (courseId: string) => courses.find((course) => course.courseId === courseId)
  return {
    async loadCourse({ courseId, learnerId, at }) {
      const course = courseOf(courseId)
      if (!course) return null
      const { entryUnitId } = course
      const stored = await getOrCreateSnapshot(db, { learnerId, courseId, entryUnitId, at })
      return stateOf(course, stored, dependencies.mind)
    },

    async prepareRequest({ requestId, at, ...ref }) {
      const hand = await takeInHand(dependencies, { requestId, ...ref }, at)
      if (!hand) return 'done'
      switch (hand.request.kind) {
        case 'turn':
          return prepareTurnStep(dependencies, hand)
        case 'drill_grade':
          return prepareGradeStep(dependencies, hand)
        default: {
          const refusal = await checkExamRequest(dependencies, hand)
          if (!refusal) return 'authority'
          await refuseRequest(db, requestId, refusal)
          return 'done'
        }
      }
    },

    async commitRequest({ at, generation, ...ref }) {
      const course = courseOf(ref.courseId)
      if (!course) throw new Error(`the course ${ref.courseId} is not installed`)
      const { outcome, stored } = await commitRequest(db, { ...ref, generation, at }, (found) =>
        isReady(found.request) ? conclude(dependencies, { ...found, course, at }) : null,
      )
      return { outcome, state: stateOf(course, stored, dependencies.mind) }
    },

    async giveUp({ requestId }) {
      await withdrawRequest(db, requestId)
    },

    async callBack({ courseId, learnerId, at }) {
      const course = courseOf(courseId)
      const stored = await readStoredCourse(db, learnerId, courseId)
      if (!course || !stored) throw new Error(`the course ${courseId} is not stored`)
      const after = await callBackToRevisits(dependencies, course, stored, at)
      const outcome = after ? 'written' : 'superseded'
      return { outcome, state: stateOf(course, after ?? stored, dependencies.mind) }
    },
  }
}

async function takeInHand(
  { db, courses }: CourseDependencies,
  { requestId, courseId, learnerId }: RequestRef,
  at: number,
): Promise<InHand | null> {
  const [request, stored] = await Promise.all([
    readRequest(db, requestId),
    readStoredCourse(db, learnerId, courseId),
  ])
  const course = courses.find((candidate) => candidate.courseId === courseId)
  const isMine = request?.learner_id === learnerId && request.course_id === courseId
  if (!request || !course || !isMine) return null
  if (request.done_at !== null || request.withdrawn_at !== null) return null
  if (!stored) throw new Error(`the course ${courseId} is not stored`)
  return { request, course, stored, at }
}

/**
 * Prepares a turn; a mind that needs no model is asked at once. What was prepared for this very state is kept; a turn
 * that has to be prepared anew has had its one asking of a model.
 */
async function prepareTurnStep(dependencies: CourseDependencies, hand: InHand) {
  const { db, mind } = dependencies
  const { request, stored } = hand
  const { generation } = stored
  const kept = request.prepared as { generation: number } | null
  if (kept?.generation === generation) {
    return request.answer === null && mind.name !== 'offline' ? 'mind' : 'commit'
  }
  const prepared = await prepareTurn(dependencies, hand)
  const answer =
    mind.name === 'offline'
      ? await askTurn(dependencies, hand.course, { ...prepared, generation })
      : null
  await keepPrepared(db, request.id, storable({ ...prepared, generation }), answer)
  return mind.name === 'offline' || kept !== null ? 'commit' : 'mind'
}

async function prepareGradeStep(dependencies: CourseDependencies, hand: InHand) {
  const { db } = dependencies
  const { request } = hand
  const prepared = await prepareGrade(dependencies, hand)
  if ('status' in prepared) {
    await refuseRequest(db, request.id, prepared)
    return 'done'
  }
  await keepPrepared(db, request.id, prepared, request.answer)
  return !prepared.expired && prepared.brief && request.answer === null ? 'mind' : 'commit'
}

function conclude(dependencies: CourseDependencies, hand: InHand): RequestConclusion {
  const { kind, prepared, answer } = hand.request
  switch (kind) {
    case 'turn':
      return concludeTurn(
        dependencies,
        hand,
        prepared as PreparedTurn,
        answer as MindOutcome<TakenTurn> | null,
      )
    case 'drill_grade':
      return concludeGrade(
        dependencies,
        hand,
        prepared as PreparedGrade,
        answer as MindOutcome<DrillGrade | null> | null,
      )
    default:
      return concludeExam(hand, answer as AuthorityOutcome)
  }
}

/** Whether all that the commit needs has outlived a crash of the database. */
function isReady({ kind, prepared, answer }: InHand['request']): boolean {
  return kind === 'turn' || kind === 'drill_grade' ? prepared !== null : answer !== null
}

function mindActivities(dependencies: CourseDependencies): CourseMindActivities {
  const { db, mind, courses } = dependencies

  async function ask(requestId: string, asking: (() => Promise<MindOutcome<unknown>>) | null) {
    const beating = setInterval(() => heartbeat(), HEARTBEAT_MS)
    try {
      const outcome = asking ? await asking() : brokenOff
      await keepAnswer(db, requestId, storable(outcome))
    } finally {
      clearInterval(beating)
    }
  }

  return {
    async takeTurn({ at, ...ref }) {
      const hand = await takeInHand(dependencies, ref, at)
      if (!hand) return 'done'
      const wasAsked = hand.request.prepared !== null
      const { generation } = hand.stored
      const prepared = { ...(await prepareTurn(dependencies, hand)), generation }
      await keepPrepared(db, ref.requestId, storable(prepared), hand.request.answer)
      if (hand.request.answer !== null) return 'commit'
      await ask(ref.requestId, wasAsked ? null : () => askTurn(dependencies, hand.course, prepared))
      return 'commit'
    },

    async askCourseMind({ requestId }) {
      const request = await readRequest(db, requestId)
      const course = courses.find(({ courseId }) => courseId === request?.course_id)
      if (!request || !course || request.done_at !== null || request.answer !== null) return
      const asking = () =>
        request.kind === 'turn'
          ? askTurn(dependencies, course, request.prepared as GenerationTurn)
          : outcomeOf(mind, drillGrade, briefOf(request.prepared as PreparedGrade))
      await ask(requestId, activityInfo().attempt === 1 ? asking : null)
    },
  }
}

/** A turn prepared for a generation of the student's course. */
type GenerationTurn = PreparedTurn & { generation: number }

const askTurn = ({ mind }: CourseDependencies, course: Course, prepared: GenerationTurn) =>
  outcomeOf(mind, turn, turnContext(prepared, course, prepared.generation))

/** A worker that ends while it asks has paid for an answer nobody has; it is not asked for again. */
const brokenOff: MindOutcome<never> = {
  ok: false,
  prompt: null,
  why: { rule: 'failed', detail: 'the worker ended while the mind was being asked' },
}

function briefOf(prepared: PreparedGrade) {
  if (prepared.expired || !prepared.brief) throw new Error('there is nothing to ask')
  return prepared.brief
}

function authorityActivities(dependencies: CourseDependencies): ExamAuthorityActivities {
  const { db, courses } = dependencies
  return {
    async askExamAuthority({ requestId, courseId, at }) {
      const request = await readRequest(db, requestId)
      const course = courses.find((candidate) => candidate.courseId === courseId)
      if (!request || !course || request.done_at !== null || request.answer !== null) return
      await keepAnswer(db, requestId, await askAuthority(dependencies, { request, course, at }))
    },
  }
}

function stateOf(course: Course, stored: StoredCourse, { name }: Mind): CourseState {
  const { snapshot, locks, generation } = stored
  const tiers = Object.values(snapshot.unitProgress).map(({ masteryTier }) => masteryTier)
  const count = (tier: string) => tiers.filter((one) => one === tier).length
  return {
    generation,
    asksModel: name !== 'offline',
    wakeAt: nextCallBack(locks),
    focusUnitId: snapshot.focusUnitId,
    mastered: {
      bronze: count('bronze'),
      silver: count('silver'),
      gold: count('gold'),
      total: course.units.length,
    },
    revisits: Object.keys(snapshot.revisitQueue).length,
  }
}
