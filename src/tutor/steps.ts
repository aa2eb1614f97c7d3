import type { MindStepKind, StepOutputs } from '../domain/arc/steps.ts'
import type { Step } from './step.ts'
import type { StepContext } from './steps/arc/context.ts'
import { exercises } from './steps/arc/exercises.ts'
import { explain } from './steps/arc/explain.ts'
import { feedback } from './steps/arc/feedback.ts'
import { grade } from './steps/arc/grade.ts'
import { graph } from './steps/arc/graph.ts'
import { help } from './steps/arc/help.ts'
import { inventory } from './steps/arc/inventory.ts'
import { lesson } from './steps/arc/lesson.ts'
import { path } from './steps/arc/path.ts'
import { probe } from './steps/arc/probe.ts'
import { quiz } from './steps/arc/quiz.ts'
import { replan } from './steps/arc/replan.ts'
import { review } from './steps/arc/review.ts'
import { route } from './steps/arc/route.ts'
import { summary } from './steps/arc/summary.ts'

/** The steps of arcs and of maps that no arc owns, by kind. */
export const ARC_STEPS: {
  [K in MindStepKind]: Step<StepContext<K>, StepOutputs[K]>
} = {
  ...{ inventory, probe, summary, graph, replan, path },
  ...{ lesson, quiz, review, exercises, grade, explain, feedback, route, help },
}
