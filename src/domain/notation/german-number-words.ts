const ONES: Record<string, number> = {
  ein: 1,
  eins: 1,
  eine: 1,
  zwei: 2,
  zwo: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
}
const BELOW_HUNDRED: Record<string, number> = {
  ...ONES,
  null: 0,
  zehn: 10,
  elf: 11,
  zwölf: 12,
  dreizehn: 13,
  vierzehn: 14,
  fünfzehn: 15,
  sechzehn: 16,
  siebzehn: 17,
  achtzehn: 18,
  neunzehn: 19,
}
const TENS: Record<string, number> = {
  zwanzig: 20,
  dreißig: 30,
  vierzig: 40,
  fünfzig: 50,
  sechzig: 60,
  siebzig: 70,
  achtzig: 80,
  neunzig: 90,
}
const PARTS: Record<string, number> = {
  halb: 2,
  halbe: 2,
  halbes: 2,
  drittel: 3,
  viertel: 4,
  fünftel: 5,
  sechstel: 6,
  siebtel: 7,
  achtel: 8,
  neuntel: 9,
  zehntel: 10,
  zwanzigstel: 20,
  hundertstel: 100,
  tausendstel: 1000,
}
/** More letters than a number has here, however many digits follow its comma; its end is looked for at each of them. */
const LONGEST = 200
/** An article alone is no number. */
const ARTICLE = /^(?:ein|eine)$/

const BEGINNING = new RegExp(
  `^(?:${[...Object.keys({ ...BELOW_HUNDRED, ...TENS, ...PARTS }), 'hundert', 'tausend', 'anderthalb', 'minus', 'negativ'].join('|')})`,
)

/** Whether a number in words may begin with this word, in small letters, alone or in a compound. */
export const mayBeginGermanNumber = (word: string): boolean => BEGINNING.test(withUmlauts(word))

const withUmlauts = (text: string) =>
  text
    .replace(/ue/g, 'ü')
    .replace(/oe/g, 'ö')
    .replace(/dreissig/g, 'dreißig')

/**
 * A number in German words: "minus drei", "dreiundzwanzig", "zweihundert fünf", "zwei Komma fünf", "zweieinhalb", "zwei
 * Drittel", "drei durch vier". Null when any word is left over.
 */
export function readGermanNumberWords(text: string): number | null {
  const words = withUmlauts(text.toLowerCase())
    .trim()
    .split(/[-\s]+/)
  const isNegative = words[0] === 'minus' || words[0] === 'negativ'
  const value = magnitude(isNegative ? words.slice(1) : words)
  return value === null || !isNegative ? value : -value
}

function magnitude(words: string[]): number | null {
  const said = words.join('')
  if (said.length > LONGEST || !BEGINNING.test(said) || ARTICLE.test(said)) return null
  return cardinal(said) ?? decimal(words) ?? quotient(words) ?? fraction(said) ?? mixed(said)
}

/** Below a million, in one word or several. */
function cardinal(said: string): number | null {
  const [, thousands, rest = ''] = /^(?:(.*?)tausend(?:und)?)?(.*)$/.exec(said) ?? []
  if (thousands === undefined) return belowThousand(rest)
  const count = thousands === '' ? 1 : belowThousand(thousands)
  const ones = rest === '' ? 0 : belowThousand(rest)
  return count === null || count === 0 || ones === null ? null : count * 1000 + ones
}

function belowThousand(said: string): number | null {
  const [, hundreds, rest = ''] = /^(?:(.*?)hundert(?:und)?)?(.*)$/.exec(said) ?? []
  if (hundreds === undefined) return belowHundred(rest)
  const count = hundreds === '' ? 1 : numberIn(ONES, hundreds)
  const ones = rest === '' ? 0 : belowHundred(rest)
  return count === null || ones === null ? null : count * 100 + ones
}

function belowHundred(said: string): number | null {
  const plain = numberIn(BELOW_HUNDRED, said) ?? numberIn(TENS, said)
  if (plain !== null) return plain
  const [, one = '', ten = ''] = /^(.+?)und(.+)$/.exec(said) ?? []
  const [ones, tens] = [numberIn(ONES, one), numberIn(TENS, ten)]
  return ones === null || tens === null ? null : tens + ones
}

function decimal(words: string[]): number | null {
  const at = words.indexOf('komma')
  if (at < 1) return null
  const whole = cardinal(words.slice(0, at).join(''))
  const digits = words.slice(at + 1).map((word) => (word === 'null' ? 0 : numberIn(ONES, word)))
  if (whole === null || digits.length === 0 || digits.includes(null)) return null
  return Number(`${whole}.${digits.join('')}`)
}

function quotient(words: string[]): number | null {
  const at = words.indexOf('durch')
  if (at < 1) return null
  const over = cardinal(words.slice(0, at).join(''))
  const under = cardinal(words.slice(at + 1).join(''))
  return over === null || !under ? null : over / under
}

/** "zwei Drittel", "einhalb", "fünf Halbe". */
function fraction(said: string): number | null {
  if (said === 'halb') return 1 / 2
  for (const [part, size] of Object.entries(PARTS)) {
    const count = said.endsWith(part) ? cardinal(said.slice(0, -part.length)) : null
    if (count !== null && count > 0) return count / size
  }
  return null
}

/** "zweieinhalb", "zwei und ein Viertel", "anderthalb". */
function mixed(said: string): number | null {
  if (said === 'anderthalb') return 3 / 2
  for (let at = 3; at < said.length; at++) {
    const whole = cardinal(said.slice(0, at))
    const part = whole === null ? null : fraction(said.slice(at).replace(/^und/, ''))
    if (whole !== null && part !== null && part < 1) return whole + part
  }
  return null
}

const numberIn = (values: Record<string, number>, word: string): number | null =>
  Object.hasOwn(values, word) ? (values[word] ?? null) : null
