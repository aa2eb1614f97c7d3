import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineUpdate,
  log,
  setHandler,
  Trigger,
  workflowInfo,
} from '@temporalio/workflow'
import {
  type CourseInput,
  type CourseState,
  type NextStep,
  REQUEST_FAILURE,
  type RequestRef,
  TAKE_REQUEST_UPDATE,
  type TakeRequest,
} from '../../contracts/course-workflow.ts'
import { showToOperator } from './operator-view.ts'
import { authority, mind, patientStore, store } from './proxies.ts'

/** A run is rolled over at this many events, unless told. */
const MAX_EVENTS = 2_000
/** How often a request is begun again when the store has gone on without this workflow. */
const MAX_STARTS = 5

interface Waiting extends TakeRequest {
  done: Trigger<void>
}

const takeRequest = defineUpdate<void, [TakeRequest]>(TAKE_REQUEST_UPDATE)

/**
 * A student's way through a course, and the only writer of its snapshot, however many threads are open: requests are
 * taken up one at a time, each ends in one transaction. Between them it sleeps until a lockout ends, and then calls the
 * student back. All it has to remember is in the store. Seed 004 EPIC D to F.
 */
export async function courseTutor(input: CourseInput): Promise<void> {
  const inbox: Waiting[] = []
  setHandler(
    takeRequest,
    async ({ requestId, kind }) => {
      const waiting = { requestId, kind, done: new Trigger<void>() }
      inbox.push(waiting)
      await waiting.done
    },
    {
      description:
        'Take up a stored request: a turn, a drill’s or an exam’s answer, a viewed support',
    },
  )
  const loaded = await patientStore.loadCourse({ ...input, at: Date.now() })
  if (!loaded) {
    throw ApplicationFailure.nonRetryable(`the course ${input.courseId} is not installed`)
  }
  let state = loaded
  for (;;) {
    showToOperator(input, state, inbox.length)
    const [request] = inbox
    if (request) {
      state = await serve(input, request, state)
      inbox.shift()
    } else if (isDue(state)) {
      const { state: after } = await patientStore.callBack({
        ...input,
        at: Date.now(),
        generation: state.generation,
      })
      state = after
    } else if (isLong(input)) {
      await condition(allHandlersFinished)
      if (inbox.length === 0) await continueAsNew<typeof courseTutor>(input)
    } else {
      await sleepUntil(state.wakeAt, () => inbox.length > 0)
    }
  }
}

/** Carries one request out; whatever goes wrong with it, the next one is taken up. */
async function serve(
  input: CourseInput,
  { requestId, kind, done }: Waiting,
  state: CourseState,
): Promise<CourseState> {
  const ref = { ...input, requestId }
  try {
    const after = await carryOut(ref, kind, state)
    done.resolve()
    return after
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error
    log.warn('a request could not be carried out', { requestId, error: String(error.cause) })
    await store.giveUp(ref).catch(() => {})
    done.reject(ApplicationFailure.nonRetryable('the request was not carried out', REQUEST_FAILURE))
    return state
  }
}

async function carryOut(
  ref: RequestRef,
  kind: Waiting['kind'],
  before: CourseState,
): Promise<CourseState> {
  let state = before
  for (let start = 1; start <= MAX_STARTS; start += 1) {
    const at = Date.now()
    const next = await begin({ ...ref, at }, kind === 'turn' && state.asksModel && start === 1)
    if (next === 'done') return state
    if (next === 'mind') {
      // Where nobody answers, the commit finds no answer and does what code can do.
      await mind.askCourseMind(ref).catch((error) => {
        if (!(error instanceof ActivityFailure)) throw error
      })
    }
    if (next === 'authority') await authority.askExamAuthority({ ...ref, at })
    const { outcome, state: after } = await store.commitRequest({
      ...ref,
      at,
      generation: state.generation,
    })
    state = after
    if (outcome === 'written') return state
  }
  return state
}

/**
 * The first step of a request. A turn that asks a model is prepared where the model is asked; where nobody takes it up
 * in time it is prepared without, and the commit does what code can do.
 */
async function begin(request: RequestRef & { at: number }, asksModel: boolean): Promise<NextStep> {
  if (!asksModel) return store.prepareRequest(request)
  try {
    return await mind.takeTurn(request)
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error
    const next = await store.prepareRequest(request)
    return next === 'mind' ? 'commit' : next
  }
}

function isDue({ wakeAt }: CourseState): boolean {
  return wakeAt !== null && wakeAt <= Date.now()
}

function isLong({ maxEvents = MAX_EVENTS }: CourseInput): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo()
  return continueAsNewSuggested || historyLength > maxEvents
}

async function sleepUntil(wakeAt: number | null, isWanted: () => boolean): Promise<void> {
  if (wakeAt === null) return condition(isWanted)
  const summary = 'until a locked exam question opens'
  await condition(isWanted, Math.max(1, wakeAt - Date.now()), { summary })
}
