/**
 * How a question's answer is judged by code. Values are written as a teacher would write them; LaTeX is allowed.
 *
 * - `choice`: `correct` is an option id.
 * - `number`: "-2", "3/4", "2.5", "1e3", "2 1/2", "25%"; `tolerance` is absolute, in the unit of the value, and takes
 *   the place of the standard limits; `exact` leaves none: only the whole number counts, or the form the key is written in.
 * - `expression`: "3x + 6", "(x-2)(x+3)"; a `form` other than `any` must be kept as well.
 * - `equation`: "y = 2x + 1", up to rearrangement and a non-zero constant factor.
 * - `set`: the solutions in any order.
 * - `inequality`: "x < 3", "1 < x <= 5", "x < 1 or x > 5", "y > 2x + 1".
 * - `pair`: a point or two unknowns (or three): "(3, -2)"; `names` are theirs, in that order, `x` and `y` unless given.
 * - `code`: what a program prints, or a piece of it: "[1, 'a b']", case and quotes and the blanks within quotes included.
 * - `text`: exact after normalising case, spaces, punctuation and articles; `pattern` is a regular expression for the
 *   whole normalised answer.
 */
export type AnswerKey =
  | ChoiceKey
  | NumberKey
  | ExpressionKey
  | EquationKey
  | SetKey
  | InequalityKey
  | PairKey
  | CodeKey
  | TextKey

export type ChoiceKey = { type: 'choice'; correct: string }
export type NumberKey = {
  type: 'number'
  value: string
  unit?: string | undefined
  tolerance?: number | undefined
  exact?: boolean | undefined
}
export type ExpressionForm = 'any' | 'expanded' | 'factored' | 'simplified'
export type ExpressionKey = {
  type: 'expression'
  value: string
  form?: ExpressionForm | undefined
}
export type EquationKey = { type: 'equation'; value: string }
export type SetKey = { type: 'set'; values: string[] }
export type InequalityKey = { type: 'inequality'; value: string }
export type PairKey = { type: 'pair'; value: string; names?: string[] | undefined }
export type CodeKey = { type: 'code'; value: string }
export type TextKey = { type: 'text'; accepted: string[]; pattern?: string | undefined }

/** `unjudged`: not readable in the format asked for, or beyond what code can decide. It is never a wrong answer. */
export type Verdict = 'correct' | 'close' | 'wrong' | 'unjudged'

export interface Judgement {
  verdict: Verdict
  /** What the student said, exactly as extracted, normalised. */
  value?: string
  /** A short machine tag: "equivalent", "wrong-form", "pasted-question". */
  reason?: string
}

/** The question as the student saw it: Markdown with `$LaTeX$`. */
export interface AskedQuestion {
  text: string
  options?: { id: string; text: string }[] | undefined
}
