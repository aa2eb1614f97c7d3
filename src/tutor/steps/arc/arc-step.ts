import type { MindStepKind } from '../../../domain/arc/steps.ts'
import { paragraphs } from '../../data-block.ts'
import { defineStep, type Step, type StepParts } from '../../step.ts'
import type { StepContext } from './context.ts'
import { contextBlocks, stableBlocks } from './context-blocks.ts'
import { ARC_INSTRUCTIONS } from './instructions.ts'

type ArcStepParts<K extends MindStepKind, Wire, Output> = Omit<
  StepParts<StepContext<K>, Wire, Output>,
  'kind' | 'prompt'
> & {
  /** What follows the context that every step is told; empty parts are left out. */
  request: (context: StepContext<K>) => string[]
}

/** A step of an arc; the domain declares its input and its output by kind. */
export function arcStep<K extends MindStepKind, Wire, Output>(
  kind: K,
  { request, ...parts }: ArcStepParts<K, Wire, Output>,
): Step<StepContext<K>, Output> {
  const prompt = (context: StepContext<K>) => ({
    system: ARC_INSTRUCTIONS,
    stable: stableBlocks(context),
    request: paragraphs(contextBlocks(context), `The step: ${kind}`, ...request(context)),
  })
  return defineStep({ kind, prompt, ...parts })
}
