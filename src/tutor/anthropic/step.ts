import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import type { JSONOutputFormat } from '@anthropic-ai/sdk/resources/messages'
import type { z } from 'zod'
import type { Role } from '../../domain/arc/flow.ts'
import type { StepKind } from '../../domain/arc/model-step.ts'
import type { StepContext, StepOutputs } from '../tutor.ts'

/** The model's answer as it can be used, or what is wrong with it in words that the model can act on. */
export type Reading<T> = { ok: true; output: T } | { ok: false; violations: string[] }

/** One kind of model step: who does it, on which model, with how many output tokens, and how its answer is read. */
export interface Step<K extends StepKind> {
  role: Role | 'grader'
  /** Which of the two models does it (seed 000 D7: teaching is not for the small one). */
  tier: 'tutor' | 'fast'
  /** The most output tokens. */
  maxTokens: number
  /** The same for every call of the role's step, so that it can be cached. */
  system: string
  /** The JSON schema the answer has to follow; null for free text. */
  format: JSONOutputFormat | null
  /** What the learner may see while it streams in: the whole text, one field of the answer, or nothing. */
  shown: 'text' | 'explanation' | null
  ask: (context: StepContext<K>) => string
  read: (text: string, context: StepContext<K>) => Reading<StepOutputs[K]>
}

type StepParts<K extends StepKind> = Pick<Step<K>, 'role' | 'tier' | 'maxTokens' | 'system' | 'ask'>

const MAX_ISSUES = 8

/** A step whose answer follows a schema; `toOutput` makes of it what the rest of Meno uses. */
export function structuredStep<K extends StepKind, Wire>(
  parts: StepParts<K> & {
    shown?: 'explanation'
    schema: z.ZodType<Wire>
    toOutput: (wire: Wire, context: StepContext<K>) => Reading<StepOutputs[K]>
  },
): Step<K> {
  const { schema, toOutput, shown, ...step } = parts
  const { type, schema: jsonSchema } = zodOutputFormat(schema)
  return {
    ...step,
    format: { type, schema: jsonSchema },
    shown: shown ?? null,
    read: (text, context) => {
      const wire = readWire(text, schema)
      return wire.ok ? toOutput(wire.output, context) : wire
    },
  }
}

/** A step whose answer is text for the learner. */
export function textStep<K extends StepKind>(
  parts: StepParts<K> & { toOutput: (text: string) => StepOutputs[K] },
): Step<K> {
  const { toOutput, ...step } = parts
  return {
    ...step,
    format: null,
    shown: 'text',
    read: (text) =>
      text.trim() === ''
        ? { ok: false, violations: ['The answer is empty.'] }
        : { ok: true, output: toOutput(text) },
  }
}

function readWire<Wire>(text: string, schema: z.ZodType<Wire>): Reading<Wire> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { ok: false, violations: ['The answer is not valid JSON.'] }
  }
  const result = schema.safeParse(json)
  if (result.success) return { ok: true, output: result.data }
  const violations = result.error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `${issue.path.join('.') || 'the answer'}: ${issue.message}`)
  return { ok: false, violations }
}
