import { plainMath } from './plain-math.ts'

/** Ways to write a unit; the first is its name. A unit found here and not asked for makes an answer wrong. */
const UNITS: string[][] = [
  ['mm', 'millimetre', 'millimeter'],
  ['cm', 'centimetre', 'centimeter', 'zentimeter'],
  ['dm', 'decimetre', 'decimeter'],
  ['m', 'metre', 'meter'],
  ['km', 'kilometre', 'kilometer'],
  ['inch', 'inches', 'in'],
  ['foot', 'feet', 'ft'],
  ['yard', 'yd'],
  ['mile', 'mi'],
  ['mm^2', 'square millimetre', 'square millimeter', 'sq mm', 'quadratmillimeter'],
  ['cm^2', 'square centimetre', 'square centimeter', 'sq cm', 'quadratzentimeter'],
  ['m^2', 'square metre', 'square meter', 'sq m', 'quadratmeter'],
  ['km^2', 'square kilometre', 'square kilometer', 'sq km', 'quadratkilometer'],
  ['mm^3', 'cubic millimetre', 'cubic millimeter'],
  ['cm^3', 'cubic centimetre', 'cubic centimeter', 'cc', 'kubikzentimeter'],
  ['m^3', 'cubic metre', 'cubic meter', 'kubikmeter'],
  ['ml', 'millilitre', 'milliliter'],
  ['cl', 'centilitre', 'centiliter'],
  ['l', 'L', 'litre', 'liter'],
  ['mg', 'milligram', 'milligramm'],
  ['g', 'gram', 'gramm'],
  ['kg', 'kilogram', 'kilo', 'kilogramm'],
  ['tonne'],
  ['ms', 'millisecond'],
  ['s', 'sec', 'secs', 'second', 'sekunde', 'sekunden'],
  ['min', 'mins', 'minute', 'minuten'],
  ['h', 'hr', 'hrs', 'hour', 'stunde', 'stunden', 'std'],
  ['day', 'tag', 'tage', 'tagen'],
  ['week', 'woche', 'wochen'],
  ['month', 'monat', 'monate', 'monaten'],
  ['year', 'yr', 'yrs', 'jahr', 'jahre', 'jahren'],
  ['m/s', 'metres per second', 'meters per second'],
  ['km/h', 'kph', 'kilometres per hour', 'kilometers per hour', 'kilometer pro stunde'],
  ['mph', 'miles per hour'],
  ['m/s^2', 'metres per second squared', 'meters per second squared'],
  ['N', 'newton'],
  ['J', 'joule'],
  ['W', 'watt'],
  ['V', 'volt'],
  ['Hz', 'hertz'],
  ['GB', 'gigabyte'],
  ['MB', 'megabyte'],
  ['%', 'percent', 'per cent', 'prozent'],
  ['°', 'degree', 'deg', 'grad'],
  ['rad', 'radian'],
  ['°C', 'degrees celsius', 'celsius', 'grad celsius'],
  ['°F', 'degrees fahrenheit', 'fahrenheit', 'grad fahrenheit'],
  ['K', 'kelvin'],
  ['€', 'euro', 'eur'],
  ['$', 'dollar', 'usd'],
  ['£', 'pound', 'gbp'],
  ['¢', 'cent'],
]

const BEFORE_THE_NUMBER = /^([€$£])\s*(.+)$/

const UNIT_NAMES = new Map(
  UNITS.flatMap((names) =>
    names.flatMap((name) => {
      const plural = name.length > 2 && !name.endsWith('s') ? [`${name}s`] : []
      return [name, ...plural].map((form) => [unitKey(form), names[0] ?? form] as const)
    }),
  ),
)

/** The name under which a way to write a unit is known; a unit of the course's own ("apples") stands for itself. */
export function unitName(unit: string): string {
  const key = unitKey(unit)
  return UNIT_NAMES.get(key) ?? key.replace(/(?<=\w{2})s$/, '')
}

export function isKnownUnit(unit: string): boolean {
  return UNIT_NAMES.has(unitKey(unit))
}

/**
 * Whether a question that has no unit in its key is about `unit`: it stands behind "how many" or "in" there, or, where no
 * unit does, anywhere in it. Of two units of one question only the one asked for may be given.
 */
export function isAskedUnit(unit: string, questionText: string): boolean {
  const name = unitName(unit)
  const words = plainMath(questionText).replace(/[(),?!]|\.(?!\d)/g, ' ')
  const asked = [...words.matchAll(/(?:\bhow (?:many|much)|\bby how many|\bin|\binto) (.{1,30})/gi)]
  const named = asked.flatMap((match) => unitsAtStart(match[1] ?? ''))
  const own = named.length > 0 ? named : unitsIn(words)
  return own.includes(name) || (name === '°C' && isOfTemperature(own, words))
}

/** Degrees of which neither a scale nor an angle is spoken are also degrees Celsius. */
function isOfTemperature(units: string[], words: string): boolean {
  return (
    units.includes('°') && !units.includes('°F') && !/\b(?:angle|triangle|rotat|turn)/i.test(words)
  )
}

function unitsAtStart(text: string): string[] {
  const words = text.trim().split(/\s+/)
  const start = words[0] === 'whole' ? 1 : 0
  for (let count = 3; count > 0; count--) {
    const said = words.slice(start, start + count).join(' ')
    if (isSpelledUnit(said)) return [unitName(said), ...unitsOfFirst(words, start, count)]
  }
  return []
}

/** "degrees Celsius" is also told by "degrees" alone. */
function unitsOfFirst(words: string[], start: number, count: number): string[] {
  const first = words[start] ?? ''
  return count > 1 && isSpelledUnit(first) ? [unitName(first)] : []
}

function unitsIn(text: string): string[] {
  const words = text.trim().split(/\s+/)
  return words.flatMap((_, at) =>
    [3, 2, 1]
      .map((count) => words.slice(at, at + count).join(' '))
      .filter(isSpelledUnit)
      .map(unitName),
  )
}

/** A unit that prose means as one: a word of three letters or more, or a sign; "in", "m" and "a" may be anything. */
function isSpelledUnit(text: string): boolean {
  return isKnownUnit(text) && /\p{L}{3}|[^\p{L}\s\d]|^(?:cm|mm|km|kg|ml)$/u.test(text)
}

/**
 * The ways to part a plain text into an amount and a unit, the longest unit first: "5 sq cm" → "5" and "sq cm", then
 * "5 sq" and "cm". Which one is meant shows when the amount can be read.
 */
export function partings(text: string): { amount: string; unit: string }[] {
  const currency = BEFORE_THE_NUMBER.exec(text)
  if (currency) return [{ amount: currency[2] ?? '', unit: currency[1] ?? '' }]
  const found: { amount: string; unit: string }[] = []
  for (let at = 1; at < text.length; at++) {
    const startsUnit = /[a-zA-Z°%€$£¢]/.test(text.charAt(at))
    if (startsUnit && !/[a-zA-Z°/^]/.test(text.charAt(at - 1))) {
      found.push({ amount: text.slice(0, at).trim(), unit: text.slice(at) })
    }
  }
  return found
}

function unitKey(unit: string): string {
  const key = unit
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\^?\(?([23])\)?$/, '^$1')
  return key.length === 1 ? key : key.toLowerCase()
}
