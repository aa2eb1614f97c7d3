/** What makes two labels one concept: composed (NFC), trimmed and in lower case. */
export function labelKey(label: string): string {
  return label.normalize('NFC').trim().toLowerCase()
}

/** Orders labels by code point, the same on every machine and in every locale. */
export function compareLabels(a: string, b: string): number {
  const left = Array.from(a, (character) => character.codePointAt(0) ?? 0)
  const right = Array.from(b, (character) => character.codePointAt(0) ?? 0)
  for (const [index, codePoint] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (codePoint !== other) return codePoint - other
  }
  return left.length - right.length
}
