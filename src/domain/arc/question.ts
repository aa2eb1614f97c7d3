import type { AnswerKey } from '../answers/answer-key.ts'
import type { ForeseenMistake } from '../answers/foreseen-mistake.ts'
import type { ProgramKey } from '../answers/program.ts'

/** A question as the tutor asks it: what the learner sees, and how the answer is judged. */
export interface Question {
  concept: string
  /** Markdown with `$LaTeX$`. */
  text: string
  format: 'multiple_choice' | 'short_answer' | 'program'
  options: { id: string; text: string }[] | null
  /** How code judges it; null where only the criteria can. A program is judged by running it. */
  key: AnswerKey | ProgramKey | null
  /** The right answer as a person would write it. */
  expected: string
  criteria: string
  difficulty: 'easy' | 'medium' | 'hard'
  hints: string[]
  solution: string | null
  mistakes: ForeseenMistake[]
  /** Where it comes from: a bank question's id, `template#seed`, or null for one that was made up. */
  source: string | null
}
