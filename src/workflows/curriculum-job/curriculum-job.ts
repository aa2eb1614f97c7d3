import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  log,
  proxyActivities,
  proxyLocalActivities,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow'
import {
  type CurriculumJob,
  type CurriculumStepActivities,
  type CurriculumStoreActivities,
  JOB_FAILURE,
  type JobKind,
  type JobResults,
} from '../../contracts/curriculum-job.ts'
import { STEP_FAILURE } from '../../contracts/step-failure.ts'
import { LLM_TASK_QUEUE } from '../../contracts/temporal.ts'
import type { GraphDigest } from '../../domain/arc/model-step.ts'
import { rankInventory } from '../../domain/diagnosis/inventory.ts'
import { type BuildResult, buildMap } from '../../domain/mind-map/building.ts'

type JobOf<K extends JobKind> = Extract<CurriculumJob, { kind: K }>

const ASKINGS = 2

const planner = proxyActivities<CurriculumStepActivities>({
  taskQueue: LLM_TASK_QUEUE,
  startToCloseTimeout: '50s',
  scheduleToCloseTimeout: '50s',
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '8s' },
})

const store = proxyLocalActivities<CurriculumStoreActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '5s' },
})

/**
 * Plans a map that no arc owns: its inventory, its concept graph, or additions to it. The planner
 * proposes, the rules decide, and one transaction writes it whole or not at all.
 * @throws ApplicationFailure of a type of `JOB_FAILURE` or `STEP_FAILURE`
 */
export async function curriculumJob(job: CurriculumJob): Promise<JobResults[JobKind]> {
  switch (job.kind) {
    case 'inventory':
      return takeInventory(job)
    case 'generate':
      return generate(job)
    case 'replan':
      return replan(job)
  }
}

const stepKey = (name: string) => `curriculum/${workflowInfo().runId}/${name}`

async function takeInventory(job: JobOf<'inventory'>): Promise<JobResults['inventory']> {
  const { concepts } = await planner.proposeInventory({
    key: stepKey('inventory'),
    job,
    violations: [],
  })
  return { concepts: rankInventory(concepts) }
}

/** A graph that is refused is asked for once more, with what was wrong with it. */
async function generate(job: JobOf<'generate'>): Promise<JobResults['generate']> {
  let violations: string[] = []
  for (let asking = 1; asking <= ASKINGS; asking += 1) {
    const key = stepKey(`graph/${asking}`)
    const graph = await planner.proposeGraph({ key, job, violations })
    const built = build(job, graph)
    if (built.ok) {
      const { map, descriptions, seeded } = built
      const generated = { map, descriptions, seeded, goal: job.goal }
      const state = await store.adoptGraph({ generated, stepKey: key })
      return built.goalIgnored ? { ...state, goalIgnored: true } : state
    }
    violations = built.violations.map(({ message }) => message)
    log.warn('a concept graph was refused', { mindMapId: job.mindMapId, asking, violations })
  }
  throw ApplicationFailure.nonRetryable(
    `The concept graph was refused twice: ${violations.join(' ')}`,
    JOB_FAILURE.refused,
  )
}

/** A model has to name what reaches the goal; a course that has nothing for it is planned whole, and says so. */
function build(job: JobOf<'generate'>, graph: GraphDigest): BuildResult {
  const ids = [job.mindMapId]
  return buildMap(graph, job.limits, () => ids.pop() ?? uuid4(), {
    diagnostic: job.diagnostic,
    mayIgnoreGoal: job.tutor === 'offline',
    ...(job.goal === null ? {} : { goal: job.goal }),
  })
}

/** Without a reason nothing is asked: the order follows from the state alone. */
async function replan(job: JobOf<'replan'>): Promise<JobResults['replan']> {
  const advice = job.reason === null ? null : await advise(job)
  const replanned = await store.replanMap({ mindMapId: job.mindMapId, advice })
  const violations = replanned.refused.map(({ message }) => message)
  if (violations.length > 0) {
    log.warn('advice to a plan was refused', { mindMapId: job.mindMapId, violations })
  }
  return replanned
}

async function advise(job: JobOf<'replan'>) {
  const key = stepKey('replan')
  try {
    return { stepKey: key, additions: await planner.adviseReplan({ key, job, violations: [] }) }
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : error
    const isMalformed = cause instanceof ApplicationFailure && cause.type === STEP_FAILURE.malformed
    if (!isMalformed) throw error
    log.warn('advice to a plan was not readable', { mindMapId: job.mindMapId })
    return null
  }
}
