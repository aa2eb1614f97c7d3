import type { GradeBrief, MindFailureKind, TurnBrief } from '../../domain/course/brief.ts'

export interface MindCost {
  model: string
  inputTokens: number
  outputTokens: number
}

/** What a mind said, not yet judged: the answer as text, the prompt it was given, and what it cost. */
export interface MindAnswer extends MindCost {
  raw: string
  prompt: string | null
  /** Where a drill comes from, `template#seed` or a bank question's id; null for one that was made up. */
  drillSource: string | null
}

/** Why a mind has no answer, and what it cost all the same, where that is known. */
export class MindFailure extends Error {
  readonly kind: MindFailureKind
  readonly prompt: string | null
  readonly cost: MindCost | null

  constructor(
    kind: MindFailureKind,
    message: string,
    prompt: string | null = null,
    cost: MindCost | null = null,
  ) {
    super(message)
    this.kind = kind
    this.prompt = prompt
    this.cost = cost
  }
}

/** How a mind that is asked is heard and stopped. */
export interface Asking {
  signal: AbortSignal
  /** Something came in: whoever answers is alive. */
  onToken(): void
}

/**
 * The mind of the course tutor: `anthropic` asks a model, `offline` goes by the course pack. It is asked once; what it
 * says is checked by the policy and replaced where it breaks it.
 *
 * Both calls reject with a `MindFailure`, or with the reason of the signal that stopped them.
 */
export interface CourseMind {
  readonly name: 'anthropic' | 'offline'
  turn(brief: TurnBrief, asking?: Asking): Promise<MindAnswer>
  gradeDrill(brief: GradeBrief, asking?: Asking): Promise<MindAnswer>
}
