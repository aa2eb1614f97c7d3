import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareNumbers, readNumber, readThousands } from '../../../src/domain/notation/numbers.ts'

const seeded = { seed: 42, numRuns: 500 }

describe('reading a number', () => {
  it.each([
    ['2', 2],
    ['+2', 2],
    ['- 2', -2],
    ['−2', -2],
    ['–2', -2],
    ['(-2)', -2],
    ['-0', 0],
    ['2.', 2],
    ['.5', 0.5],
    ['2,5', 2.5],
    ['3/4', 0.75],
    ['-3/4', -0.75],
    ['(-3)/4', -0.75],
    ['3/-4', -0.75],
    ['2 1/2', 2.5],
    ['-2 1/2', -2.5],
    ['2½', 2.5],
    ['½', 0.5],
    ['25%', 0.25],
    ['12,5 %', 0.125],
    ['five percent', 0.05],
    ['1e3', 1000],
    ['1.5e-3', 0.0015],
    ['1.5 × 10^3', 1500],
    ['1.5 \\cdot 10^{-3}', 0.0015],
    ['1.5×10⁻³', 0.0015],
    ['1,234,567', 1234567],
    ['1,234.5', 1234.5],
    ['1.234,5', 1234.5],
    ['1 000 000', 1e6],
    ['x = 4', 4],
    ['4 = x', 4],
    ['= 4', 4],
    ['x_1 = 4', 4],
    ['\\frac{1}{2}', 0.5],
    ['\\frac12', 0.5],
    ['-\\dfrac{3}{4}', -0.75],
    ['2\\frac{1}{2}', 2.5],
    ['\\sqrt{2}', Math.SQRT2],
    ['√2', Math.SQRT2],
    ['\\frac{\\sqrt{2}}{2}', Math.SQRT2 / 2],
    ['\\pi', Math.PI],
    ['2π', 2 * Math.PI],
    ['π/6', Math.PI / 6],
    ['$\\left(\\frac{1}{2}\\right)$', 0.5],
    ['minus two', -2],
    ['-five', -5],
    ['− twenty-three', -23],
    ['+five', 5],
    ['-two thirds', -2 / 3],
    ['-sieben', -7],
    ['negative three and a half', -3.5],
    ['twenty-one', 21],
    ['Twenty One', 21],
    ['nine hundred and five', 905],
    ['a hundred', 100],
    ['two thousand and one', 2001],
    ['two point five', 2.5],
    ['minus zero point two five', -0.25],
    ['half', 0.5],
    ['a third', 1 / 3],
    ['two thirds', 2 / 3],
    ['three over four', 0.75],
    ['１２', 12],
  ])('%j', (text, value) => {
    expect(readNumber(text)).toBeCloseTo(value, 14)
  })

  it.each([
    ...['', ' ', 'x', '4x', '2x = 4', 'e', 'no', 'not 4', '3 apples', '5 cm', '4 or 5', '4?'],
    ...['3+5', '2*4', '2^3', '12÷4', '2(3)', '1 2', '1/2/3', '1/0', 'sqrt(-1)', '--', '4-', '1..2'],
    ...[
      'two three',
      'twenty twelve',
      'twenty fifth',
      'one third third',
      'and',
      'hundred two hundred',
    ],
    ...['1e999', '9'.repeat(501), 'Infinity', 'NaN', '0x10', '1_000', '٣', '²', '1,2,3', '1.2.3'],
  ])('finds none in %j', (text) => {
    expect(readNumber(text)).toBeNull()
  })

  it('sees both readings of a comma before three digits', () => {
    expect(readNumber('1,234')).toBe(1.234)
    expect(readThousands('1,234')).toBe(1234)
    expect(readThousands('-1,234')).toBe(-1234)
    expect(readThousands('0,234')).toBeNull()
    expect(readThousands('1,23')).toBeNull()
  })
})

describe('numbers round-trip', () => {
  const whole = fc.integer({ min: -1e9, max: 1e9 })
  const decimal = fc.tuple(
    fc.integer({ min: -999_999, max: 999_999 }),
    fc.integer({ min: 1, max: 4 }),
  )
  const positive = fc.integer({ min: 1, max: 999 })

  it('integers, with either minus', () => {
    fc.assert(
      fc.property(whole, (n) => {
        expect(readNumber(`${n}`)).toBe(n)
        expect(readNumber(`x = ${n}`.replace('-', '−'))).toBe(n)
        expect(readNumber(`$${n}$`)).toBe(n)
      }),
      seeded,
    )
  })

  it('decimals, with point or comma', () => {
    fc.assert(
      fc.property(decimal, ([n, places]) => {
        const text = (n / 10 ** places).toFixed(places)
        expect(readNumber(text)).toBeCloseTo(n / 10 ** places, 12)
        expect(readNumber(text.replace('.', ','))).toBeCloseTo(n / 10 ** places, 12)
      }),
      seeded,
    )
  })

  it('fractions and mixed numbers, plain and in LaTeX', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999, max: 999 }), positive, positive, (n, d, wholes) => {
        const sign = n < 0 ? '-' : ''
        const size = Math.abs(n)
        expect(readNumber(`${n}/${d}`)).toBeCloseTo(n / d, 12)
        expect(readNumber(`${sign}\\frac{${size}}{${d}}`)).toBeCloseTo(n / d, 12)
        expect(readNumber(`\\frac{${n}}{${d}}`)).toBeCloseTo(n / d, 12)
        const mixed = (n < 0 ? -1 : 1) * (wholes + size / d)
        expect(readNumber(`${sign}${wholes} ${size}/${d}`)).toBeCloseTo(mixed, 10)
        expect(readNumber(`${sign}${wholes}\\frac{${size}}{${d}}`)).toBeCloseTo(mixed, 10)
      }),
      seeded,
    )
  })

  it('percent and scientific notation', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: -30, max: 30 }), ([n, places], power) => {
        const mantissa = (n / 10 ** places).toFixed(places)
        expect(readNumber(`${mantissa}%`)).toBeCloseTo(n / 10 ** places / 100, 12)
        const value = Number(`${mantissa}e${power}`)
        expect(readNumber(`${mantissa}e${power}`)).toBe(value === 0 ? 0 : value)
        expect(readNumber(`${mantissa} \\times 10^{${power}}`)).toBe(value === 0 ? 0 : value)
      }),
      seeded,
    )
  })

  it('words from -999 to 999', () => {
    for (let n = -999; n <= 999; n++) {
      expect(readNumber(inWords(n)), inWords(n)).toBe(n)
      expect(readNumber(inWords(n).replaceAll(' and ', ' ').replaceAll('-', ' '))).toBe(n)
    }
  })
})

describe('comparing numbers', () => {
  it.each([
    [2, 2, 'correct'],
    [2.0009, 2, 'correct'],
    [2.001, 2, 'close'],
    [0.333, 1 / 3, 'correct'],
    [0.0009, 0, 'correct'],
    [0.001, 0, 'close'],
    [0.0005, 0.001, 'close'],
    [0.000995, 0.001, 'correct'],
    [0.3, 0, 'close'],
    [1.3, 1, 'close'],
    [1.31, 1, 'wrong'],
    [12, 10, 'close'],
    [12.01, 10, 'wrong'],
    [-12, -10, 'close'],
    [-2, 2, 'wrong'],
    [1e20, 1e20, 'correct'],
    [Number.NaN, 1, 'wrong'],
    [Number.POSITIVE_INFINITY, 1, 'wrong'],
  ] as const)('%d against %d is %s', (said, key, verdict) => {
    expect(compareNumbers(said, key)).toBe(verdict)
  })

  it('is the rule of the answer check, away from its limits', () => {
    const number = fc.double({ min: -1000, max: 1000, noNaN: true })
    fc.assert(
      fc.property(number, fc.double({ min: -400, max: 400, noNaN: true }), (key, off) => {
        const diff = Math.abs(key + off - key)
        const limits = [0.001, 0.01 * Math.abs(key), 0.3, 0.2 * Math.abs(key)]
        fc.pre(limits.every((limit) => Math.abs(diff - limit) > 1e-9))
        const exact = diff < 0.001 && (key === 0 || diff < 0.01 * Math.abs(key))
        const near = diff <= Math.max(0.3, 0.2 * Math.abs(key))
        const verdict = exact ? 'correct' : near ? 'close' : 'wrong'
        expect(compareNumbers(key + off, key)).toBe(verdict)
      }),
      seeded,
    )
  })
})

function inWords(n: number): string {
  if (n < 0) return `minus ${inWords(-n)}`
  const units =
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
      ' ',
    )
  const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
  if (n < 20) return units[n] ?? ''
  if (n < 100) {
    const ten = tens[Math.floor(n / 10) - 2] ?? ''
    return n % 10 === 0 ? ten : `${ten}-${units[n % 10]}`
  }
  const hundreds = `${units[Math.floor(n / 100)]} hundred`
  return n % 100 === 0 ? hundreds : `${hundreds} and ${inWords(n % 100)}`
}

describe('German number words', () => {
  it.each([
    ['null', 0],
    ['eins', 1],
    ['vier', 4],
    ['zwölf', 12],
    ['siebzehn', 17],
    ['dreißig', 30],
    ['dreissig', 30],
    ['dreiundzwanzig', 23],
    ['fuenf und vierzig', 45],
    ['hundert', 100],
    ['hundertfünf', 105],
    ['neunhundertneunundneunzig', 999],
    ['zweitausendsechsundzwanzig', 2026],
    [
      'minus siebenhundertsiebenundsiebzigtausendsiebenhundertsiebenundsiebzig und siebenundsiebzig hundertstel',
      -777777.77,
    ],
    ['minus drei', -3],
    ['ein halb', 0.5],
    ['einhalb', 0.5],
    ['zweieinhalb', 2.5],
    ['anderthalb', 1.5],
    ['drei und ein Viertel', 3.25],
    ['ein Viertel', 0.25],
    ['dreiviertel', 0.75],
    ['fünf Halbe', 2.5],
    ['drei durch vier', 0.75],
    ['zwei Komma fünf', 2.5],
    ['null Komma null fünf', 0.05],
  ])('%j is %d', (text, value) => {
    expect(readNumber(text)).toBeCloseTo(value, 12)
  })

  it.each([
    ...[
      'ein',
      'eine',
      'und',
      'drei vier',
      'zwanzig drei',
      'einundzwölf',
      'hundert mal',
      'vier Äpfel',
    ],
    ...['zwei Komma zwölf', 'nicht vier', 'viertel vor', 'ein Halber Apfel', 'tausend tausend'],
  ])('%j is none', (text) => {
    expect(readNumber(text)).toBeNull()
  })
})
