/** The operator's desk: what runs, what is held up and since when, what it costs. */
import { z } from 'zod'
import { ArcPhase } from './arc.ts'

/** Something of Meno's that does not go on by itself as it should. */
export const HeldEntity = z.object({
  id: z.uuid(),
  product: z.string(),
  workflowId: z.string(),
  /** `fault`: a fault of Meno's own code; `late`: past its date and not looked at. */
  why: z.enum(['fault', 'late']),
  since: z.string(),
  message: z.string().nullable(),
  /** Of an arc, its topic. */
  title: z.string().nullable(),
  temporalUrl: z.string().nullable(),
})
export type HeldEntity = z.infer<typeof HeldEntity>

export const OperatorOverview = z.object({
  phases: z.array(z.object({ phase: ArcPhase, count: z.int() })),
  /** Arcs that wait for something outside. */
  blocked: z.int(),
  /** By product: held up by a fault, and past their date. */
  held: z.array(z.object({ product: z.string(), faults: z.int(), late: z.int() })),
  /** Inputs that nothing has taken up, and since when the oldest waits. */
  waiting: z.object({ count: z.int(), since: z.string().nullable() }),
  deliveriesFailed: z.int(),
  /** Where the Temporal UI shows lists of workflows; empty where its address is not known. */
  temporalViews: z.array(
    z.object({ name: z.string(), count: z.int().nullable(), url: z.string() }),
  ),
})
export type OperatorOverview = z.infer<typeof OperatorOverview>

export const OperatorArc = z.object({
  arcId: z.uuid(),
  title: z.string(),
  learner: z.object({ id: z.uuid(), handle: z.string(), name: z.string().nullable() }),
  phase: ArcPhase,
  paused: z.boolean(),
  blocked: z.object({ reason: z.string(), since: z.string(), retryAt: z.string() }).nullable(),
  late: z.object({ since: z.string() }).nullable(),
  fault: z.object({ message: z.string(), since: z.string() }).nullable(),
  startedAt: z.string(),
  lastSessionAt: z.string().nullable(),
  nextReviewAt: z.string().nullable(),
  workflowId: z.string(),
  temporalUrl: z.string().nullable(),
})
export type OperatorArc = z.infer<typeof OperatorArc>

/** What is held up: `any` of the three. */
export const HeldUp = z.enum(['blocked', 'late', 'fault', 'any'])

/** US dollars for a million tokens. */
export const ModelPrice = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** As `input` where it is not named. */
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
})
export type ModelPrice = z.infer<typeof ModelPrice>

export const TokenUse = z.object({
  /** A date in UTC. */
  day: z.string(),
  model: z.string(),
  steps: z.int(),
  /** All of it, the cached ones included. */
  input: z.int(),
  output: z.int(),
  cacheRead: z.int(),
  cacheWrite: z.int(),
  /** In US dollars; null where no price of the model is set. */
  cost: z.number().nullable(),
})
export type TokenUse = z.infer<typeof TokenUse>

/** A nudge that did not arrive, or of which that is not known. */
export const FailedDelivery = z.object({
  nudgeId: z.uuid(),
  learner: z.object({ id: z.uuid(), handle: z.string(), name: z.string().nullable() }),
  channel: z.string(),
  kind: z.string(),
  status: z.enum(['failed', 'uncertain']),
  attempts: z.int(),
  at: z.string(),
  failure: z.string().nullable(),
})
export type FailedDelivery = z.infer<typeof FailedDelivery>
