import { DiagnosticSummary, OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { courseInventory } from '../../../courses/course-graph.ts'
import { rankInventory } from '../../../domain/diagnosis/inventory.ts'
import {
  learnerLevel,
  prerequisiteGaps,
  recommendations,
} from '../../../domain/diagnosis/summary.ts'
import { listBlock } from '../../data-block.ts'
import { arcStep } from './arc-step.ts'
import { courseOf, languageOf } from './context.ts'
import { probeResults } from './context-blocks.ts'

/** What the diagnosis showed, in words (seed 003, diagnostic state). */
export const summary = arcStep('summary', {
  tier: 'fast',
  maxTokens: OUTPUT_TOKENS.reply,
  schema: DiagnosticSummary,
  request: (context) => [
    listBlock('inventory', context.inventory),
    listBlock('probe_results', probeResults(context.input.probes)),
    'Sum up the diagnosis.',
  ],
  toOutput: (wire) => wire,
  offline: (context) => {
    const diagnosis = {
      concepts: rankInventory(courseInventory(courseOf(context), context.goalUnitIds)),
      probes: context.input.probes,
      depth: 'standard' as const,
    }
    return {
      learner_level: learnerLevel(diagnosis),
      prerequisite_gaps: prerequisiteGaps(diagnosis),
      recommendations: recommendations(diagnosis, languageOf(context)),
    }
  },
})
