import {
  ApplicationFailure,
  activityInfo,
  cancellationSignal,
  cancelled,
  getClient,
  heartbeat,
} from '@temporalio/activity'
import type { Course } from '../contracts/course-pack.ts'
import { STEP_FAILURE } from '../contracts/step-failure.ts'
import { SIGNAL, workflowId } from '../contracts/temporal.ts'
import type { ModelStep, StepDigests, StepKind } from '../domain/arc/model-step.ts'
import { hashText } from '../domain/random/seeded-random.ts'
import type { Db } from '../store/database.ts'
import { keepStep } from '../store/model-steps.ts'
import { readStepContext, type StoredContext } from '../store/step-context.ts'
import { ask, type Live, type Mind, TutorFailure, unheard } from '../tutor/mind.ts'
import type { StepContext } from '../tutor/steps/arc/context.ts'
import { ARC_STEPS, type StepOutputs } from '../tutor/steps.ts'

const HEARTBEAT_MS = 3_000
/** While tokens come, the workflow is told this often; the first time only once a step takes that long. */
const PROGRESS_MS = 5_000

/** Passes on text that the learner may already see; it is provisional and stored nowhere. */
export type Announce = (delta: {
  arcId: string
  turnId: string
  /** The step that speaks, for whoever stores the part shown. */
  stepKey: string
  attempt: number
  offset: number
  text: string
}) => void

export interface ModelStepDependencies {
  db: Db
  tutors: { offline: Mind; anthropic: Mind | null }
  courses: Course[]
  announce: Announce
}

export type ModelStepActivities = ReturnType<typeof createModelStepActivities>

/** Model steps: what was asked once is kept and never paid for again. */
export function createModelStepActivities(dependencies: ModelStepDependencies) {
  const { db } = dependencies
  return {
    /**
     * Runs a step, or reads what it returned earlier.
     * @throws ApplicationFailure of a type of `STEP_FAILURE`
     */
    async runStep(step: ModelStep): Promise<StepDigests[StepKind]> {
      const { kept, context: stored } = await readStepContext(db, step)
      if (kept !== null) return digestOf(step.kind, kept)
      if (!stored) throw ApplicationFailure.nonRetryable('the arc is gone', STEP_FAILURE.refused)
      const context = contextOf(step, stored, dependencies.courses)
      const result = await think(step, context, dependencies)
      const output = await keepStep(db, {
        key: step.key,
        arcId: step.arcId,
        kind: step.kind,
        ...result,
      })
      return digestOf(step.kind, output)
    },
  }
}

function contextOf(step: ModelStep, stored: StoredContext, courses: Course[]): StepContext {
  const { arc } = stored
  const course = courses.find(({ courseId }) => courseId === arc.courseId) ?? null
  const unit = course?.units.find(({ unitId }) => unitId === stored.concept?.unitId) ?? null
  return {
    ...(stored as unknown as Omit<StepContext, 'kind' | 'input'>),
    kind: step.kind,
    input: step.input,
    seed: hashText(step.key),
    goalUnitIds: arc.goalUnitIds,
    course,
    unit,
    material: unit
      ? [{ source: `${course?.title}: ${unit.title}`, text: `${unit.anchor}\n\n${unit.lesson}` }]
      : [],
    codeVerdict: null,
  }
}

async function think(step: ModelStep, context: StepContext, dependencies: ModelStepDependencies) {
  const { offline, anthropic } = dependencies.tutors
  const wanted = (context.arc as StoredContext['arc']).tutor === 'anthropic' ? anthropic : offline
  const tutor = wanted ?? (context.course ? offline : null)
  if (!tutor) {
    throw ApplicationFailure.nonRetryable(
      'No model is configured. Set ANTHROPIC_API_KEY and restart.',
      STEP_FAILURE.refused,
    )
  }
  if (tutor === offline) return run(offline, context, unheard(cancellationSignal()))
  const alive = new SignsOfLife(step, dependencies.announce)
  try {
    return await run(tutor, context, alive.live)
  } catch (error) {
    if (cancellationSignal().aborted) await cancelled()
    throw failureOf(error)
  } finally {
    alive.end()
  }
}

const run = <K extends StepKind>(mind: Mind, context: StepContext<K>, live: Live) =>
  ask(mind, ARC_STEPS[context.kind], context, live)

const digestOf = <K extends StepKind>(kind: K, output: unknown) =>
  ARC_STEPS[kind].digest(output as StepOutputs[K])

function failureOf(error: unknown): ApplicationFailure {
  if (!(error instanceof TutorFailure)) {
    const message = error instanceof Error ? error.message : String(error)
    return ApplicationFailure.create({ message, type: STEP_FAILURE.unavailable })
  }
  return ApplicationFailure.create({
    message: error.message,
    type: STEP_FAILURE[error.kind],
    nonRetryable: error.kind === 'refused' || error.kind === 'malformed',
    ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
  })
}

/** Heartbeats to the server, progress to the workflow, provisional text to the page. */
class SignsOfLife {
  readonly live: Live
  readonly #step: ModelStep
  readonly #announce: Announce
  readonly #timer: NodeJS.Timeout
  readonly #startedAt = Date.now()
  #toldAt = Date.now()
  #offset = 0
  #pending = ''
  #flush: NodeJS.Timeout | null = null

  constructor(step: ModelStep, announce: Announce) {
    this.#step = step
    this.#announce = announce
    this.#timer = setInterval(() => heartbeat(), HEARTBEAT_MS)
    this.live = {
      signal: cancellationSignal(),
      onToken: () => this.#token(),
      onText: (piece) => this.#text(piece),
    }
  }

  end(): void {
    clearInterval(this.#timer)
    if (this.#flush) clearTimeout(this.#flush)
  }

  #token(): void {
    if (Date.now() - this.#toldAt < PROGRESS_MS) return
    this.#toldAt = Date.now()
    getClient()
      .workflow.getHandle(workflowId.arc(this.#step.arcId))
      .signal(SIGNAL.modelProgress, { stepKey: this.#step.key })
      .catch(() => {})
  }

  #text(piece: string): void {
    this.#token()
    this.#pending += piece
    // An answer that is there at once needs no preview; a slow one is sent a few times a second.
    const delay = Math.max(80, 200 - (Date.now() - this.#startedAt))
    this.#flush ??= setTimeout(() => {
      this.#flush = null
      const text = this.#pending
      this.#pending = ''
      this.#announce({
        arcId: this.#step.arcId,
        turnId: String(this.#step.turn),
        stepKey: this.#step.key,
        attempt: activityInfo().attempt,
        offset: this.#offset,
        text,
      })
      this.#offset += text.length
    }, delay)
  }
}
