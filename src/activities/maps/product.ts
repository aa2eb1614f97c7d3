import type { Course } from '../../contracts/course-pack.ts'
import { decide, wantedStep } from '../../domain/maps/decide.ts'
import type {
  Curriculum,
  CurriculumEffect,
  CurriculumState,
  RunningJob,
} from '../../domain/maps/state.ts'
import { frontier } from '../../domain/mind-map/frontier.ts'
import { prerequisiteGraph } from '../../domain/mind-map/graph.ts'
import { MAP_LIMITS } from '../../domain/mind-map/validation.ts'
import { hashText } from '../../domain/random/seeded-random.ts'
import {
  beginWrites,
  curriculumOf,
  curriculumReads,
  failOpenRequests,
} from '../../store/maps/curriculum.ts'
import { mapWrites } from '../../store/maps/writing.ts'
import { ask, type Live, type Mind, TutorFailure, unheard } from '../../tutor/mind.ts'
import type { StepContext } from '../../tutor/steps/arc/context.ts'
import { ARC_STEPS } from '../../tutor/steps.ts'
import type { Product } from '../spine/product.ts'

const STEP_MS = 50_000
/** An asking that fails is paid for: not more than so many, however much time is left. */
const ATTEMPTS = 3

export interface CurriculumDependencies {
  minds: { offline: Mind; anthropic: Mind | null }
  courses: Course[]
}

/** The planning of maps that no arc owns; one entity a map, of the map's id. */
export function curriculumProduct({
  minds,
  courses,
}: CurriculumDependencies): Product<Curriculum, CurriculumEffect> {
  /** @throws {TutorFailure} also where no model is configured */
  const think = (curriculum: Curriculum, key: string, live: Live) => {
    const step = wantedStep(curriculum)
    if (step?.key !== key) throw new Error(`the step ${key} is not wanted`)
    const mind = minds[step.job.request.tutor]
    if (!mind) throw new TutorFailure('refused', 'No model is configured.')
    const context = contextOf(curriculum, step.job, key, courses)
    switch (step.kind) {
      case 'inventory':
        return ask(mind, ARC_STEPS.inventory, { ...context, kind: 'inventory', input: {} }, live)
      case 'graph': {
        const input = { violations: step.job.violations, goal: step.job.request.goal }
        return ask(mind, ARC_STEPS.graph, { ...context, kind: 'graph', input }, live)
      }
      case 'replan': {
        const { request } = step.job
        const reason = request.kind === 'replan' ? request.reason : null
        const input = { reason, goal: null, nodeId: null }
        return ask(mind, ARC_STEPS.replan, { ...context, kind: 'replan', input }, live)
      }
    }
  }
  return {
    name: 'curriculum',
    version: 1,
    reads: curriculumReads,
    loaded(entity, rows) {
      const read = curriculumOf(rows)
      if (!read) return null
      const { map, arcId, open } = read
      const { job } = (entity.state as CurriculumState | null) ?? { job: null }
      // A request whose sender was told that it failed is over.
      return { map, arcId, state: { job: job && open.includes(job.inputId) ? job : null } }
    },
    decide,
    admits: () => true,
    position(curriculum) {
      const { job } = curriculum.state
      const step = wantedStep(curriculum)
      return {
        state: curriculum.state,
        think: step
          ? [
              {
                key: step.key,
                label: step.kind,
                queue: 'meno-llm',
                startToCloseMs: STEP_MS,
                attempts: ATTEMPTS,
              },
            ]
          : [],
        wakeAt: job?.until ?? null,
        over: job === null,
        view: {
          phase: job ? 'PLANNING' : 'IDLE',
          attributes: {},
          details: job ? `Asks the planner: ${step?.kind}, time ${job.asking}` : 'Nothing to plan',
          query: null,
        },
      }
    },
    statements: (db, _, effects) =>
      effects.flatMap((effect) => {
        if (effect.type === 'write') {
          return mapWrites(db, effect.before, effect.after, effect.descriptions)
        }
        return effect.type === 'begin'
          ? beginWrites(db, effect.map, effect.seeded, effect.goal)
          : []
      }),
    row: () => [],
    told: (_, effects) => ({
      events: [],
      sent: [],
      answered: effects.flatMap((effect) =>
        effect.type === 'answer' ? [{ id: effect.inputId, body: { ...effect.answer } }] : [],
      ),
      logs: effects.flatMap((effect) =>
        effect.type === 'log'
          ? [{ message: effect.message, data: { violations: effect.violations } }]
          : [],
      ),
    }),
    isAnsweredHere: ({ state }) => state.job?.request.tutor === 'offline',
    answerHere: async (curriculum, key) => (await think(curriculum, key, unheard())).output,
    ask: think,
    describeStep: (curriculum) => {
      const { kind = 'none', job } = wantedStep(curriculum) ?? {}
      return { kind, input: { request: job?.request, violations: job?.violations } }
    },
    tellFault: (db, id) => [failOpenRequests(db, id)],
    tellSetAside: () => [],
  }
}

function contextOf(
  { map }: Curriculum,
  { request }: RunningJob,
  key: string,
  courses: readonly Course[],
): Omit<StepContext, 'kind' | 'input'> {
  const { parents } = prerequisiteGraph(map)
  const label = new Map(map.nodes.map((node) => [node.id, node.label]))
  return {
    seed: hashText(key),
    arc: {
      topic: request.topic,
      goal: request.goal,
      language: 'en',
      level: 'unknown',
      phase: request.kind === 'inventory' ? 'DIAGNOSING' : 'PLANNING',
      limits: MAP_LIMITS,
    },
    frontier: frontier(map, 'mastered').map((node) => ({
      label: node.label,
      status: node.masteryStatus,
    })),
    concepts: map.nodes.map((node) => ({
      id: node.id,
      label: node.label,
      status: node.masteryStatus,
      score: node.masteryScore,
      prerequisites: (parents.get(node.id) ?? []).map((id) => label.get(id) ?? ''),
    })),
    probes: request.kind === 'generate' ? request.diagnostic : [],
    inventory: request.kind === 'generate' ? request.inventory : [],
    course: courses.find(({ courseId }) => courseId === request.courseId) ?? null,
    goalUnitIds: request.goalUnitIds,
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
  chances: [],
}
