/**
 * Prose as it is compared: lower case, without quotes, sentence punctuation and articles, "x-axis" as "x axis".
 * Signs that carry meaning stay: decimal points, minus before a number, operators.
 */
export function normalText(text: string): string {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/["“”„«»`$]|(?<!\w)'|'(?!\w)/g, '')
    .replace(/(?<=\p{L})-(?=\p{L})/gu, ' ')
    .replace(/[.,;:!?…](?!\d)|(?<!\d)[,;:!?…]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.replace(/\b(?:the|an?) (?=\p{L}{2})/gu, '').replace(/^\((.*)\)$/, '$1')
}
