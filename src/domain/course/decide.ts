import type { Input, StepFault } from '../spine/decision.ts'
import type { GradeOutcome, TurnOutcome } from './brief.ts'
import { checkDrill, concludeDrill } from './drills/drill.ts'
import { beginCallBack, callBack } from './exams/call-back.ts'
import { admitExam, checkExam, concludeExam, unavailable } from './exams/exam.ts'
import type { ExamStatus, ExamStatusById } from './exams/exam-availability.ts'
import { requestOf } from './request.ts'
import {
  type Decision,
  type LoadedCourse,
  type OpenedDrill,
  type Searched,
  type TurnMaterial,
  takeInHand,
  type Work,
} from './state.ts'
import { deadlineOf, stepKey } from './steps.ts'
import { aimTurn, concludeTurn, prepareTurn, supplyTurn, withStatuses } from './turn/turn.ts'

/**
 * The course tutor's rules: what is in hand goes on with what its step has brought, or is done with what code can do
 * where nothing comes in time; then the next request, or a lock that has ended, is taken up. Seed 004 EPIC D to F.
 */
export function decide(loaded: LoadedCourse, input: Input, at: number): Decision {
  const { work } = loaded.state
  const isOurs = (key: string) => work !== null && key === stepKey(loaded)
  switch (input.type) {
    case 'input': {
      const request = requestOf(input.input)
      const { type, step } = FIRST[request.type]
      return takeInHand(loaded, { type, at, request, stage: { step } } as Work)
    }
    case 'clock':
      if (!work) return beginCallBack(loaded, at)
      return at < deadlineOf(work) ? asItIs(loaded) : doWithout(loaded, work, LATE, at)
    case 'slow':
      // A turn never waits for a model: one that is busy or silent is done without.
      return work && isOurs(input.key) && asksModel(work)
        ? doWithout(loaded, work, LATE, at)
        : asItIs(loaded)
    case 'no-answer':
      return work && isOurs(input.key)
        ? doWithout(loaded, work, failureOf(input), at)
        : asItIs(loaded)
    case 'answer':
      return work && isOurs(input.key) ? goOn(loaded, work, input.output, at) : asItIs(loaded)
  }
}

const asItIs = (loaded: LoadedCourse): Decision => ({ loaded, effects: [] })

/** What a request begins with: what it is about is looked up in the store. */
const FIRST = {
  turn: { type: 'turn', step: 'search' },
  drill_grade: { type: 'drill', step: 'open-drill' },
  exam_answer: { type: 'exam', step: 'offered' },
  support_view: { type: 'exam', step: 'offered' },
} as const

/** Goes on with what the step of the stage has brought. */
function goOn(loaded: LoadedCourse, work: Work, output: unknown, at: number): Decision {
  switch (work.type) {
    case 'turn': {
      const { stage } = work
      switch (stage.step) {
        case 'search':
          return aimTurn(loaded, work, output as Searched)
        case 'retrieve':
          return supplyTurn(loaded, work, stage.aim, output as TurnMaterial, at)
        case 'exam-status': {
          const { aim, material } = stage
          const examStatusById = withStatuses(loaded, material, output as ExamStatusById, at)
          return prepareTurn(loaded, work, { aim, material, examStatusById }, at)
        }
        case 'turn':
          return concludeTurn(loaded, work, stage.prepared, output as TurnOutcome, at)
      }
      break
    }
    case 'drill': {
      const { stage } = work
      if (stage.step === 'open-drill') return checkDrill(loaded, work, output as OpenedDrill, at)
      const { drill, code } = stage
      return concludeDrill(loaded, work, drill, code, output as GradeOutcome, at)
    }
    case 'exam':
      switch (work.stage.step) {
        case 'offered':
          return checkExam(loaded, work, output as boolean)
        case 'exam-status':
          return admitExam(loaded, work, output as ExamStatusById)
        case 'authority':
          return concludeExam(loaded, work, output as ExamStatus, at)
      }
      break
    case 'call_back':
      return callBack(loaded, work.stage.questionIds, output as ExamStatusById, at)
  }
}

type Failure = Extract<TurnOutcome, { ok: false }>

const LATE: Failure = { ok: false, kind: 'late', detail: 'no answer came in time', prompt: null }

function failureOf({ fault, reason }: { fault: StepFault; reason: string }): Failure {
  const kind = fault === 'malformed' ? 'malformed' : 'failed'
  return { ok: false, kind, detail: reason, prompt: null }
}

/** Does what code can do where a step has no answer. */
function doWithout(loaded: LoadedCourse, work: Work, failure: Failure, at: number): Decision {
  if (work.type === 'exam') return unavailable(loaded, work)
  switch (work.stage.step) {
    case 'turn':
    case 'drill-grade':
      return goOn(loaded, work, failure, at)
    case 'exam-status':
      return goOn(loaded, work, {}, at)
    default:
      // Code answers the other steps in the transaction that wants them.
      return asItIs(loaded)
  }
}

const asksModel = ({ stage: { step } }: Work) => step === 'turn' || step === 'drill-grade'
