import { readNumberWords } from '../../src/domain/notation/number-words.ts'

/** What is said for a sign, the longest first; spaces around a sign are LaTeX's own business. */
const SIGNS: [string, string][] = [
  ['is greater than or equal to', '\\ge'],
  ['is less than or equal to', '\\le'],
  ['greater than or equal to', '\\ge'],
  ['less than or equal to', '\\le'],
  ['is greater than', '>'],
  ['is less than', '<'],
  ['is equal to', '='],
  ['multiplied by', '\\cdot'],
  ['greater than', '>'],
  ['divided by', '/'],
  ['less than', '<'],
  ['equals', '='],
  ['times', '\\cdot'],
  ['minus', '-'],
  ['negative', '-'],
  ['plus', '+'],
  ['over', '/'],
  ['to the power of', '^'],
  ['squared', '^2'],
  ['cubed', '^3'],
  ['the square root of', '\\sqrt'],
  ['square root of', '\\sqrt'],
  ['open bracket', '('],
  ['close bracket', ')'],
  ['pi', '\\pi'],
]
const WRITTEN = /^(?:[=<>()^/+]|-|×|·|÷|\d+(?:[.,]\d+)?[a-z]?|\d*[a-z]\d?|√)$/i
/** Letters that are words of their own far more often than they are variables. */
const ARTICLES = new Set(['a', 'i', 'o'])
const WRITTEN_SIGNS: Record<string, string> = {
  '×': '\\cdot',
  '·': '\\cdot',
  '÷': '/',
  '√': '\\sqrt',
}
/** So many words can name one number. */
const LONGEST_NUMBER = 8
const NUMBER = /^\d|^\\pi$/
const OPERAND = /^(?:\d|[a-z]|\\pi$|\\sqrt|\()/i
const OPERATOR = /^(?:[=<>+/^-]|\\cdot$|\\ge$|\\le$)/

/**
 * The formula in what a student said, as LaTeX: "solve two x plus three equals eleven" holds `2x + 3 = 11`. The longest
 * one, if it joins anything by a sign; null where nothing was said that is to be written as a formula.
 */
export function spokenLatex(said: string): string | null {
  const words = said
    .toLowerCase()
    .replaceAll(/[?!,;:]|\.(?!\d)/g, ' ')
    .replaceAll('−', '-')
    .replaceAll(/([=<>()^/+×·÷√])/g, ' $1 ')
    .split(/\s+/)
    .filter((word) => word !== '')
  const formulas: string[][] = [[]]
  for (let at = 0; at < words.length; ) {
    const found = readSign(words, at) ?? readNumber(words, at) ?? readWritten(words, at)
    if (found) formulas.at(-1)?.push(found.latex)
    else formulas.push([])
    at += found?.length ?? 1
  }
  const [longest = []] = formulas.map(trimmed).sort((a, b) => b.length - a.length)
  const isJoined = longest.some((part) => OPERATOR.test(part) || part === '\\sqrt')
  return isJoined && longest.some((part) => OPERAND.test(part)) ? written(longest) : null
}

interface Found {
  latex: string
  length: number
}

function readSign(words: string[], at: number): Found | null {
  const rest = `${words.slice(at, at + 7).join(' ')} `
  const sign = SIGNS.find(([name]) => rest.startsWith(`${name} `))
  return sign ? { latex: sign[1], length: sign[0].split(' ').length } : null
}

function readNumber(words: string[], at: number): Found | null {
  for (let length = Math.min(LONGEST_NUMBER, words.length - at); length > 0; length -= 1) {
    const value = readNumberWords(words.slice(at, at + length).join(' '))
    if (value !== null && Number.isInteger(value)) return { latex: String(value), length }
  }
  return null
}

function readWritten(words: string[], at: number): Found | null {
  const word = words[at] ?? ''
  if (!WRITTEN.test(word) || ARTICLES.has(word)) return null
  return { latex: WRITTEN_SIGNS[word] ?? word, length: 1 }
}

/** Without the signs that a formula cannot begin or end with. */
function trimmed(formula: string[]): string[] {
  const first = formula.findIndex((part) => OPERAND.test(part) || part === '-')
  const last = formula.findLastIndex((part) => OPERAND.test(part) || /^\^\d|^\)$/.test(part))
  return first < 0 ? [] : formula.slice(first, last + 1)
}

function written(formula: string[]): string {
  const joined: string[] = []
  for (let at = 0; at < formula.length; at += 1) {
    const part = formula[at] ?? ''
    const next = formula[at + 1]
    const before = joined.at(-1)
    if (part === '/' && before !== undefined && next !== undefined) {
      joined[joined.length - 1] = `\\frac{${before}}{${next}}`
      at += 1
    } else if (part === '^' && before !== undefined && next !== undefined) {
      joined[joined.length - 1] = `${before}^{${next}}`
      at += 1
    } else if (part === '\\sqrt' && next !== undefined) {
      joined.push(`\\sqrt{${next}}`)
      at += 1
    } else if (part.startsWith('^') && before !== undefined) {
      joined[joined.length - 1] = `${before}${part}`
    } else if (/^[a-z]/i.test(part) && before !== undefined && NUMBER.test(before)) {
      joined[joined.length - 1] = `${before}${part}`
    } else {
      joined.push(part)
    }
  }
  return joined.join(' ').replaceAll(/\( | \)/g, (bracket) => bracket.trim())
}
