/** What workflows ask of the store and of steps. Ids, dates and what the store says cross here, never a learner's words. */
import type { Control, FailedStep, Standing } from '../domain/spine/decision.ts'

export type ProductName = 'arc' | 'practice' | 'course' | 'curriculum' | 'agenda'

export interface AdvanceRequest {
  product: string
  id: string
  /** The workflow's time, in epoch milliseconds. */
  at: number
  controls: Control[]
  failed: FailedStep[]
}

export interface AdvanceActivities {
  advance(request: AdvanceRequest): Promise<Standing>
}

export interface ThinkRequest {
  product: string
  id: string
  key: string
}

export interface ThinkActivities {
  think(request: ThinkRequest): Promise<Standing>
}
