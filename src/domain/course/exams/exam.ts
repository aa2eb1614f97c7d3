import { findExam } from '../course.ts'
import { sideQuality } from '../snapshot/side-quality.ts'
import { unitProgressOf } from '../snapshot/student-snapshot.ts'
import { spokenIn } from '../spoken.ts'
import {
  type AuthorityCall,
  type CourseEffect,
  type Decision,
  done,
  type LoadedCourse,
  liteOf,
  refused,
  takeInHand,
  type Work,
} from '../state.ts'
import { courseWords } from '../words.ts'
import type { ExamStatus, ExamStatusById } from './exam-availability.ts'
import { examStatusOf } from './exam-availability.ts'
import { statusesFromLocks, withLock } from './locks.ts'

export type ExamWork = Extract<Work, { type: 'exam' }>

/**
 * Refuses a question that the course does not have, or that was not put in the thread, and an option that it does not
 * have. Whether a question may be answered now is asked of the authority. An answer that it may have heard before closes its
 * question itself: as long as nothing else has, it is told again.
 */
export function checkExam(loaded: LoadedCourse, work: ExamWork, wasOffered: boolean): Decision {
  const { request } = work
  const { questionId } = request.payload
  const found = findExam(loaded.course, questionId)
  if (!found) return refused(loaded, request.id, 404, 'There is no such exam question.')
  if (!wasOffered) {
    return refused(loaded, request.id, 409, 'This exam question was not put in this thread.')
  }
  if (request.type === 'support_view') return tellAuthority(loaded, work)
  const { exam } = found
  if (!exam.options.some(({ id }) => id === request.payload.selectedOptionId)) {
    const detail = '/selectedOptionId: the question has no such option'
    return refused(loaded, request.id, 422, detail)
  }
  if (loaded.state.told[request.id] === questionId) return tellAuthority(loaded, work)
  return takeInHand(loaded, { ...work, stage: { step: 'exam-status', questionIds: [questionId] } })
}

/** An answer to an open question is told; one to a closed question is refused. */
export function admitExam(loaded: LoadedCourse, work: ExamWork, told: ExamStatusById): Decision {
  const status = examStatusOf(told, work.request.payload.questionId)
  if (!status) return unavailable(loaded, work)
  return status.status === 'available' ? tellAuthority(loaded, work) : closed(loaded, work, status)
}

/** Whether the answer is right is the server's own judgement; the request's id is the key of the call. */
function tellAuthority(loaded: LoadedCourse, work: ExamWork): Decision {
  const { request } = work
  const { questionId } = request.payload
  const { exam } = examOf(loaded, questionId)
  const about = { questionId, tier: exam.tier }
  if (request.type === 'support_view') {
    const { supportType } = request.payload
    return takeInHand(loaded, inHand({ ...about, kind: 'support', supportType }))
  }
  const isCorrect = request.payload.selectedOptionId === exam.correct
  const told = { ...loaded.state.told, [request.id]: questionId }
  const noted = { ...loaded, state: { ...loaded.state, told } }
  return takeInHand(noted, inHand({ ...about, kind: 'attempt', isCorrect }))

  function inHand(call: AuthorityCall): ExamWork {
    return { ...work, stage: { step: 'authority', ...call } }
  }
}

/** The answer or the viewed support as evidence, and what the student is told. Seed 004 PF-5.2. */
export function concludeExam(
  loaded: LoadedCourse,
  work: ExamWork,
  status: ExamStatus,
  at: number,
): Decision {
  const { request } = work
  const { id: requestId } = request
  const { questionId } = request.payload
  const { unit, exam } = examOf(loaded, questionId)
  const isAnswer = request.type === 'exam_answer'
  const isCorrect = isAnswer && request.payload.selectedOptionId === exam.correct
  if (isCorrect && status.status === 'locked') return closed(loaded, work, status)
  const about = { questionId, unitId: unit.unitId, tier: exam.tier, at }
  const evidence = isAnswer
    ? { type: 'exam_answered' as const, ...about, isCorrect }
    : { type: 'support_viewed' as const, ...about, status: status.status }
  const locks = withLock(loaded.state.locks, questionId, status)
  // Whatever else was told about the question has had its word with this.
  const told = without(loaded.state.told, ([, question]) => question === questionId)
  const after = done(loaded, { evidence, locks, told })
  const snapshotLite = liteOf(after, statusesFromLocks(locks, at))
  const masteryTier = unitProgressOf(after.state.snapshot, unit.unitId)?.masteryTier ?? 'none'
  const side: CourseEffect[] = isAnswer
    ? [
        {
          type: 'side-response',
          requestId,
          unitId: unit.unitId,
          question: exam.questionLatex,
          answer:
            exam.options.find(({ id }) => id === request.payload.selectedOptionId)?.text ?? '',
          quality: sideQuality(isCorrect, false),
          notes: `an exam question of tier ${exam.tier} in the course tutor`,
        },
      ]
    : []
  const body = {
    ...(isAnswer ? { isCorrect, masteryTier } : supportOf(request.payload.supportType, exam)),
    ...wordOf(status),
    snapshotLite,
  }
  return {
    loaded: after,
    effects: [
      { type: 'evidence', requestId, evidence },
      ...side,
      { type: 'answer', requestId, status: 200, body },
    ],
  }
}

/** The authority has no answer: the request counts for nothing and may be made again. */
export function unavailable(loaded: LoadedCourse, { request: { id } }: ExamWork): Decision {
  const told = Object.hasOwn(loaded.state.told, id)
  return refused(loaded, id, 503, courseWords(spokenIn(loaded)).unavailable, { told })
}

function closed(loaded: LoadedCourse, { request }: ExamWork, status: ExamStatus): Decision {
  const words = courseWords(spokenIn(loaded))
  const detail = status.status === 'passed' ? words.passedAlready : words.locked
  const locks = withLock(loaded.state.locks, request.payload.questionId, status)
  const told = without(loaded.state.told, ([id]) => id === request.id)
  const more = { change: { locks, told }, extra: wordOf(status) }
  return refused(loaded, request.id, 409, detail, more)
}

/** Where there is no video, its memo stands in for it. */
function supportOf(
  supportType: 'memo' | 'video',
  { videoUrl, memo }: { videoUrl?: string | undefined; memo: string },
) {
  const support = supportType === 'video' && videoUrl !== undefined ? { url: videoUrl } : undefined
  return { supportType, ...(support ?? { text: memo }) }
}

function wordOf({ status, lockedUntil }: ExamStatus) {
  return lockedUntil === undefined ? { status } : { status, lockedUntil }
}

function without(
  told: Readonly<Record<string, string>>,
  isGone: (entry: [string, string]) => boolean,
) {
  return Object.fromEntries(Object.entries(told).filter((entry) => !isGone(entry)))
}

function examOf({ course }: LoadedCourse, questionId: string) {
  const found = findExam(course, questionId)
  if (!found) throw new Error(`the course has no question ${questionId}`)
  return found
}
