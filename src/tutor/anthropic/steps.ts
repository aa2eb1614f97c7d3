import type { StepKind } from '../../domain/arc/model-step.ts'
import { route } from '../coordinator/coordinator.ts'
import { inventory, probe, summary } from '../diagnostic/diagnostic.ts'
import { feedback } from '../feedback/feedback.ts'
import { grade } from '../grader/grader.ts'
import { graph, path, replan } from '../pathplanner/pathplanner.ts'
import { quiz, review } from '../quiz/quiz.ts'
import { help, lesson } from '../tutor/teaching.ts'
import type { Step } from './step.ts'

/** Every kind of model step, by the role that does it (seed 003). */
export const STEPS: { [K in StepKind]: Step<K> } = {
  route,
  inventory,
  probe,
  summary,
  graph,
  replan,
  path,
  lesson,
  help,
  quiz,
  review,
  grade,
  feedback,
}
