import { readDrillGrade, readTutorResponse } from '../../contracts/course-tutor-wire.ts'
import type { MindOutcome, Reading } from '../../domain/course/brief.ts'
import { type CourseRequest, type RequestType, wordsOf } from '../../domain/course/request.ts'
import type {
  LoadedCourse,
  Searched,
  TurnAim,
  TurnMaterial,
  Work,
} from '../../domain/course/state.ts'
import { hashText } from '../../domain/diagnosis/seeded-random.ts'
import { createBuiltInAuthority } from '../../exams/built-in-authority.ts'
import { type ExamAuthority, ExamAuthorityError } from '../../exams/exam-authority.ts'
import { retrieve, searchAnchors } from '../../retrieval/search.ts'
import { examOffer, lastDrill, newestMessages } from '../../store/course/threads.ts'
import type { Transaction } from '../../store/spine/transaction.ts'
import { storable } from '../../store/storable.ts'
import { type MindAnswer, MindFailure } from '../../tutor/course/course-mind.ts'
import { fallbackMaterial } from '../../tutor/course/course-words.ts'
import { TutorFailure } from '../../tutor/tutor.ts'
import type { StepLife, Thought } from '../spine/product.ts'
import type { CourseDependencies } from './dependencies.ts'
import { openDrill } from './open-drill.ts'

/** Whether code answers the step that is wanted: all but a model's, and an exam authority's outside. */
export function isAnsweredHere({ mind, exams }: CourseDependencies, work: Work | null): boolean {
  switch (work?.stage.step) {
    case 'turn':
    case 'drill-grade':
      return mind.name === 'offline'
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
  { db, sealer }: CourseDependencies,
  loaded: LoadedCourse,
  transaction: Transaction,
): Promise<Searched> {
  const { course, id } = loaded
  const { threadId, payload } = requestIn(inHand(loaded), 'turn')
  const [scores, [recent, [drill]]] = await Promise.all([
    searchAnchors(db, transaction, { ...course, text: wordsOf(payload) }),
    transaction.read(newestMessages(db, threadId), lastDrill(db, id, threadId)),
  ])
  const recentMessages = recent.toReversed()
  if (!drill) return { scores, recentMessages, openDrill: null }
  const { unitId, prompt, questionLatex, token } = drill.card
  const source = sealer.open(token)?.source ?? null
  const shown = { unitId, prompt, questionLatex, source, hintsGiven: drill.hintsGiven }
  return { scores, recentMessages, openDrill: shown }
}

/** The material within the turn's scope, and what the course holds ready where no mind's answer can be used. */
async function supply(
  { db, courses }: CourseDependencies,
  loaded: LoadedCourse,
  { focus, scopedUnitIds, behind }: TurnAim,
  transaction: Transaction,
): Promise<TurnMaterial> {
  const { id, payload } = requestIn(inHand(loaded), 'turn')
  const scope = { ...loaded.course, text: wordsOf(payload), ...focus, scopedUnitIds, behind }
  const found = await retrieve(db, transaction, scope)
  const unit = courses
    .find(({ courseId }) => courseId === loaded.courseId)
    ?.units.find(({ unitId }) => unitId === focus.focusUnitId)
  if (!unit) throw new Error(`the course has no unit ${focus.focusUnitId}`)
  return { ...found, fallback: fallbackMaterial(unit, hashText(id)) }
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
  { mind, log }: CourseDependencies,
  loaded: LoadedCourse,
  life?: StepLife,
): Promise<Thought> {
  const { stage } = inHand(loaded)
  if (stage.step === 'turn') {
    return outcomeOf(() => mind.turn(stage.prepared.brief, life), readTutorResponse)
  }
  if (stage.step !== 'drill-grade') throw new Error(`no mind is asked for ${stage.step}`)
  return outcomeOf(() => mind.gradeDrill(stage.brief, life), readDrillGrade)

  async function outcomeOf<T>(
    asking: () => Promise<MindAnswer>,
    read: (raw: string) => Reading<T>,
  ): Promise<Thought> {
    try {
      const { raw, prompt, drillSource, ...cost } = await asking()
      const reading = read(raw)
      const output: MindOutcome<T> = { ok: true, raw, prompt, drillSource, reading }
      return { output: storable(output), ...cost }
    } catch (error) {
      if (life?.signal.aborted) throw error
      const failure =
        error instanceof MindFailure ? error : new MindFailure('failed', String(error))
      if (failure !== error) log.error({ err: error }, 'asking a mind met a fault of ours')
      const { kind, message: detail, prompt, cost } = failure
      const output: MindOutcome<T> = { ok: false, kind, detail, prompt }
      return { output: storable(output), ...(cost ?? { ...NOTHING, model: mind.name }) }
    }
  }
}

const NOTHING = { inputTokens: 0, outputTokens: 0 }

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
