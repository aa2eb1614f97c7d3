import type { AnswerKey } from '../answers/answer-key.ts'
import type { ProgramKey } from '../answers/program.ts'

/** A wrong answer that gives away what was thought. */
export interface ForeseenMistake {
  /** As a learner would write it; of a choice, the option's id. */
  answer: string
  /** The misconception of the course that it gives away. */
  tag?: string
  /** What is wrong with it, and what is so, to the learner; none in questions of before. */
  remedy?: string
}

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
