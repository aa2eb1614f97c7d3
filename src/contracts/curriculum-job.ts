import type { GraphDigest } from '../domain/arc/model-step.ts'
import type { Difficulty } from '../domain/diagnosis/diagnosis.ts'
import type { BuiltMap, ProbeResult } from '../domain/mind-map/building.ts'
import type { MapStatus } from '../domain/mind-map/mind-map.ts'
import type { MapLimits } from '../domain/mind-map/validation.ts'
import type { Violation } from '../domain/mind-map/violation.ts'

/** A map after it was generated. */
export interface CurriculumState {
  mindMapId: string
  nodeCount: number
  edgeCount: number
  status: MapStatus
  /** There is a goal, but no concept was found for it: the map is whole. */
  goalIgnored?: boolean
}

export interface Generated extends BuiltMap {
  goal: string | null
}

/** A map after it was planned again. */
export interface Replanned extends CurriculumState {
  addedNodeIds: string[]
  /** Why the advice was dropped; empty when it was taken or there was none. */
  refused: Violation[]
}

/** Which mind does the thinking: a model, or a course and the units of it that are the goal. */
export interface JobTutor {
  tutor: 'anthropic' | 'offline'
  courseId: string | null
  goalUnitIds: string[]
}

interface JobBase extends JobTutor {
  mindMapId: string
  topic: string
  goal: string | null
}

/** What is asked of the planner for a map that no arc owns. */
export type CurriculumJob =
  | (JobBase & { kind: 'inventory' })
  | (JobBase & {
      kind: 'generate'
      limits: MapLimits
      diagnostic: ProbeResult[]
      /** Labels that the planner has to reuse. */
      inventory: string[]
    })
  | (JobBase & { kind: 'replan'; reason: string | null })

export type JobKind = CurriculumJob['kind']

export interface InventoryDigest {
  concepts: { label: string; difficulty: Difficulty; prerequisites: string[] }[]
}

export interface JobResults {
  inventory: InventoryDigest
  generate: CurriculumState
  replan: Replanned
}

/** The types of the failures a job ends with. */
export const JOB_FAILURE = {
  /** The graph broke the rules twice; nothing was stored. */
  refused: 'Curriculum.Refused',
  /** The map does not allow it in its state. */
  conflict: 'Curriculum.Conflict',
} as const

/** One asking of the planner; `key` names it for good, so that it is paid for once. */
export type CurriculumStep = { key: string; job: CurriculumJob; violations: string[] }

/** What the planner returned, without its texts. */
export interface StepAnswers {
  inventory: InventoryDigest
  graph: GraphDigest
  replan: Pick<GraphDigest, 'nodes' | 'edges'>
}

/** The activities of a job, on the queue for model steps. */
export interface CurriculumStepActivities {
  proposeInventory(step: CurriculumStep): Promise<StepAnswers['inventory']>
  proposeGraph(step: CurriculumStep): Promise<StepAnswers['graph']>
  adviseReplan(step: CurriculumStep): Promise<StepAnswers['replan']>
}

/** The short writes of a job; `stepKey` is where descriptions are found. */
export interface CurriculumStoreActivities {
  adoptGraph(adoption: { generated: Generated; stepKey: string }): Promise<CurriculumState>
  replanMap(plan: {
    mindMapId: string
    advice: { stepKey: string; additions: StepAnswers['replan'] } | null
  }): Promise<Replanned>
}
