import { defineQuery, defineSignal } from '@temporalio/workflow'
import {
  type AbandonSignal,
  FLOW_STATE_QUERY,
  type FlowState,
  type ModelProgressSignal,
  type PracticeOutcomeSignal,
  type RegenerateSignal,
  type ReplanSignal,
  SIGNAL,
  type StopSignal,
  type UserMessageSignal,
} from '../../contracts/temporal.ts'

export const userMessage = defineSignal<[UserMessageSignal]>(SIGNAL.userMessage)
export const abandon = defineSignal<[AbandonSignal]>(SIGNAL.abandon)
export const replan = defineSignal<[ReplanSignal]>(SIGNAL.replan)
export const reviewNow = defineSignal(SIGNAL.reviewNow)
export const pause = defineSignal(SIGNAL.pause)
export const resume = defineSignal(SIGNAL.resume)
export const stop = defineSignal<[StopSignal]>(SIGNAL.stop)
export const regenerate = defineSignal<[RegenerateSignal]>(SIGNAL.regenerate)
export const practiceOutcome = defineSignal<[PracticeOutcomeSignal]>(SIGNAL.practiceOutcome)
export const modelProgress = defineSignal<[ModelProgressSignal]>(SIGNAL.modelProgress)
export const flowState = defineQuery<FlowState>(FLOW_STATE_QUERY)
