import type { NodeHistory } from '../mastery/status.ts'
import type { MindMap, UnlockAt } from '../mind-map/mind-map.ts'
import type { SchedulerName } from '../spaced-repetition/scheduler.ts'
import type { ArcFlow } from './flow.ts'

/** The settings of an arc that the rules read. */
export interface ArcRules {
  maxNodes: number
  maxDepth: number
  unlockAt: UnlockAt
  scheduler: SchedulerName
  learningSteps: number[]
  masteryThreshold: number
  maxCycles: number
  quizQuestions: number
  skipDiagnosis: boolean
  diagnosisDepth: 'standard' | 'thorough'
}

/** An arc as the store holds it: everything a workflow needs to begin, or to begin again. */
export interface LoadedArc {
  arcId: string
  mindMapId: string
  learnerId: string
  topic: string
  goal: string | null
  courseId: string | null
  tutor: 'anthropic' | 'offline'
  rules: ArcRules
  /** The length of one day in milliseconds. */
  dayMs: number
  generation: number
  flow: ArcFlow
  map: MindMap
  histories: Record<string, NodeHistory>
}
