/** Writes LaTeX and Unicode mathematics in plain ASCII: the first step of every reading. Nothing is evaluated here. */

/** Longer answers are prose: they are not read as mathematics. */
export const MAX_ANSWER_LENGTH = 500

const VULGAR_FRACTIONS: Record<string, string> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
  '⅕': '1/5',
  '⅖': '2/5',
  '⅗': '3/5',
  '⅘': '4/5',
  '⅙': '1/6',
  '⅚': '5/6',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Regular replacements, in order. */
const UNICODE_SIGNS: [RegExp, string][] = [
  [/[\u200b-\u200d\ufeff]/g, ''],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[×⋅·∙✕∗]/g, '*'],
  [/÷/g, '/'],
  [/[≤⩽]/g, '<='],
  [/[≥⩾]/g, '>='],
  [/≠/g, '!='],
  [/√\s*\(/g, 'sqrt('],
  [/√\s*(\d+(?:\.\d+)?|[a-zA-Zπ])/g, 'sqrt($1)'],
  [/π/g, ' pi '],
  [/∞/g, ' inf '],
  [/∪/g, ' or '],
  [/∈/g, ' in '],
  [/[‘’ʼ′]/g, "'"],
  [/[“”]/g, '"'],
  [/\*\*/g, '^'],
]

const LATEX_SPACING =
  /\\(?:left|right|displaystyle|quad|qquad|[,;:! ])(?![a-zA-Z])|\\(?:left|right)/g

const LATEX_COMMANDS: Record<string, string> = {
  cdot: '*',
  times: '*',
  div: '/',
  pm: '±',
  le: '<=',
  leq: '<=',
  leqslant: '<=',
  ge: '>=',
  geq: '>=',
  geqslant: '>=',
  lt: '<',
  gt: '>',
  ne: '!=',
  neq: '!=',
  pi: ' pi ',
  infty: ' inf ',
  in: ' in ',
  cup: ' or ',
  lor: ' or ',
  vee: ' or ',
  land: ' and ',
  wedge: ' and ',
  emptyset: '∅',
  varnothing: '∅',
  circ: '°',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  theta: 'θ',
  lambda: 'λ',
  mu: 'μ',
  sin: ' sin ',
  cos: ' cos ',
  tan: ' tan ',
  ln: ' ln ',
  log: ' log ',
  exp: ' exp ',
}

/** Groups are replaced from the innermost outwards: none of these patterns looks into a group that holds another. */
const LATEX_GROUPS: [RegExp, string][] = [
  [/(?<![\w.,^)])(\d+)\s*\\[dt]?frac\s*\{\s*(\d+)\s*\}\s*\{\s*(\d+)\s*\}/g, '$1 $2/$3 '],
  [/\\[dt]?frac\s*\{\s*(-?\d+)\s*\}\s*\{\s*(\d+)\s*\}/g, '($1/$2)'],
  [/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, '(($1)/($2))'],
  [/\\sqrt\s*\[\s*(\d+)\s*\]\s*\{([^{}]*)\}/g, '(($2)^(1/$1))'],
  [/\\sqrt\s*\{([^{}]*)\}/g, 'sqrt($1)'],
  [/\^\s*\{([^{}]*)\}/g, '^($1)'],
  [/\\(?:text|textbf|mathrm|mathbf|operatorname)\s*\{([^{}]*)\}/g, ' $1 '],
]

const MAX_NESTED_GROUPS = 60

/**
 * `text` in plain ASCII mathematics: `\frac{1}{2}` → `(1/2)`, `2\frac12` → `2 1/2`, `x²` → `x^(2)`, `−` → `-`.
 * What it does not know it leaves as it is, so that the readers after it refuse it.
 */
export function plainMath(text: string): string {
  // Most of what is read is plain already: nothing below would change it.
  if (/^[ -~]*$/.test(text) && !/[\\$]|\*\*|\^\{/.test(text)) return oneSpaced(text)
  return oneSpaced(fromLatex(fromUnicode(text)))
}

const oneSpaced = (text: string) => text.replace(/\s+/g, ' ').trim()

function fromUnicode(text: string): string {
  let plain = text.replace(/(\d?)\s*([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])/g, (_, digit: string, sign: string) =>
    digit ? `${digit} ${VULGAR_FRACTIONS[sign]} ` : `(${VULGAR_FRACTIONS[sign]})`,
  )
  plain = plain.replace(
    /(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g,
    (_, minus: string, digits: string) =>
      `^(${minus ? '-' : ''}${[...digits].map((sign) => SUPERSCRIPTS.indexOf(sign)).join('')})`,
  )
  plain = plain.normalize('NFKC').replace(/\u2044/g, '/')
  for (const [sign, ascii] of UNICODE_SIGNS) plain = plain.replace(sign, ascii)
  return plain
}

function fromLatex(text: string): string {
  let plain = withoutMathDelimiters(text)
  if (!plain.includes('\\') && !plain.includes('^{')) return plain
  plain = plain
    .replace(LATEX_SPACING, ' ')
    .replace(/\\([dt]?frac|sqrt)\s*(\d)\s*(?=[\d{])/g, '\\$1{$2}')
    .replace(/(\\[dt]?frac\s*\{[^{}]*\})\s*(\d)/g, '$1{$2}')
    .replace(/\\sqrt\s*([\da-zA-Z])/g, '\\sqrt{$1}')
    .replace(/\\%/g, '%')
    .replace(/\\\{/g, '\ue000')
    .replace(/\\\}/g, '\ue001')
    .replace(/\\([a-zA-Z]+)/g, (command, name: string) => LATEX_COMMANDS[name] ?? command)
    .replace(/\^\s*\{\s*°\s*\}|\^\s*°/g, '°')
  for (let round = 0; round < MAX_NESTED_GROUPS; round++) {
    const before = plain
    for (const [group, ascii] of LATEX_GROUPS) plain = plain.replace(group, ascii)
    if (plain === before) break
  }
  return plain.replace(/\ue000/g, '{').replace(/\ue001/g, '}')
}

function withoutMathDelimiters(text: string): string {
  const plain = text.replace(/\\[()[\]]/g, ' ')
  const dollars = plain.split('$').length - 1
  return dollars % 2 === 0 ? plain.replaceAll('$', ' ') : plain
}
