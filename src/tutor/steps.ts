import type { StepDigests, StepKind } from '../domain/arc/model-step.ts'
import type { Step } from './step.ts'
import type { StepContext } from './steps/arc/context.ts'
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
import { drillGrade } from './steps/course/drill-grade.ts'
import { turn } from './steps/course/turn.ts'
import { reply } from './steps/practice/reply.ts'
import { extraction, verdict } from './steps/practice/verdict.ts'

const steps = {
  ...{ inventory, probe, summary, graph, replan, path },
  ...{ lesson, quiz, review, grade, feedback, route, help },
}

type OutputOf<S> = S extends Step<infer _C, infer Output, infer _D> ? Output : never

/** What each step of an arc returns; kept in the store under the step's key. */
export type StepOutputs = { [K in StepKind]: OutputOf<(typeof steps)[K]> }

/** The steps of arcs and of maps that no arc owns, by kind. */
export const ARC_STEPS: {
  [K in StepKind]: Step<StepContext<K>, StepOutputs[K], StepDigests[K]>
} = steps

/** The steps of practice sessions. */
export const PRACTICE_STEPS = { extraction, verdict, reply }

/** The steps of the course tutor. */
export const COURSE_STEPS = { turn, 'drill-grade': drillGrade }
