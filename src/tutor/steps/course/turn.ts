import type { Course } from '../../../contracts/course-pack.ts'
import { LlmTutorResponse } from '../../../contracts/course-tutor.ts'
import { readTutorResponse } from '../../../contracts/course-tutor-wire.ts'
import type { TurnBrief, TurnSaid } from '../../../domain/course/brief.ts'
import type { Step } from '../../step.ts'
import { storable } from '../../storable.ts'
import { ASKED_ONCE } from './asked-once.ts'
import { offlineTurn } from './offline-turn.ts'
import { courseOutline, TURN_RULES, turnRequest } from './turn-prompt.ts'

/** A turn's brief with the course that it is about. */
export interface TurnContext extends TurnBrief {
  course: Course
}

/**
 * One move of the course tutor, asked for once: what is said is taken as it is, and judged by the policy afterwards.
 * Seed 004 PF-3.6 and PF-3.7.
 */
export const turn: Step<TurnContext, TurnSaid> = {
  kind: 'turn',
  tier: 'tutor',
  maxTokens: 2_000,
  ...ASKED_ONCE,
  schema: () => LlmTutorResponse,
  prompt: (context) => ({
    system: TURN_RULES,
    stable: [courseOutline(context.course)],
    request: turnRequest(context),
  }),
  read: (text) => ({ ok: true, output: said(text, null, null) }),
  offline: (context) => {
    const { answer, drillSource, asks } = offlineTurn(context)
    return said(JSON.stringify(answer), drillSource, asks)
  },
  fallback: null,
}

const said = (text: string, drillSource: string | null, asks: TurnSaid['asks']): TurnSaid => {
  const raw = storable(text)
  return { raw, drillSource, asks, reading: storable(readTutorResponse(raw)) }
}
