const WORDS: [RegExp, string][] = [
  [/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, '($1)/($2)'],
  [/\\sqrt\s*\{([^{}]*)\}/g, '√($1)'],
  [/\\(?:text|mathrm|operatorname)\s*\{([^{}]*)\}/g, '$1'],
  [/\\cdot(?![a-z])/g, '·'],
  [/\\times(?![a-z])/g, '×'],
  [/\\div(?![a-z])/g, '÷'],
  [/\\pm(?![a-z])/g, '±'],
  [/\\leq?(?![a-z])/g, '≤'],
  [/\\geq?(?![a-z])/g, '≥'],
  [/\\neq?(?![a-z])/g, '≠'],
  [/\\(?:left|right)(?![a-z])/g, ''],
  [/\\[,;:! ]/g, ' '],
]

/** A short text with formulas as a name that can be read out: "$\frac{1}{2}$ of $x$" is "1/2 of x". */
export function speakable(text: string): string {
  const words = WORDS.reduce((out, [pattern, word]) => out.replace(pattern, word), text)
  return words
    .replace(/\\\$/g, '\u0000')
    .replace(/[$\\{}*`]/g, '')
    .replaceAll('\u0000', '$')
    .replace(/\((-?[\w.]+)\)\/\((-?[\w.]+)\)/g, '$1/$2')
    .replace(/\s+/g, ' ')
    .trim()
}
