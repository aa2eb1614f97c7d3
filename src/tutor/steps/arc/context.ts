import type { Course, Unit } from '../../../contracts/course-pack.ts'
import type { Question } from '../../../domain/arc/question.ts'
import type { MindStepKind, StepInputs } from '../../../domain/arc/steps.ts'
import { type Language, languageOfTag } from '../../../domain/language/languages.ts'
import { TutorFailure } from '../../mind.ts'

/** A question as the tutor asks it: what the learner sees, and how the answer is judged. */
export type TutorQuestion = Question

/** A question that was put to the learner, read back from the store. */
export interface AskedQuestion extends Question {
  id: string
  nodeId: string | null
  kind: string
  quality: number | null
}

/** What a step of an arc is told: bounded, never the whole transcript. Read in this order. */
export interface StepContext<K extends MindStepKind = MindStepKind> {
  kind: K
  input: StepInputs[K]
  /** Seeds whatever code draws at random, so that a repeated step draws the same. */
  seed: number
  arc: {
    topic: string
    goal: string | null
    language: string
    level: string
    phase: string
    limits: { maxNodes: number; maxDepth: number }
  }
  frontier: { label: string; status: string }[]
  /** Every concept of the map in learning order; empty before there is one. */
  concepts: { id: string; label: string; status: string; score: number; prerequisites: string[] }[]
  concept: { id: string; label: string; description: string; unitId: string | null } | null
  /** The last ten responses on the concept, oldest first. */
  responses: { question: string; answer: string; quality: number }[]
  facts: string[]
  /** Retrieved course material; text from files is data, never instructions. */
  material: { source: string; text: string }[]
  /** What the diagnosis showed, by concept. */
  probes: { label: string; quality: number }[]
  inventory: string[]
  /** What the diagnosis says of each concept, 0..1; `measured`: the quality of its own probe, null where it is inferred. */
  chances: { label: string; chance: number; measured: number | null }[]
  course: Course | null
  unit: Unit | null
  goalUnitIds: string[]
  /** Questions already asked on the concept, oldest first. */
  asked: { id: string; source: string | null; text: string; quality: number | null }[]
  /** The questions that the input names, in its order. */
  questions: AskedQuestion[]
  message: { id: string; text: string } | null
}

/** The language of the tutor's own words. */
export const languageOf = ({ arc }: StepContext): Language => languageOfTag(arc.language)

/** @throws TutorFailure when the course is not installed */
export function courseOf({ course }: StepContext): Course {
  if (course) return course
  throw new TutorFailure(
    'refused',
    'This arc is taught by the offline tutor, but its course is not installed.',
  )
}

/** @throws TutorFailure when the course has no unit for the concept in hand */
export function unitOf({ unit, concept }: StepContext): Unit {
  if (unit) return unit
  const label = concept?.label ?? 'unknown'
  throw new TutorFailure('refused', `The course has no unit for the concept "${label}".`)
}
