import type { Course } from '../../contracts/course-pack.ts'
import type { MindOutcome } from '../../domain/course/brief.ts'
import { type CourseRequest, type RequestType, wordsOf } from '../../domain/course/request.ts'
import { spokenIn } from '../../domain/course/spoken.ts'
import type {
  LoadedCourse,
  Searched,
  TurnAim,
  TurnMaterial,
  Work,
} from '../../domain/course/state.ts'
import { hashText } from '../../domain/random/seeded-random.ts'
import { createBuiltInAuthority } from '../../exams/built-in-authority.ts'
import { type ExamAuthority, ExamAuthorityError } from '../../exams/exam-authority.ts'
import { retrieve, searchAnchors } from '../../retrieval/search.ts'
import { examOffer, lastDrill, newestMessages } from '../../store/course/threads.ts'
import type { Transaction } from '../../store/spine/transaction.ts'
import { type Live, type Mind, TutorFailure, unheard } from '../../tutor/mind.ts'
import { createOfflineMind } from '../../tutor/offline/offline-mind.ts'
import type { Step } from '../../tutor/step.ts'
import { fallbackMaterial } from '../../tutor/steps/course/course-words.ts'
import { drillGrade } from '../../tutor/steps/course/drill-grade.ts'
import { isForCode, isSmallTalk } from '../../tutor/steps/course/message-kind.ts'
import { judgeReply, unitMeant } from '../../tutor/steps/course/reply-judging.ts'
import { turn } from '../../tutor/steps/course/turn.ts'
import type { StepLife, Thought } from '../spine/product.ts'
import type { CourseDependencies } from './dependencies.ts'
import { openDrill } from './open-drill.ts'

const CODE = createOfflineMind()

/** Whose answer a step gets; what has one fitting reply is answered by code, whatever mind there is. */
function mindOf({ mind }: CourseDependencies, work: Work): Mind {
  if (work.stage.step !== 'turn' || work.type === 'call_back') return mind
  const { request } = work
  return request.type === 'turn' && isForCode(wordsOf(request.payload)) ? CODE : mind
}

/** Whether code answers the step that is wanted: all but a model's, and an exam authority's outside. */
export function isAnsweredHere(dependencies: CourseDependencies, work: Work | null): boolean {
  const { exams } = dependencies
  switch (work?.stage.step) {
    case 'turn':
    case 'drill-grade':
      return mindOf(dependencies, work).name === 'offline'
    case 'exam-status':
    case 'authority':
      return exams === null
    default:
      return work !== null
  }
}

/** The answer of a step that code gives, in the transaction of the decision that wants it. */
export async function answerHere(
  dependencies: CourseDependencies,
  loaded: LoadedCourse,
  transaction: Transaction,
): Promise<unknown> {
  const { db, dayMs } = dependencies
  const work = inHand(loaded)
  switch (work.stage.step) {
    case 'search':
      return search(dependencies, loaded, transaction)
    case 'retrieve':
      return supply(dependencies, loaded, work.stage.aim, transaction)
    case 'open-drill':
      return openDrill(dependencies, loaded, transaction)
    case 'offered': {
      const { threadId, payload } = requestIn(work, 'exam_answer', 'support_view')
      const [rows] = await transaction.read(examOffer(db, threadId, payload.questionId))
      return rows.length > 0
    }
    case 'exam-status':
    case 'authority':
      return consult(createBuiltInAuthority(db, transaction, dayMs), loaded)
    default:
      return (await consider(dependencies, loaded)).output
  }
}

/**
 * Has a step answered by a model or by the exam authority outside.
 * @throws TutorFailure when the authority has no answer
 */
export async function ask(
  dependencies: CourseDependencies,
  loaded: LoadedCourse,
  life: StepLife,
): Promise<Thought> {
  const { exams } = dependencies
  const { step } = inHand(loaded).stage
  if (exams === null || (step !== 'exam-status' && step !== 'authority')) {
    return consider(dependencies, loaded, life)
  }
  try {
    const output = await consult(exams, loaded)
    return { output, model: 'exam authority', inputTokens: 0, outputTokens: 0 }
  } catch (error) {
    if (!(error instanceof ExamAuthorityError)) throw error
    throw new TutorFailure('unavailable', error.message)
  }
}

/** Which units the message is about, over the whole course: the one retrieval that is not scoped. */
async function search(
  { db, sealer, courses }: CourseDependencies,
  loaded: LoadedCourse,
  transaction: Transaction,
): Promise<Searched> {
  const { course, id } = loaded
  const { threadId, payload } = requestIn(inHand(loaded), 'turn')
  const [scores, [recent, [drill]]] = await Promise.all([
    // A word of thanks is about no unit, whatever its letters resemble.
    isSmallTalk(wordsOf(payload))
      ? []
      : searchAnchors(db, transaction, { ...course, text: wordsOf(payload) }),
    transaction.read(newestMessages(db, threadId), lastDrill(db, id, threadId)),
  ])
  const recentMessages = recent.toReversed()
  const asked = loaded.state.asked?.[threadId] ?? null
  const meant = asked && unitMeant(courseOf(courses, loaded), asked, wordsOf(payload))
  const mapped = meant ? [{ unitId: meant, confidence: 1 }, ...scores] : scores
  const thread = { scores: mapped, recentMessages, asked }
  if (!drill) return { ...thread, openDrill: null }
  const { unitId, prompt, questionLatex, token } = drill.card
  const source = sealer.open(token)?.source ?? null
  const shown = { unitId, prompt, questionLatex, source, hintsGiven: drill.hintsGiven }
  return { ...thread, openDrill: shown }
}

/** The material within the turn's scope, and what the course holds ready where no mind's answer can be used. */
async function supply(
  { db, courses }: CourseDependencies,
  loaded: LoadedCourse,
  { focus, scopedUnitIds, behind, asked }: TurnAim,
  transaction: Transaction,
): Promise<TurnMaterial> {
  const { id, payload } = requestIn(inHand(loaded), 'turn')
  const scope = { ...loaded.course, text: wordsOf(payload), ...focus, scopedUnitIds, behind }
  const found = await retrieve(db, transaction, scope)
  const course = courseOf(courses, loaded)
  const unit = course.units.find(({ unitId }) => unitId === focus.focusUnitId)
  if (!unit) throw new Error(`the course has no unit ${focus.focusUnitId}`)
  const language = spokenIn(loaded, wordsOf(payload))
  const lead = asked && judgeReply(course, asked, wordsOf(payload), language)
  return {
    ...found,
    fallback: { ...fallbackMaterial(unit, hashText(id), language), lead: lead?.text ?? null },
  }
}

/** What the exam authority says about questions, or to what it is told. */
function consult(exams: ExamAuthority, loaded: LoadedCourse) {
  const work = inHand(loaded)
  const { stage } = work
  const subject = { studentId: loaded.learnerId, courseId: loaded.courseId, at: work.at }
  if (stage.step === 'exam-status') {
    return exams.status({ ...subject, questionIds: stage.questionIds })
  }
  if (stage.step !== 'authority') throw new Error(`the authority is not asked for ${stage.step}`)
  const call = { ...subject, ...stage, key: requestIn(work, 'exam_answer', 'support_view').id }
  return call.kind === 'attempt' ? exams.attempt(call) : exams.supportView(call)
}

/** What a mind says to a turn or a drill's answer; that it has nothing to say is an answer too, with its reason. */
async function consider(
  dependencies: CourseDependencies,
  loaded: LoadedCourse,
  live: Live = unheard(),
): Promise<Thought> {
  const { courses, log } = dependencies
  const work = inHand(loaded)
  const mind = mindOf(dependencies, work)
  const { stage } = work
  if (stage.step === 'turn') {
    return outcomeOf(turn, { ...stage.prepared.brief, course: courseOf(courses, loaded) })
  }
  if (stage.step !== 'drill-grade') throw new Error(`no mind is asked for ${stage.step}`)
  return outcomeOf(drillGrade, stage.brief)

  async function outcomeOf<Context, Output>(
    step: Step<Context, Output>,
    context: Context,
  ): Promise<Thought> {
    const asked = mind.name === 'offline' ? null : step.prompt(context)
    const prompt = asked && [asked.system, ...(asked.stable ?? []), asked.request].join('\n\n')
    try {
      const { output: said, ...cost } = await mind.run(step, context, live)
      const output: MindOutcome<Output> = { ok: true, prompt, said }
      return { output, ...cost }
    } catch (error) {
      if (live.signal.aborted) throw error
      const isFailure = error instanceof TutorFailure
      if (!isFailure) log.error({ err: error }, 'asking a mind met a fault of ours')
      const failure = isFailure ? error : new TutorFailure('refused', String(error))
      const kind = failure.isLate ? 'late' : failure.kind === 'malformed' ? 'malformed' : 'failed'
      const output: MindOutcome<Output> = { ok: false, prompt, kind, detail: failure.message }
      return { output, model: mind.name, ...failure.spent }
    }
  }
}

/** The course pack of a student's course. */
export function courseOf(courses: readonly Course[], { courseId }: { courseId: string }): Course {
  const course = courses.find((candidate) => candidate.courseId === courseId)
  if (!course) throw new Error(`the course ${courseId} is not installed`)
  return course
}

export function inHand({ state: { work } }: LoadedCourse): Work {
  if (!work) throw new Error('nothing is in hand')
  return work
}

/** The request in hand, which is of one of those types. */
export function requestIn<Type extends RequestType>(work: Work, ...types: Type[]) {
  const request = work.type === 'call_back' ? null : work.request
  if (!request || !(types as RequestType[]).includes(request.type)) {
    throw new Error(`${work.type} is in hand, not ${types.join(' or ')}`)
  }
  return request as CourseRequest<Type>
}
