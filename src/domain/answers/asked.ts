import { plainMath } from '../notation/plain-math.ts'
import { lettersInQuestion } from './question-text.ts'

const NAME = '[`$]{1,2}([A-Za-z][A-Za-z_]{0,15})[`$]{1,2}'
/** Ways a question names the letter or the variable it asks for. */
const NAMED = [
  `values? (?:of|has|have|for|does)(?: the variable| the number)? ${NAME}(?! *[,;] )`,
  `(?:what|which number|which value) (?:is|has|does|must|should) ${NAME}`,
  `for (?:which|what)(?: \\w+){0,4} ${NAME}`,
  `make ${NAME} the subject`,
  `solve (?:it |this |the equation )?for ${NAME}`,
  `(?:find|determine|calculate|compute|work out|write|give)(?: the (?:number|value))? ${NAME} ?(?:as|so|such|to|\\.|$)`,
  `how (?:big|large|much|long|many|great) (?:is|are) ${NAME}`,
  `inequality (?:for|with|in) ${NAME}`,
].map((pattern) => new RegExp(pattern, 'gi'))
const SUBJECT = /right-hand side of \$([A-Za-z]) ?=/gi

/**
 * The letters or variables a question asks for: `x` of "Give the value of $x$" or of "Solve $x + 6 = 13$". Null where it
 * names none, or nothing to which only one letter would fit.
 */
export function namesAsked(questionText: string): ReadonlySet<string> | null {
  const named = [...NAMED, SUBJECT].flatMap((pattern) =>
    [...questionText.matchAll(pattern)].map((match) => match[1] ?? ''),
  )
  if (named.length > 0) return new Set([...named, ...aliasesOf(named, questionText)])
  if (!/\bsolve\b/i.test(questionText)) return null
  const letters = [...lettersInQuestion(questionText)].filter((letter) => /[a-zA-Z]/.test(letter))
  const small = new Set(letters.map((letter) => letter.toLowerCase()))
  return small.size === 1 ? new Set(letters) : null
}

/** "The axis is the line $x = k$. Give the value of $k$.": x is another name for it. */
function aliasesOf(names: string[], questionText: string): string[] {
  const equalities = [...questionText.matchAll(/[`$]([A-Za-z]) ?= ?([A-Za-z])[`$]/g)]
  return equalities
    .map(([, left = '', right = '']) => [left, right])
    .filter((pair) => pair.some((name) => names.includes(name)))
    .flat()
}

/** Whether a label such as "y" in "y = 7" is none of the letters asked for; case is passed over on a phone. */
export function isOtherName(label: string, asked: ReadonlySet<string> | null): boolean {
  if (asked === null) return false
  return ![...asked].some((name) => name.toLowerCase() === label.toLowerCase())
}

const GENERIC_WORDS = new Set([
  ...['the', 'my', 'a', 'number', 'value', 'answer', 'ans', 'result', 'solution', 'of', 'is', 'it'],
  ...[
    'total',
    'sum',
    'whole',
    'line',
    'lösung',
    'ergebnis',
    'antwort',
    'zahl',
    'nombre',
    'solutions',
  ],
])

/** Whether words before "=" or ":" only name what is asked: "my number", "slope". */
export function isNameOfAsked(words: string, questionText: string): boolean {
  const asked = wordsOf(questionText)
  const said = words.toLowerCase().match(/\p{L}+/gu) ?? []
  if (said.length === 0 || said.length > 6 || /[^\p{L}\s']/u.test(words)) return false
  return said.every((word) => GENERIC_WORDS.has(word) || asked.has(singular(word)))
}

/**
 * Whether a question itself counts or measures in `noun`, so that an answer may name it: "lines" in "How many lines …?".
 * What only stands behind a number of the question ("three pens") is given, not asked.
 */
export function isCountedIn(noun: string, questionText: string): boolean {
  const wanted = singular(noun.toLowerCase())
  const words =
    plainMath(questionText)
      .toLowerCase()
      .match(/\p{L}+|\d+/gu) ?? []
  return words.some((word, at) => singular(word) === wanted && !isCount(words[at - 1] ?? ''))
}

function isCount(word: string): boolean {
  return /^\d+$|^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/.test(word)
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).map(singular))
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<=(?:s|x|ch|sh))es$|(?<=[^s])s$/, '') : word
}
