const WORDS = /[A-Za-z]{3,} [A-Za-z]{2,}|^[A-Za-z]{3,}[.!?]?$/

/** What a card calls LaTeX as Markdown: a bare formula on lines of its own, words with formulas or code as they are. */
export function latexText(latex: string): string {
  if (/[$`]/.test(latex)) return latex
  const outsideText = latex.replaceAll(/\\text\{[^}]*\}/g, '')
  return WORDS.test(outsideText) ? latex : `$$\n${latex}\n$$`
}
