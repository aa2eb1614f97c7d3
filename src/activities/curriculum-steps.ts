import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity'
import type { Course } from '../contracts/course-pack.ts'
import type {
  CurriculumJob,
  CurriculumStep,
  CurriculumStepActivities,
} from '../contracts/curriculum-job.ts'
import { STEP_FAILURE } from '../contracts/step-failure.ts'
import type { StepInputs } from '../domain/arc/model-step.ts'
import { frontier } from '../domain/mind-map/frontier.ts'
import { prerequisiteGraph } from '../domain/mind-map/graph.ts'
import { MAP_LIMITS } from '../domain/mind-map/validation.ts'
import { hashText } from '../domain/random/seeded-random.ts'
import type { Db } from '../store/database.ts'
import { readMap } from '../store/maps/rows.ts'
import { keepStep, readStep } from '../store/model-steps.ts'
import { ask, type Mind, TutorFailure, unheard } from '../tutor/mind.ts'
import type { StepContext } from '../tutor/steps/arc/context.ts'
import { ARC_STEPS, type StepOutputs } from '../tutor/steps.ts'

const HEARTBEAT_MS = 3_000

type PlannerStep = 'inventory' | 'graph' | 'replan'

export interface CurriculumStepDependencies {
  db: Db
  tutors: { offline: Mind; anthropic: Mind | null }
  courses: Course[]
}

/** The planner's steps for maps that no arc owns; what was asked once is kept and never paid for again. */
export function createCurriculumStepActivities(
  dependencies: CurriculumStepDependencies,
): CurriculumStepActivities {
  return {
    proposeInventory: async (step) =>
      ARC_STEPS.inventory.digest(await think('inventory', {}, step, dependencies)),

    async proposeGraph(step) {
      const input = { violations: step.violations, goal: step.job.goal }
      return ARC_STEPS.graph.digest(await think('graph', input, step, dependencies))
    },

    async adviseReplan(step) {
      const reason = step.job.kind === 'replan' ? step.job.reason : null
      const input = { reason, goal: null, nodeId: null }
      return ARC_STEPS.replan.digest(await think('replan', input, step, dependencies))
    },
  }
}

async function think<K extends PlannerStep>(
  kind: K,
  input: StepInputs[K],
  { key, job }: CurriculumStep,
  dependencies: CurriculumStepDependencies,
): Promise<StepOutputs[K]> {
  const { db, tutors } = dependencies
  const kept = await readStep(db, key)
  if (kept !== null) return kept as StepOutputs[K]
  const tutor = tutors[job.tutor]
  if (!tutor) {
    throw ApplicationFailure.nonRetryable('No model is configured.', STEP_FAILURE.refused)
  }
  const context = await contextOf(kind, input, key, job, dependencies)
  const beating = setInterval(() => heartbeat(), HEARTBEAT_MS)
  try {
    const result = await ask(tutor, ARC_STEPS[kind], context, unheard(cancellationSignal()))
    return (await keepStep(db, { key, arcId: null, kind, ...result })) as StepOutputs[K]
  } catch (error) {
    throw failureOf(error)
  } finally {
    clearInterval(beating)
  }
}

async function contextOf<K extends PlannerStep>(
  kind: K,
  input: StepInputs[K],
  key: string,
  job: CurriculumJob,
  { db, courses }: CurriculumStepDependencies,
): Promise<StepContext<K>> {
  const map = await readMap(db, job.mindMapId)
  const { parents } = map ? prerequisiteGraph(map) : { parents: new Map<string, string[]>() }
  const label = new Map(map?.nodes.map((node) => [node.id, node.label]))
  return {
    kind,
    input,
    seed: hashText(key),
    arc: {
      topic: job.topic,
      goal: job.goal,
      language: 'en',
      level: 'unknown',
      phase: job.kind === 'inventory' ? 'DIAGNOSING' : 'PLANNING',
      limits: job.kind === 'generate' ? job.limits : MAP_LIMITS,
    },
    frontier: map
      ? frontier(map, 'mastered').map((node) => ({ label: node.label, status: node.masteryStatus }))
      : [],
    concepts: (map?.nodes ?? []).map((node) => ({
      id: node.id,
      label: node.label,
      status: node.masteryStatus,
      score: node.masteryScore,
      prerequisites: (parents.get(node.id) ?? []).map((id) => label.get(id) ?? ''),
    })),
    probes: job.kind === 'generate' ? job.diagnostic : [],
    inventory: job.kind === 'generate' ? job.inventory : [],
    course: courses.find(({ courseId }) => courseId === job.courseId) ?? null,
    goalUnitIds: job.goalUnitIds,
    ...NOTHING_ELSE,
  }
}

/** A map without an arc has no conversation, no questions and no learner's memory. */
const NOTHING_ELSE = {
  concept: null,
  responses: [],
  facts: [],
  material: [],
  unit: null,
  asked: [],
  questions: [],
  message: null,
  codeVerdict: null,
}

function failureOf(error: unknown): Error {
  if (!(error instanceof TutorFailure)) {
    return error instanceof Error ? error : new Error(String(error))
  }
  return ApplicationFailure.create({
    message: error.message,
    type: STEP_FAILURE[error.kind],
    nonRetryable: error.kind === 'refused' || error.kind === 'malformed',
    ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
  })
}
