import type { Difficulty } from '../diagnosis/diagnosis.ts'
import type { ProbeResult } from '../mind-map/building.ts'
import type { MapStatus, MindMap } from '../mind-map/mind-map.ts'
import type { Additions, ProposedGraph } from '../mind-map/validation.ts'

/** Which mind does the thinking: a model, or a course and the units of it that are the goal. */
export interface Planner {
  tutor: 'anthropic' | 'offline'
  courseId: string | null
  goalUnitIds: string[]
}

interface RequestBase extends Planner {
  topic: string
  goal: string | null
  /** How long the caller waits once it was taken up, in milliseconds. */
  patienceMs: number
}

/** What is asked of the planner for a map that no arc owns. */
export type JobRequest =
  | (RequestBase & { kind: 'inventory' })
  | (RequestBase & {
      kind: 'generate'
      diagnostic: ProbeResult[]
      /** Labels that the planner has to reuse. */
      inventory: string[]
    })
  | (RequestBase & { kind: 'replan'; reason: string | null })

export type JobKind = JobRequest['kind']

/** A map after it was planned. */
export interface PlannedMap {
  mindMapId: string
  nodeCount: number
  edgeCount: number
  status: MapStatus
}

export interface JobResults {
  inventory: { concepts: InventoryEntry[] }
  /** `goalIgnored`: there is a goal, but no concept was found for it, and the map is whole. */
  generate: PlannedMap & { goalIgnored?: boolean }
  /** `refused`: why the advice was dropped; empty when it was taken or there was none. */
  replan: PlannedMap & { addedNodeIds: string[]; refused: string[] }
}

export interface InventoryEntry {
  label: string
  difficulty: Difficulty
  prerequisites: string[]
}

/** What the planner returns for each step. */
export interface PlannerOutputs {
  inventory: { concepts: InventoryEntry[] }
  graph: ProposedGraph & { goalLabels: string[] }
  replan: Additions
}

export type PlannerStep = keyof PlannerOutputs

/** What the sender of a request is told. */
export type JobAnswer<K extends JobKind = JobKind> =
  | { ok: true; result: JobResults[K] }
  | { ok: false; message: string }

/** A request that waits for its planner. */
export interface RunningJob {
  inputId: string
  request: JobRequest
  /** How often the planner was asked for a graph. */
  asking: number
  /** What was wrong with its graph before. */
  violations: string[]
  /** After this the caller is told that nobody answered, in epoch milliseconds. */
  until: number
}

/** Where the planning of a map stands. */
export interface CurriculumState {
  job: RunningJob | null
}

/** All that a decision reads. */
export interface Curriculum {
  state: CurriculumState
  map: MindMap
  /** The arc that owns the map, and alone changes it. */
  arcId: string | null
}

export type CurriculumEffect =
  | {
      type: 'write'
      before: MindMap
      after: MindMap
      descriptions: { nodeId: string; description: string }[]
    }
  /** The diagnosis that a new map starts from, and its goal. */
  | {
      type: 'begin'
      map: MindMap
      seeded: { nodeId: string; quality: number }[]
      goal: string | null
    }
  | { type: 'answer'; inputId: string; answer: JobAnswer }
  | { type: 'log'; message: string; violations: string[] }
