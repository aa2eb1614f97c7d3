import type { Course } from '../../../contracts/course-pack.ts'
import type { ConceptGraph } from '../../../contracts/llm.ts'
import { labelKey } from '../../../domain/mind-map/label.ts'
import { oneLine } from '../../data-block.ts'
import type { StepContext } from './context.ts'

const MAX_LABEL = 200
const MAX_DESCRIPTION = 2_000
/** In minutes. */
const MAX_EFFORT = 10_000

export interface PlannedConcept {
  label: string
  description: string
  effortMinutes: number
  unitId: string | null
  optional?: boolean
}

/** The limits of this arc's map (seed 001, structural constraints). */
export const mapLimits = ({ arc: { limits } }: StepContext) =>
  `Limits of the map: at most ${limits.maxNodes} concepts with the root, none deeper than ${limits.maxDepth}.`

/** Every label, description and effort that could not be stored. */
export function conceptFaults(
  concepts: readonly { label: string; description: string; effort_minutes?: number }[],
): string[] {
  return concepts.flatMap(({ label, description, effort_minutes: effort = 1 }) => {
    const name = `"${oneLine(label, 60)}"`
    const isTimely = Number.isInteger(effort) && effort >= 1 && effort <= MAX_EFFORT
    const faults = {
      [`The label ${name} is longer than ${MAX_LABEL} characters.`]: label.length > MAX_LABEL,
      [`The description of ${name} is longer than ${MAX_DESCRIPTION} characters.`]:
        description.length > MAX_DESCRIPTION,
      [`The effort of ${name} has to be whole minutes from 1 to ${MAX_EFFORT}.`]: !isTimely,
    }
    return Object.keys(faults).filter((fault) => faults[fault])
  })
}

/** A concept of the model's, tied to the unit of the course that has its name. */
export function plannedConcept(
  node: ConceptGraph['nodes'][number],
  course: Course | null,
): PlannedConcept {
  const unit = course?.units.find(({ title }) => labelKey(title) === labelKey(node.label))
  return {
    label: node.label,
    description: node.description,
    effortMinutes: node.effort_minutes,
    unitId: unit?.unitId ?? null,
    ...(node.optional ? { optional: true } : {}),
  }
}
