import { rankInventory } from '../diagnosis/inventory.ts'
import { buildMap } from '../mind-map/building.ts'
import { MapStatusError, settled } from '../mind-map/lifecycle.ts'
import type { MindMap } from '../mind-map/mind-map.ts'
import { replan } from '../mind-map/replan.ts'
import { type Additions, MAP_LIMITS } from '../mind-map/validation.ts'
import type { Input } from '../spine/decision.ts'
import { derivedId } from '../spine/ids.ts'
import type {
  Curriculum,
  CurriculumEffect,
  JobAnswer,
  JobRequest,
  PlannedMap,
  PlannerOutputs,
  PlannerStep,
  RunningJob,
} from './state.ts'

const ASKINGS = 2

const BUSY = 'This map is being planned already; try again later.'
export const NO_ANSWER =
  'The planner did not answer within a minute; nothing was stored. Try again later.'

export interface CurriculumDecision {
  loaded: Curriculum
  effects: CurriculumEffect[]
}

/** The step that a job waits for; null: none. */
export function wantedStep({ map, state: { job } }: Curriculum) {
  if (!job) return null
  const kind: PlannerStep = job.request.kind === 'generate' ? 'graph' : job.request.kind
  return { key: `curriculum/${map.id}/${job.inputId}/${kind}/${job.asking}`, kind, job }
}

/**
 * Plans a map that no arc owns: its inventory, its concept graph, or additions to it. The planner proposes, the rules
 * decide, and the map is written whole or not at all. One request at a time.
 */
export function decide(curriculum: Curriculum, input: Input, at: number): CurriculumDecision {
  const { job } = curriculum.state
  if (job && at >= job.until && input.type !== 'answer') {
    const late = refuse(curriculum, job, NO_ANSWER)
    if (input.type !== 'input') return late
    const next = decide(late.loaded, input, at)
    return { ...next, effects: [...late.effects, ...next.effects] }
  }
  if (input.type === 'input') {
    const request = input.input.payload as unknown as JobRequest
    const { id: inputId } = input.input
    return begin(curriculum, {
      ...{ inputId, request, asking: 1, violations: [] },
      until: at + request.patienceMs,
    })
  }
  const wanted = wantedStep(curriculum)
  if (!wanted || !job || input.type === 'clock' || input.key !== wanted.key) {
    return { loaded: curriculum, effects: [] }
  }
  switch (input.type) {
    case 'answer':
      return answered(curriculum, job, wanted.kind, input.output)
    case 'no-answer':
      // A plan is ordered anew all the same where the advice cannot be read.
      return job.request.kind === 'replan' && input.fault === 'malformed'
        ? noted(replanned(curriculum, job, null), 'advice to a plan was not readable', [])
        : refuse(curriculum, job, input.reason)
    case 'slow':
      return { loaded: curriculum, effects: [] }
  }
}

function begin(curriculum: Curriculum, job: RunningJob): CurriculumDecision {
  const { arcId, state } = curriculum
  if (state.job) return refused(curriculum, job, BUSY)
  if (arcId !== null) {
    return refused(
      curriculum,
      job,
      `Arc ${arcId} teaches this map and alone changes it; talk to the arc instead.`,
    )
  }
  const { request } = job
  // Without a reason nothing is asked: the order follows from the state alone.
  if (request.kind === 'replan' && request.reason === null) {
    return replanned(curriculum, job, null)
  }
  return { loaded: { ...curriculum, state: { job } }, effects: [] }
}

function answered(
  curriculum: Curriculum,
  job: RunningJob,
  kind: PlannerStep,
  output: unknown,
): CurriculumDecision {
  switch (kind) {
    case 'inventory': {
      const { concepts } = output as PlannerOutputs['inventory']
      return done(curriculum, job, { ok: true, result: { concepts: rankInventory(concepts) } })
    }
    case 'graph':
      return generated(curriculum, job, output as PlannerOutputs['graph'])
    case 'replan':
      return replanned(curriculum, job, output as PlannerOutputs['replan'])
  }
}

/** A graph that is refused is asked for once more, with what was wrong with it. */
function generated(
  curriculum: Curriculum,
  job: RunningJob,
  graph: PlannerOutputs['graph'],
): CurriculumDecision {
  const { map: before } = curriculum
  const { request } = job
  if (request.kind !== 'generate') throw new Error(`a graph for ${request.kind}`)
  if (before.status !== 'creation') {
    return refuse(curriculum, job, new MapStatusError(before.status, 'be generated again').message)
  }
  if (before.nodes.length > 0) {
    return refuse(curriculum, job, 'The map has concepts already; activate or re-plan it.')
  }
  // A model has to name what reaches the goal; a course that has nothing for it is planned whole, and says so.
  const mapId = [before.id]
  const newId = newIds(before.id, job)
  const built = buildMap(graph, MAP_LIMITS, () => mapId.pop() ?? newId(), {
    diagnostic: request.diagnostic,
    mayIgnoreGoal: request.tutor === 'offline',
    ...(request.goal === null ? {} : { goal: request.goal }),
  })
  if (!built.ok) return askAgain(curriculum, job, messagesOf(built.violations))
  const { descriptions, seeded, goalIgnored } = built
  const after = settled(built.map)
  const result = { ...planned(after), ...(goalIgnored ? { goalIgnored } : {}) }
  const { loaded, effects } = done(curriculum, job, { ok: true, result })
  return {
    loaded: { ...loaded, map: after },
    effects: [
      { type: 'write', before, after, descriptions },
      { type: 'begin', map: after, seeded, goal: request.goal },
      ...effects,
    ],
  }
}

function askAgain(
  curriculum: Curriculum,
  job: RunningJob,
  violations: string[],
): CurriculumDecision {
  const again = { ...job, asking: job.asking + 1, violations }
  const decision =
    job.asking < ASKINGS
      ? { loaded: { ...curriculum, state: { job: again } }, effects: [] }
      : refuse(curriculum, job, `The concept graph was refused twice: ${violations.join(' ')}`)
  return noted(decision, 'a concept graph was refused', violations)
}

/** Advice that breaks a rule is dropped, and the order made anew all the same. */
function replanned(
  curriculum: Curriculum,
  job: RunningJob,
  additions: Additions | null,
): CurriculumDecision {
  const { map: before } = curriculum
  if (before.status !== 'active') {
    return refuse(curriculum, job, new MapStatusError(before.status, 'be re-planned').message)
  }
  const ids = newIds(before.id, job)
  const advice = additions ? { additions, limits: MAP_LIMITS, ids } : undefined
  const next = replan(before, 'mastered', advice)
  const after = next.map === before ? before : settled(next.map)
  const known = new Set(before.nodes.map(({ id }) => id))
  const addedNodeIds = after.nodes.flatMap(({ id }) => (known.has(id) ? [] : [id]))
  const refusals = messagesOf(next.refused)
  const result = { ...planned(after), addedNodeIds, refused: refusals }
  const { loaded, effects } = done(curriculum, job, { ok: true, result })
  const { descriptions } = next
  const written: CurriculumEffect[] =
    after === before ? [] : [{ type: 'write', before, after, descriptions }]
  const decision = { loaded: { ...loaded, map: after }, effects: [...written, ...effects] }
  return refusals.length > 0 ? noted(decision, 'advice to a plan was refused', refusals) : decision
}

/** Ids of new concepts: the same ones when the decision is made again. */
function newIds(mapId: string, { inputId }: RunningJob): () => string {
  let count = 0
  return () => {
    count += 1
    return derivedId(mapId, inputId, count)
  }
}

const refuse = (curriculum: Curriculum, job: RunningJob, message: string) =>
  done(curriculum, job, { ok: false, message })

/** The job ends with an answer. */
const done = (
  curriculum: Curriculum,
  { inputId }: RunningJob,
  answer: JobAnswer,
): CurriculumDecision => ({
  loaded: { ...curriculum, state: { job: null } },
  effects: [{ type: 'answer', inputId, answer }],
})

/** A request is answered without being begun. */
const refused = (
  curriculum: Curriculum,
  { inputId }: RunningJob,
  message: string,
): CurriculumDecision => ({
  loaded: curriculum,
  effects: [{ type: 'answer', inputId, answer: { ok: false, message } }],
})

const noted = (
  { loaded, effects }: CurriculumDecision,
  message: string,
  violations: string[],
): CurriculumDecision => ({
  loaded,
  effects: [...effects, { type: 'log', message, violations }],
})

const messagesOf = (violations: readonly { message: string }[]) =>
  violations.map(({ message }) => message)

const planned = ({ id, nodes, edges, status }: MindMap): PlannedMap => ({
  mindMapId: id,
  nodeCount: nodes.length,
  edgeCount: edges.length,
  status,
})
