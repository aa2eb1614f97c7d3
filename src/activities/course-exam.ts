import { ApplicationFailure } from '@temporalio/activity'
import type { ExamStatus } from '../domain/course-tutor/exam-availability.ts'
import { unitProgressOf } from '../domain/course-tutor/student-snapshot.ts'
import { ExamAuthorityError } from '../exams/exam-authority.ts'
import type { RequestConclusion } from '../store/course-commit.ts'
import { statusesFromLocks, withLock } from '../store/course-locks.ts'
import { isExamTouchedSince } from '../store/course-records.ts'
import {
  type CourseRequest,
  noteTold,
  type RequestPayloads,
  type RequestResult,
  type ToldAuthority,
} from '../store/course-requests.ts'
import { wasOffered } from '../store/course-threads.ts'
import { findExam } from '../tutor/steps/course/card.ts'
import { type CourseDependencies, type InHand, liteOf } from './course-dependencies.ts'

/** The exam authority's word: its verdict on the call, or that the question may not be answered now. */
export type AuthorityOutcome =
  | { refused: false; status: ExamStatus }
  | { refused: true; status: ExamStatus }

const problem = (status: number, detail: string): RequestResult => ({ status, body: { detail } })

/** Refuses what cannot be: a question that does not exist or was not put in this thread, an option it does not have. */
export async function checkExamRequest(
  { db }: CourseDependencies,
  { request, course }: InHand,
): Promise<RequestResult | null> {
  const payload = request.payload as RequestPayloads['exam_answer' | 'support_view']
  const found = findExam(course, payload.questionId)
  if (!found) return problem(404, 'There is no such exam question.')
  if (!(await wasOffered(db, request.thread_id, payload.questionId))) {
    return problem(409, 'This exam question was not put in this thread.')
  }
  if ('supportType' in payload) return null
  const hasOption = found.exam.options.some(({ id }) => id === payload.selectedOptionId)
  return hasOption ? null : problem(422, '/selectedOptionId: the question has no such option')
}

/**
 * Tells the authority of an answer or a viewed support; whether the answer is right is the server's own judgement. The
 * request's id is the key, so that telling it twice counts once.
 * @throws ApplicationFailure, to be tried again, when the authority has no answer
 */
export async function askAuthority(
  dependencies: CourseDependencies,
  { request, course, at }: Omit<InHand, 'stored'>,
): Promise<AuthorityOutcome> {
  const { exams } = dependencies
  const { id: key, learner_id: studentId, course_id: courseId } = request
  const payload = request.payload as RequestPayloads['exam_answer' | 'support_view']
  const { questionId } = payload
  const subject = { studentId, courseId, questionId, at, key }
  try {
    if ('supportType' in payload) {
      const { supportType } = payload
      return { refused: false, status: await exams.supportView({ ...subject, supportType }) }
    }
    const found = findExam(course, questionId)
    if (!found) throw new Error(`the course has no question ${questionId}`)
    const closed = await whyClosed(dependencies, request, questionId, at)
    if (closed) return { refused: true, status: closed }
    const { tier, correct } = found.exam
    const isCorrect = payload.selectedOptionId === correct
    const status = await exams.attempt({ ...subject, tier, isCorrect })
    return { refused: isCorrect && status.status === 'locked', status }
  } catch (error) {
    if (!(error instanceof ExamAuthorityError)) throw error
    throw ApplicationFailure.retryable(error.message, 'ExamAuthority.NoAnswer')
  }
}

/**
 * Why a question may not be answered now; null when it may. An answer that the authority may have heard before closes
 * its question itself: as long as nothing else has, it is told again.
 */
async function whyClosed(
  { db, exams }: CourseDependencies,
  request: CourseRequest,
  questionId: string,
  at: number,
): Promise<ExamStatus | null> {
  const { id, learner_id: learnerId, course_id: courseId } = request
  const told = request.prepared as ToldAuthority | null
  const exam = { learnerId, courseId, questionId }
  if (told && !(await isExamTouchedSince(db, exam, told.toldAt))) return null
  const query = { studentId: learnerId, courseId, questionIds: [questionId], at }
  const { [questionId]: status } = await exams.status(query)
  if (!status) throw new ExamAuthorityError('the authority does not know the question')
  if (status.status !== 'available') return status
  await noteTold(db, id, { toldAt: at })
  return null
}

/** The answer or the viewed support as evidence, and what the student is told. Seed 004 PF-5.2. */
export function concludeExam(hand: InHand, outcome: AuthorityOutcome): RequestConclusion {
  const { request, course, stored, at } = hand
  const payload = request.payload as RequestPayloads['exam_answer' | 'support_view']
  const found = findExam(course, payload.questionId)
  if (!found) throw new Error(`the course has no question ${payload.questionId}`)
  const { unit, exam } = found
  const { status } = outcome
  const { questionId, tier } = exam
  const locks = withLock(stored.locks, questionId, status)
  const told = {
    status: status.status,
    ...(status.lockedUntil === undefined ? {} : { lockedUntil: status.lockedUntil }),
  }
  if (outcome.refused) {
    const detail =
      status.status === 'passed' ? 'This question is passed already.' : 'This question is locked.'
    const change = { evidence: null, locks, messages: [] }
    return { change, resultOf: () => ({ status: 409, body: { detail, ...told } }) }
  }
  const about = { questionId, unitId: unit.unitId, tier, at }
  const lite = (snapshot: InHand['stored']['snapshot']) =>
    liteOf(course, snapshot, stored.blocker, statusesFromLocks(locks, at))
  if ('supportType' in payload) {
    const { supportType } = payload
    // Where there is no video, its memo stands in for it.
    const support =
      supportType === 'video' && exam.videoUrl !== undefined
        ? { url: exam.videoUrl }
        : { text: exam.memo }
    return {
      change: {
        evidence: { type: 'support_viewed', ...about, status: status.status },
        locks,
        messages: [],
      },
      resultOf: (snapshot) => ({
        status: 200,
        body: { supportType, ...support, ...told, snapshotLite: lite(snapshot) },
      }),
    }
  }
  const isCorrect = payload.selectedOptionId === exam.correct
  return {
    change: { evidence: { type: 'exam_answered', ...about, isCorrect }, locks, messages: [] },
    resultOf: (snapshot) => ({
      status: 200,
      body: {
        isCorrect,
        ...told,
        masteryTier: unitProgressOf(snapshot, unit.unitId)?.masteryTier ?? 'none',
        snapshotLite: lite(snapshot),
      },
    }),
  }
}
