/** Ways to write a unit; the first is its name. A unit found here and not asked for makes an answer wrong. */
const UNITS: string[][] = [
  ['mm', 'millimetre', 'millimeter'],
  ['cm', 'centimetre', 'centimeter'],
  ['dm', 'decimetre', 'decimeter'],
  ['m', 'metre', 'meter'],
  ['km', 'kilometre', 'kilometer'],
  ['inch', 'inches', 'in'],
  ['foot', 'feet', 'ft'],
  ['yard', 'yd'],
  ['mile', 'mi'],
  ['mm^2', 'square millimetre', 'square millimeter', 'sq mm'],
  ['cm^2', 'square centimetre', 'square centimeter', 'sq cm'],
  ['m^2', 'square metre', 'square meter', 'sq m'],
  ['km^2', 'square kilometre', 'square kilometer', 'sq km'],
  ['mm^3', 'cubic millimetre', 'cubic millimeter'],
  ['cm^3', 'cubic centimetre', 'cubic centimeter', 'cc'],
  ['m^3', 'cubic metre', 'cubic meter'],
  ['ml', 'millilitre', 'milliliter'],
  ['cl', 'centilitre', 'centiliter'],
  ['l', 'L', 'litre', 'liter'],
  ['mg', 'milligram'],
  ['g', 'gram'],
  ['kg', 'kilogram', 'kilo'],
  ['tonne'],
  ['ms', 'millisecond'],
  ['s', 'sec', 'second'],
  ['min', 'minute'],
  ['h', 'hr', 'hour'],
  ['day'],
  ['week'],
  ['month'],
  ['year', 'yr'],
  ['m/s', 'metres per second', 'meters per second'],
  ['km/h', 'kph', 'kilometres per hour', 'kilometers per hour'],
  ['mph', 'miles per hour'],
  ['m/s^2', 'metres per second squared', 'meters per second squared'],
  ['N', 'newton'],
  ['J', 'joule'],
  ['W', 'watt'],
  ['V', 'volt'],
  ['Hz', 'hertz'],
  ['%', 'percent', 'per cent'],
  ['°', 'degree', 'deg'],
  ['rad', 'radian'],
  ['°C', 'degrees celsius', 'celsius'],
  ['°F', 'degrees fahrenheit', 'fahrenheit'],
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
