import {
  blackboard,
  FUNCTIONS,
  lowered,
  raised,
  SILENT,
  SYMBOLS,
  WRAPPERS,
} from './math-symbols.ts'

/** A wide space of LaTeX, kept while others are drawn together. */
const WIDE = '\ue000'
const DEEPEST = 40

interface Atom {
  text: string
  /** A fraction or a root reads differently when something stands right beside it. */
  kind: 'plain' | 'fraction' | 'root' | 'space'
}

interface Source {
  text: string
  at: number
  depth: number
}

/**
 * A formula of LaTeX as text for a terminal: `\frac{1}{2}x^2 \le \sqrt{a+b}` is `(1/2)x² ≤ √(a+b)`. Commands it does not
 * know lose their backslash. Rows of an environment become lines with their columns aligned. Throws on nothing.
 */
export function mathText(latex: string): string {
  return tidy(readAll({ text: latex, at: 0, depth: 0 }))
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').replace(/([([]) | (?=[)\],;])/g, '$1'))
    .map((line) => line.replace(/^ +| +$/g, '').replaceAll(WIDE, '   '))
    .join('\n')
    .replace(/^[ \n]+|[ \n]+$/g, '')
}

function readAll(source: Source, until: string | null = null): string {
  const atoms: Atom[] = []
  while (source.at < source.text.length) {
    if (until !== null && source.text.startsWith(until, source.at)) {
      source.at += until.length
      break
    }
    readAtom(source, atoms)
  }
  return join(atoms)
}

function readAtom(source: Source, atoms: Atom[]): void {
  const sign = String.fromCodePoint(source.text.codePointAt(source.at) ?? 32)
  source.at += sign.length
  switch (sign) {
    case '\\':
      readCommand(source, atoms)
      return
    case '{':
      atoms.push({ text: inner(source, '}'), kind: 'plain' })
      return
    case '^':
    case '_':
      putScript(atoms, sign, argument(source))
      return
    case '}':
      return
    case '~':
    case '&':
    case '\n':
      atoms.push({ text: ' ', kind: 'space' })
      return
    default:
      atoms.push({ text: sign, kind: sign.trim() === '' ? 'space' : 'plain' })
  }
}

/** What is inside braces; too deep a nesting is left as it is written, without its signs. */
function inner(source: Source, close: string): string {
  if (source.depth >= DEEPEST) {
    const rest = source.text.slice(source.at).replace(/[\\{}]/g, '')
    source.at = source.text.length
    return rest
  }
  source.depth += 1
  const text = readAll(source, close)
  source.depth -= 1
  return text
}

/** The argument of a command: a group, a command or one sign. */
function argument(source: Source): string {
  while (source.text[source.at] === ' ') source.at += 1
  if (source.at >= source.text.length || source.text[source.at] === '}') return ''
  const atoms: Atom[] = []
  if (source.depth >= DEEPEST) return inner(source, '}')
  source.depth += 1
  readAtom(source, atoms)
  source.depth -= 1
  return join(atoms).trim()
}

function optionalArgument(source: Source): string {
  if (source.text[source.at] !== '[') return ''
  source.at += 1
  return inner(source, ']').trim()
}

function readCommand(source: Source, atoms: Atom[]): void {
  const name = /^[a-zA-Z]+\*?/.exec(source.text.slice(source.at, source.at + 40))?.[0]
  if (name === undefined) {
    readSign(source, atoms)
    return
  }
  source.at += name.length
  const symbol = SYMBOLS[name]
  if (symbol === '±' || symbol === '∓') putSigned(source, atoms, symbol)
  else if (symbol !== undefined) atoms.push({ text: symbol, kind: 'plain' })
  else if (!SILENT.has(name)) named(source, atoms, name)
  else if (/^(?:left|right)$/.test(name) && source.text[source.at] === '.') source.at += 1
}

/** A backslash before a sign: a space, a brace, a line's end. */
function readSign(source: Source, atoms: Atom[]): void {
  const sign = source.text[source.at] ?? ''
  source.at += sign.length
  if (sign === '\\') atoms.push({ text: '\n', kind: 'space' })
  else if (/[,;:! ]/.test(sign)) atoms.push({ text: sign === '!' ? '' : ' ', kind: 'space' })
  else if (/[{}$%&#_|]/.test(sign)) atoms.push({ text: sign, kind: 'plain' })
}

function named(source: Source, atoms: Atom[], name: string): void {
  const put = (text: string, kind: Atom['kind'] = 'plain') => atoms.push({ text, kind })
  if (/^[dtc]?frac$/.test(name)) {
    const over = argument(source)
    put(`${factor(over, 'over')}/${factor(argument(source), 'under')}`, 'fraction')
  } else if (name === 'sqrt') {
    const degree = optionalArgument(source)
    const sign = degree === '3' ? '∛' : degree ? `${raised(degree)}√` : '√'
    put(sign + bracketed(argument(source)), 'root')
  } else if (/^[dt]?binom$/.test(name)) {
    const all = argument(source)
    put(`C(${all}, ${argument(source)})`)
  } else if (name === 'xrightarrow') put(` —(${argument(source)})→ `)
  else if (name === 'mathbb') put(blackboard(argument(source)))
  else if (name === 'begin') put(environment(source))
  else if (name === 'end') argument(source)
  else if (name === 'quad' || name === 'qquad') put(WIDE, 'space')
  else if (name === 'stackrel' || name === 'overset' || name === 'underset') {
    argument(source)
    put(` ${argument(source)} `)
  } else if (WRAPPERS.has(name.replace('*', ''))) put(wrapped(source, name))
  else if (FUNCTIONS.has(name)) put(/[\w\\]/.test(nextSign(source)) ? `${name} ` : name)
  else put(name.replace('*', ''))
}

const nextSign = (source: Source): string => source.text.slice(source.at).trimStart()[0] ?? ''

/** Words keep the spaces they are written with; a colour or an invisible part is left out. */
function wrapped(source: Source, name: string): string {
  if (name === 'phantom' || name === 'color') {
    argument(source)
    return ''
  }
  const open = /^\s*\{/.exec(source.text.slice(source.at))
  if (!open || source.depth >= DEEPEST) return argument(source)
  source.at += open[0].length
  return inner(source, '}')
}

/** `±` belongs to what follows it where nothing stands before it. */
function putSigned(source: Source, atoms: Atom[], sign: string): void {
  const before = join(atoms).trimEnd()
  const isBinary = before !== '' && !/[=(,<>≤≥≈·×÷]$/.test(before)
  atoms.push({ text: isBinary ? ` ${sign} ` : sign, kind: 'plain' })
  if (!isBinary) while (source.text[source.at] === ' ') source.at += 1
}

function putScript(atoms: Atom[], mark: string, text: string): void {
  while (atoms.length > 1 && atoms.at(-1)?.kind === 'space') atoms.pop()
  const base = atoms.at(-1)
  if (mark === '^' && base && (base.kind === 'fraction' || base.kind === 'root')) {
    base.text = `(${base.text})`
    base.kind = 'plain'
  }
  atoms.push({ text: mark === '^' ? raised(text) : lowered(text), kind: 'plain' })
}

function join(atoms: readonly Atom[]): string {
  let text = ''
  for (const [index, atom] of atoms.entries()) {
    const next = atoms.slice(index + 1, index + 2)[0]?.text ?? ''
    if (atom.kind === 'fraction') text = withFraction(text, atom.text, next)
    else if (atom.kind === 'root' && /^[\p{L}\d]/u.test(next)) {
      text += atom.text.replace(/√(?!\()(.+)$/u, '√($1)').replace(/∛(?!\()(.+)$/u, '∛($1)')
    } else text += atom.text
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
  const one = /^(?:[-−]?\d+(?:[.,]\d+)?|[-−]?\p{L}[⁰¹²³⁴-⁹ⁿ₀-₉]*|[?…□])$/u
  const product = /^[-−]?(?:[\p{L}\d.⁰¹²³⁴-⁹ⁿ₀-₉]|[√∛]?\([^()]*\)|[√∛](?:\d+|\p{L}))+$/u
  const isOne = one.test(text) || isBracketed(text) || /^[√∛](?:[\p{L}\d]+|\([^()]*\))$/u.test(text)
  return isOne || (place === 'over' && product.test(text)) ? text : `(${text.trim()})`
}

const bracketed = (text: string): string =>
  /^(?:\d+(?:[.,]\d+)?|\p{L})$/u.test(text) || isBracketed(text) ? text : `(${text})`

const isBracketed = (text: string): boolean => /^\([^()]*\)$/.test(text)

/** `\begin{name} … \end{name}` with its rows as lines and its columns aligned. */
function environment(source: Source): string {
  const name = argument(source)
  if (source.depth >= DEEPEST) return ''
  if (/^(?:array|tabular)/.test(name)) argument(source)
  const rows = cells(source, name).map((row) => row.map(tidyCell))
  const kept = rows.filter((row) => row.some((cell) => cell !== ''))
  const isAligned = /^(?:align|aligned|split|eqnarray|gather)/.test(name)
  const widths = kept.reduce<number[]>((known, row) => {
    row.forEach((cell, i) => {
      known[i] = Math.max(known[i] ?? 0, [...cell].length)
    })
    return known
  }, [])
  const lines = kept.map((row) =>
    row
      .map((cell, i) => {
        const isRight = isAligned && i % 2 === 0 && (widths[i + 1] ?? 0) > 0
        const gap = i === 0 ? '' : isAligned && i % 2 === 1 ? ' ' : '   '
        const width = widths[i] ?? 0
        return gap + (isRight ? cell.padStart(width) : cell.padEnd(width))
      })
      .join('')
      .trimEnd()
      .replace(/ {2,}/g, (spaces) => FIRM.repeat(spaces.length))
      .replace(/^ /, FIRM),
  )
  return name.startsWith('cases') ? lines.map((line) => `{ ${line}`).join('\n') : lines.join('\n')
}

const FIRM = '\u00a0'
const tidyCell = (cell: string): string => tidy(cell).replaceAll('\n', ' ')

/** The rows of an environment up to its `\end`, each as the text of its cells. */
function cells(source: Source, name: string): string[][] {
  source.depth += 1
  const rows: string[][] = [[]]
  let atoms: Atom[] = []
  const close = () => {
    rows.at(-1)?.push(join(atoms))
    atoms = []
  }
  while (source.at < source.text.length) {
    const rest = source.text.slice(source.at, source.at + name.length + 6)
    if (rest.startsWith(`\\end{${name}}`)) {
      source.at += name.length + 6
      break
    }
    if (rest.startsWith('\\\\') || rest.startsWith('&')) {
      close()
      if (rest.startsWith('&')) source.at += 1
      else {
        source.at += 2
        optionalArgument(source)
        rows.push([])
      }
    } else readAtom(source, atoms)
  }
  close()
  source.depth -= 1
  return rows
}
