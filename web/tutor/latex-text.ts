import { ANSWER_BLANK } from '../../src/domain/course/drills/answer-blank.ts'

const WORDS = /[A-Za-z]{3,} [A-Za-z]{2,}|^[A-Za-z]{3,}[.!?]?$/
const ALL_WORDS = /^\\text\{([^{}]*)\}$/

/** What a card calls LaTeX as Markdown: a bare formula on lines of its own, words with formulas or code as they are. */
export function latexText(latex: string): string {
  const [, words] = ALL_WORDS.exec(latex) ?? []
  if (words !== undefined) return words
  if (/[$`]/.test(latex)) return latex
  const outsideText = latex.replaceAll(/\\text\{[^}]*\}/g, '')
  return WORDS.test(outsideText) ? latex : `$$\n${latex}\n$$`
}

/** What a drill asks, as Markdown. */
export const drillText = (prompt: string, latex: string): string =>
  latex === ANSWER_BLANK ? prompt : `${prompt}\n\n${latexText(latex)}`
