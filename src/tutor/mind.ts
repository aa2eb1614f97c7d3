import type { Step } from './step.ts'

/** How a running step is heard and stopped. */
export interface Live {
  signal: AbortSignal
  /** A piece of text the learner may already see: lessons and help only. */
  onText: (piece: string) => void
  /** Something came in, so the model is alive. */
  onToken: () => void
}

export interface Answer<Output> {
  output: Output
  /** The model that answered; `offline` where code did. */
  model: string
  inputTokens: number
  outputTokens: number
  /** Of the input tokens, those that were read from the server's cache, and those that were written to it. */
  cacheReadTokens?: number
  cacheWriteTokens?: number
}

/** What a step has cost. */
export type Spent = Pick<
  Answer<unknown>,
  'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'
>

/**
 * What answers the model steps of all products. `anthropic` asks a model; `offline` runs each step's own code.
 * `run` rejects with a `TutorFailure`, or with the signal's reason when it is aborted.
 */
export interface Mind {
  readonly name: 'anthropic' | 'offline'
  run<Context, Output>(
    step: Step<Context, Output>,
    context: Context,
    live: Live,
  ): Promise<Answer<Output>>
}

/**
 * Runs a step; where the model's answer stays malformed, what stands in for it, with the tokens that were spent.
 * @throws what the mind throws, where nothing stands in
 */
export async function ask<Context, Output>(
  mind: Mind,
  step: Step<Context, Output>,
  context: Context,
  live: Live,
): Promise<Answer<Output>> {
  try {
    return await mind.run(step, context, live)
  } catch (error) {
    if (!(error instanceof TutorFailure) || error.kind !== 'malformed') throw error
    const output = step.fallback?.(context, error) ?? null
    if (output === null) throw error
    return { output, model: 'offline', ...error.spent }
  }
}

/** A listener for steps that nobody watches. */
export const unheard = (signal: AbortSignal = new AbortController().signal): Live => ({
  signal,
  onText: () => {},
  onToken: () => {},
})

/**
 * Why a step failed, for those who decide what to do about it.
 * `overloaded` and `unavailable` pass by themselves; `refused` needs an operator; `malformed` needs a fallback.
 */
export type TutorFailureKind = 'overloaded' | 'unavailable' | 'refused' | 'malformed'

export class TutorFailure extends Error {
  readonly kind: TutorFailureKind
  /** Milliseconds the model's server asked to wait, where it did. */
  readonly retryAfterMs: number | null
  /** Whether time ran out: the model was silent, or the step's deadline passed. */
  readonly isLate: boolean
  /** The tokens of answers that could not be used. */
  readonly spent: Spent

  constructor(
    kind: TutorFailureKind,
    message: string,
    retryAfterMs: number | null = null,
    {
      isLate = false,
      spent = { inputTokens: 0, outputTokens: 0 },
    }: { isLate?: boolean; spent?: Spent } = {},
  ) {
    super(message)
    this.name = 'TutorFailure'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.isLate = isLate
    this.spent = spent
  }
}
