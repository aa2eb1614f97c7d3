import { z } from 'zod'
import type { TutorFailure } from './mind.ts'
import { storable } from './storable.ts'

/** What a model is told: rules that stay the same from call to call where possible, so that they can be cached, and the request. */
export interface Prompt {
  system: string
  /** Blocks of text before the request that stay the same for many calls, each cached with all before it; at most two. */
  stable?: readonly string[]
  /** Text of others stands in data blocks. */
  request: string
}

/** The model's answer as it can be used, or what is wrong with it in words that the model can act on. */
export type Reading<T> =
  /** `reservations`: what should be better; it is worth asking once more, and the answer is usable if that is no help. */
  { ok: true; output: T; reservations?: string[] } | { ok: false; violations: string[] }

/** One kind of model step, for whichever mind runs it. */
export interface Step<Context, Output> {
  readonly kind: string
  /** Which of the two models does it (seed 000 D7: teaching is not for the small one). */
  readonly tier: 'tutor' | 'fast'
  /** The most output tokens. */
  readonly maxTokens: number
  /** What the learner may see while it streams in: the whole text, one field of the answer, or nothing. */
  readonly shown: 'text' | 'explanation' | null
  /** Says whether the learner may see what has come in of it, up to the end of a sentence; none, or null: all of it, at once. */
  readonly mayShow?: (context: Context) => ((text: string) => boolean) | null
  /** How often a model is asked: 2 where an answer of no use is asked for once more. */
  readonly askings: 1 | 2
  /** Milliseconds a model may be silent before the call counts as broken. */
  readonly silenceMs: number
  /** Milliseconds all askings may take together; null where only silence ends them. */
  readonly deadlineMs: number | null
  readonly prompt: (context: Context) => Prompt
  /** The shape of the answer, JSON of a schema or `PlainText`. */
  readonly schema: (context: Context) => z.ZodType
  /** Reads what a model wrote; the output's texts can be stored. */
  readonly read: (text: string, context: Context) => Reading<Output>
  /**
   * The answer without a model, by code alone.
   * @throws TutorFailure where code has none
   */
  readonly offline: (context: Context) => Output
  /** What stands in for an answer that failed; null where nothing can. `ask` uses it for malformed answers only. */
  readonly fallback: ((context: Context, failure: TutorFailure) => Output | null) | null
}

type Defaults = 'shown' | 'mayShow' | 'askings' | 'silenceMs' | 'deadlineMs' | 'fallback'

export type StepParts<Context, Wire, Output> = Omit<
  Step<Context, Output>,
  Defaults | 'schema' | 'read'
> &
  Partial<Pick<Step<Context, Output>, Defaults>> & {
    schema: z.ZodType<Wire> | ((context: Context) => z.ZodType<Wire>)
    /** What is wrong with an answer that has the right shape; none when it can be used. */
    check?: (wire: Wire, context: Context) => string[]
    /** What is wrong with an answer that can be used if a second one is no better. */
    reserve?: (wire: Wire, context: Context) => string[]
    /** Makes of an answer without violations what the rest of Meno uses. */
    toOutput: (wire: Wire, context: Context, text: string) => Output
  }

/** The schema of an answer that is text for the learner and no JSON. */
export const PlainText = z.string().trim().min(1, 'it is empty')

const SILENCE_MS = 60_000
const MAX_ISSUES = 8

/** A step from what its file declares. */
export function defineStep<Context, Wire, Output>(
  parts: StepParts<Context, Wire, Output>,
): Step<Context, Output> {
  const { schema: shape, check = () => [], reserve = () => [], toOutput, ...step } = parts
  const schema = typeof shape === 'function' ? shape : () => shape
  return {
    shown: null,
    askings: 2,
    silenceMs: SILENCE_MS,
    deadlineMs: null,
    fallback: null,
    ...step,
    schema,
    read(text, context) {
      const wire = readWire(text, schema(context))
      if (!wire.ok) return wire
      const violations = check(wire.output, context)
      if (violations.length > 0) return { ok: false, violations }
      const output = toOutput(wire.output, context, storable(text))
      return { ok: true, output, reservations: reserve(wire.output, context) }
    },
  }
}

function readWire<Wire>(text: string, schema: z.ZodType<Wire>): Reading<Wire> {
  let said: unknown = text
  if (schema !== (PlainText as unknown)) {
    try {
      said = JSON.parse(text)
    } catch {
      return { ok: false, violations: ['The answer is not valid JSON.'] }
    }
  }
  const result = schema.safeParse(storable(said))
  if (result.success) return { ok: true, output: result.data }
  const violations = result.error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `${issue.path.join('.') || 'the answer'}: ${issue.message}`)
  return { ok: false, violations }
}
