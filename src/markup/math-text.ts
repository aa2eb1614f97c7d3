import { DOMParser, type Element, type Node, onWarningStopParsing } from '@xmldom/xmldom'
import katex from 'katex'

/** A wide space of LaTeX, kept while others are drawn together. */
const WIDE = '\ue000'
const FIRM = '\u00a0'
const parser = new DOMParser({ onError: onWarningStopParsing })

interface Piece {
  text: string
  /** What reads differently when something stands right beside it: `apply` is a function's name, or a sum's sign. */
  kind: 'plain' | 'operator' | 'fraction' | 'root' | 'apply'
}

/**
 * A formula of LaTeX as text in a line: `\frac{1}{2}x^2 \le \sqrt{a+b}` is `(1/2)x² ≤ √(a + b)`. KaTeX reads it, as
 * for the page; its MathML is written in a line. Rows of an environment become lines with their columns aligned. What
 * KaTeX cannot read stays as it is written. Throws on nothing.
 */
export function mathText(latex: string): string {
  try {
    const mathMl = katex.renderToString(latex, {
      ...{ output: 'mathml', throwOnError: false, strict: 'ignore' },
    })
    const [math] = parser.parseFromString(mathMl, 'text/xml').getElementsByTagName('math')
    return math ? textOf(math) : latex.trim()
  } catch {
    return latex.trim()
  }
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').replace(/([([]) | (?=[)\],;])/g, '$1'))
    .map((line) => line.replace(/^ +| +$/g, '').replaceAll(WIDE, '   '))
    .join('\n')
    .replace(/^[ \n]+|[ \n]+$/g, '')
}

const childrenOf = (element: Element): Element[] =>
  [...element.childNodes].filter((node: Node): node is Element => node.nodeType === 1)

const textOf = (element: Element | undefined): string =>
  element ? tidy(join(piecesOf(element, undefined))) : ''

/** The pieces of elements in a row; `last` is the piece they stand after. */
function row(elements: readonly Element[], last: Piece | undefined): Piece[] {
  const pieces: Piece[] = []
  for (const element of elements) {
    const before = pieces.findLast(({ text, kind }) => text.trim() !== '' || kind === 'apply')
    pieces.push(...piecesOf(element, before ?? last))
  }
  return pieces
}

/** An element of MathML in pieces. */
function piecesOf(element: Element, last: Piece | undefined): Piece[] {
  const children = childrenOf(element)
  const [first, second, third] = children
  const text = element.textContent ?? ''
  const put = (text: string, kind: Piece['kind'] = 'plain'): Piece[] => [{ text, kind }]
  switch (element.tagName) {
    case 'annotation':
    case 'mphantom':
      return []
    case 'mspace':
      return put(spaceOf(element))
    case 'mtext':
      return put(text.replace(/^\\(?=[a-z])/i, '').replace(/\s/g, ' '))
    case 'mi':
      return put(
        element.getAttribute('mathvariant') === 'double-struck'
          ? (BLACKBOARD[text] ?? text)
          : text.replace('∣', '|'),
      )
    case 'mo':
      return /^m/.test(first?.firstChild?.nodeName ?? '') && first?.tagName !== 'mrow'
        ? row(children, last)
        : operator(element, last)
    case 'mfrac':
      return element.getAttribute('linethickness') === '0px'
        ? put(`${textOf(first)} choose ${textOf(second)}`)
        : put(`${factor(textOf(first), 'over')}/${factor(textOf(second), 'under')}`, 'fraction')
    case 'msqrt':
      return put(`√${bracketed(tidy(join(row(children, undefined))))}`, 'root')
    case 'mroot': {
      const degree = textOf(second)
      return put((degree === '3' ? '∛' : `${raised(degree)}√`) + bracketed(textOf(first)), 'root')
    }
    case 'msub':
    case 'munder':
      return scripts(first, second, undefined, last)
    case 'msup':
      return scripts(first, undefined, second, last)
    case 'mover':
      return over(element, last)
    case 'msubsup':
    case 'munderover':
      return scripts(first, second, third, last)
    case 'mtable':
      return put(table(element))
    default:
      return children.length > 0 ? row(children, last) : put(text)
  }
}

function spaceOf(space: Element): string {
  if (space.getAttribute('linebreak')) return '\n'
  const width = Number.parseFloat(space.getAttribute('width') ?? '')
  return width < 0 ? '' : width >= 1 ? WIDE : ' '
}

const SIGNS: Record<string, string> = { '−': '-', '⋅': '·', '∗': '*', '∼': '~', '∣': '|' }
const BLACKBOARD: Record<string, string> = { N: 'ℕ', Z: 'ℤ', Q: 'ℚ', R: 'ℝ', C: 'ℂ' }
const APPLY = '\u2061'

/** A sign between two things has spaces; one before its thing, a bracket or a dot has none. */
function operator(element: Element, last: Piece | undefined): Piece[] {
  const written = element.textContent ?? ''
  const sign = SIGNS[written] ?? written
  if (sign === APPLY) return [{ text: '', kind: 'apply' }]
  if (/^[∑∏∫∬∮⋃⋂]$/.test(sign)) return [{ text: sign, kind: 'apply' }]
  if (/^[,;]$/.test(sign)) return [{ text: `${sign} `, kind: 'operator' }]
  const isTight = element.getAttribute('fence') || /^[()[\]{}⟨⟩⌊⌋⌈⌉‖!′/…⋯⋮]*$/.test(written)
  if (isTight) return [{ text: sign, kind: /^[([{⟨⌊⌈]$/.test(sign) ? 'operator' : 'plain' }]
  const isPrefix = /^[-+±∓]$/.test(sign) && (!last || last.kind === 'operator')
  return [{ text: isPrefix ? sign : ` ${sign} `, kind: 'operator' }]
}

/** A base with what stands low and high beside it, or below and above a sum. */
function scripts(
  base: Element | undefined,
  low: Element | undefined,
  high: Element | undefined,
  last: Piece | undefined,
): Piece[] {
  const pieces = base ? piecesOf(base, last) : []
  const isApplied = pieces.at(-1)?.kind === 'apply'
  const text = join(pieces)
  const isWhole = pieces.length < 2 ? !/fraction|root/.test(pieces[0]?.kind ?? '') : isApplied
  const whole = isWhole || isBracketed(text.trim()) ? text : `(${text.trim()})`
  const beside = (low ? lowered(textOf(low)) : '') + (high ? raised(textOf(high)) : '')
  return [{ text: whole + beside, kind: isApplied ? 'apply' : 'plain' }]
}

/** Accents, and the marks that KaTeX has for them. */
const ACCENTS = new Map(
  [...'ˉ‾^~⃗˙'].map((mark, i) => [mark, [...'\u0304\u0304\u0302\u0303\u20d7\u0307'][i]]),
)

function over(element: Element, last: Piece | undefined): Piece[] {
  const [base, above] = childrenOf(element)
  const pieces = base ? piecesOf(base, last) : []
  const text = join(pieces)
  if (element.getAttribute('accent')) {
    const mark = [...text].length === 1 ? ACCENTS.get(above?.textContent ?? '') : undefined
    return [{ text: text + (mark ?? ''), kind: 'plain' }]
  }
  if (pieces.at(-1)?.kind === 'apply') return scripts(base, undefined, above, last)
  if (!base?.getAttribute('stretchy') || text.trim() !== '→') return pieces
  return [{ text: ` —(${textOf(above)})→ `, kind: 'operator' }]
}

const HIGH = new Map([...'0123456789+-=()n'].map((sign, i) => [sign, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ'][i]]))
const LOW = new Map([...'0123456789+-=()n'].map((sign, i) => [sign, [...'₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ'][i]]))

const raised = (text: string): string => (text === '∘' ? '°' : shifted(text, HIGH, '^'))
const lowered = (text: string): string => shifted(text, LOW, '_')

/** The text in raised or lowered signs, or set after the mark where Unicode has none for it. */
function shifted(text: string, signs: Map<string, string | undefined>, mark: string): string {
  if (text === '' || /^′+$/.test(text)) return text
  const shiftedSigns = [...text.replace(/ /g, '')].map((sign) => signs.get(sign))
  if (shiftedSigns.every((sign) => sign !== undefined)) return shiftedSigns.join('')
  return [...text].length === 1 ? mark + text : `${mark}(${text})`
}

function join(pieces: readonly Piece[]): string {
  let text = ''
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1]?.text ?? ''
    const touches = /^[\p{L}\d√∛∑∫]/u.test(next)
    if (piece.kind === 'fraction') text = withFraction(text, piece.text, next)
    else if (piece.kind === 'apply') text += piece.text + (touches ? ' ' : '')
    else if (piece.kind === 'root' && touches) {
      text += piece.text.replace(/([√∛])(?!\()(.+)$/u, '$1($2)')
    } else if (piece.text.includes('\n') && text.endsWith('{')) {
      text = text.slice(0, -1) + piece.text.replace(/^/gm, `{${FIRM}`)
    } else text += piece.text
  }
  return text
}

/** `2\frac{1}{2}` is `2 1/2`, `\frac{9}{5}C` is `(9/5)C`. */
function withFraction(before: string, fraction: string, next: string): string {
  const isMixed = /(?:^|[^\p{L}\d.)])\d+$/u.test(before) && /^\d+\/\d+$/.test(fraction)
  if (isMixed) return `${before} ${fraction}`
  const touches = /[\p{L}\d)\]²³ⁿ]$/u.test(before) || /^[\p{L}\d([√∛]/u.test(next)
  return before + (touches ? `(${fraction})` : fraction)
}

/** A part of a fraction, in brackets where it would read wrongly without them. */
function factor(text: string, place: 'over' | 'under'): string {
  const one = /^(?:-?\d+(?:[.,]\d+)?|-?\p{L}[⁰¹²³⁴-⁹ⁿ₀-₉]*|[?…□])$/u
  const product = /^-?(?:[\p{L}\d.⁰¹²³⁴-⁹ⁿ₀-₉]|[√∛]?\([^()]*\)|[√∛](?:\d+|\p{L}))+$/u
  const isOne = one.test(text) || isBracketed(text) || /^[√∛](?:[\p{L}\d]+|\([^()]*\))$/u.test(text)
  return isOne || (place === 'over' && product.test(text)) ? text : `(${text})`
}

const bracketed = (text: string): string =>
  /^(?:\d+(?:[.,]\d+)?|\p{L})$/u.test(text) || isBracketed(text) ? text : `(${text})`

const isBracketed = (text: string): boolean => /^\([^()]*\)$/.test(text)

/** The rows as lines, with columns as wide as their widest cell. */
function table(element: Element): string {
  const aligned = element.getAttribute('columnalign')?.split(' ') ?? []
  const gaps = element.getAttribute('columnspacing')?.split(' ') ?? []
  const rows = childrenOf(element)
    .map((line) => childrenOf(line).map((cell) => textOf(cell).replaceAll('\n', ' ')))
    .filter((cells) => cells.some((cell) => cell !== ''))
  const widthOf = (i: number) => Math.max(...rows.map((cells) => [...(cells[i] ?? '')].length))
  return rows
    .map((cells) =>
      cells
        .map((cell, i) => {
          const gap = i === 0 ? '' : gaps[i - 1] === '0em' ? ' ' : '   '
          const padded =
            aligned[i] === 'right' ? cell.padStart(widthOf(i)) : cell.padEnd(widthOf(i))
          return gap + padded
        })
        .join('')
        .trimEnd()
        .replace(/^ +| {2,}/g, (spaces) => FIRM.repeat(spaces.length)),
    )
    .join('\n')
}
