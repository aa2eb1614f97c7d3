import type { AskedQuestion } from '../turn/asked-question.ts'
import type { CourseWords } from '../words.ts'
import type { TutorPolicy } from './tutor-policy.ts'
import type { DrillContent, TutorMove } from './tutor-response.ts'

/** What the course holds ready for the focus unit when the model cannot be used. */
export interface FallbackMaterial {
  readonly title: string
  readonly anchorText: string
  readonly socraticQuestions: readonly string[]
  /** What each of them asks, in their order. */
  readonly asks?: readonly AskedQuestion[]
  /** What is said first to the student's words: a verdict of code on a reply. */
  readonly lead?: string | null
  readonly drills: readonly DrillContent[]
}

/**
 * The move that replaces a refused, late or failed answer of the model: a question if the policy
 * allows one, else a drill, both on the focus unit. `turnNumber` (0, 1, …) walks through the
 * course's material, so the same question does not come twice in a row; where the course has none,
 * the unit's anchor serves. Same inputs, same move. Seed 004 PF-3.7.
 */
export function fallbackAction(args: {
  readonly policy: TutorPolicy
  readonly material: FallbackMaterial
  readonly words: CourseWords
  readonly turnNumber: number
}): TutorMove {
  const { policy, material, words, turnNumber } = args
  const targetUnitId = policy.focusUnitId
  if (policy.allowedActions.includes('SOCRATIC_QUESTION')) {
    const question = pick(material.socraticQuestions, turnNumber)
    const asked = question ?? words.staySocratic(material.title)
    const tutorText = material.lead ? `${material.lead}\n\n${asked}` : asked
    return { action: 'SOCRATIC_QUESTION', targetUnitId, tutorText }
  }
  const drillCard = pick(material.drills, turnNumber) ?? {
    prompt: words.mainIdea,
    questionLatex: `\\text{${material.title}}`,
    expectedAnswer: material.anchorText,
  }
  return {
    action: 'DRILL_CARD',
    targetUnitId,
    tutorText: words.oneExercise(material.title),
    drillCard,
  }
}

function pick<T>(items: readonly T[], turnNumber: number): T | undefined {
  return items.length === 0 ? undefined : items[turnNumber % items.length]
}
