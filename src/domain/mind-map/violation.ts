/** A label has at most so many characters. */
export const LABEL_MAX = 200
const SHOWN_LENGTH = 60

export type ViolationKind =
  | 'too-many-nodes'
  | 'too-deep'
  | 'cycle'
  | 'self-loop'
  | 'unknown-node'
  | 'unknown-root'
  | 'duplicate-label'
  | 'blank-label'
  | 'label-length'
  | 'description-length'
  | 'unreachable'
  | 'effort'
  | 'goal'

/** One broken rule of a concept graph: a readable sentence and the labels that break it. */
export interface Violation {
  kind: ViolationKind
  message: string
  /** For a cycle its path, the first label again at the end. */
  labels: string[]
}

/** Thrown where a single change to a map would break its rules; nothing was changed. */
export class MapRuleError extends Error {
  readonly violations: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    super(violations.map((violation) => violation.message).join(' '))
    this.name = 'MapRuleError'
    this.violations = violations
  }
}

/** The violation for a cycle whose closed path of labels is given, as A, B, A. */
export function cycleViolation(path: readonly string[]): Violation {
  return {
    kind: 'cycle',
    message: `These prerequisites form a cycle: ${path.join(' → ')}.`,
    labels: [...path],
  }
}

/** The violation for a concept that is to be its own prerequisite. */
export function selfLoopViolation(label: string): Violation {
  return {
    kind: 'self-loop',
    message: `A self-loop is not permitted: ${quoted([label])} cannot be its own prerequisite.`,
    labels: [label],
  }
}

/** The violation for concepts deeper than the limit. */
export function depthViolation(labels: readonly string[], maxDepth: number): Violation {
  return {
    kind: 'too-deep',
    message: `The maximum depth of ${maxDepth} is exceeded by ${quoted(labels)}.`,
    labels: [...labels],
  }
}

/** A label as it is shown; an overlong one is cut. */
export function shownLabel(label: string): string {
  return label.length <= LABEL_MAX ? label : `${label.slice(0, SHOWN_LENGTH)}…`
}

/** Labels as they stand in a sentence: "A", "B", "C". */
export function quoted(labels: readonly string[]): string {
  return labels.map((label) => `"${shownLabel(label)}"`).join(', ')
}
