export interface Piece {
  kind: 'words' | 'formula' | 'program'
  text: string
}

/** A formula between dollars, as a mathematician writes it: nothing but what stands between them touches them. */
const FORMULA = /\$\$[^$]+\$\$|(?<![\w$\\])\$(?=\S)[^$\n]*?[^\s$]\$(?![\w$])/g

/**
 * What a learner wrote, in pieces: words as they were typed, formulas between dollars, and a program in a fence that is the
 * whole of it. Nothing else is markup: `2*3*4` and `__init__` are what they are.
 */
export function ownWords(text: string): Piece[] {
  if (/^```\w*\n[\s\S]*\n```$/.test(text)) return [{ kind: 'program', text }]
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: formula, index } of text.matchAll(FORMULA)) {
    if (index > at) pieces.push({ kind: 'words', text: text.slice(at, index) })
    pieces.push({ kind: 'formula', text: formula })
    at = index + formula.length
  }
  if (at < text.length) pieces.push({ kind: 'words', text: text.slice(at) })
  return pieces
}
