/** The words of a text as they are counted: whatever stands between blanks. */
export const wordCount = (text: string): number => text.split(/\s+/).filter(Boolean).length

/** A formula or a piece of code that has begun has to end as well. */
const isWhole = (text: string): boolean =>
  ['```', '$$'].every((mark) => text.split(mark).length % 2 === 1)

/** A text of at most so many words: up to the end of a paragraph, else of a sentence, else of a word. */
export function shortened(text: string, most: number): string {
  if (wordCount(text) <= most) return text
  return (
    longestOf(text, /\n\s*\n/g, most) ??
    longestOf(text, /(?<=[.!?]["'”’)*_]*)\s+/g, most) ??
    `${text
      .split(/\s+/)
      .filter(Boolean)
      .slice(0, most - 1)
      .join(' ')} …`
  )
}

function longestOf(text: string, end: RegExp, most: number): string | null {
  const parts = [...text.matchAll(end)].map(({ index }) => text.slice(0, index).trim())
  return parts.findLast((part) => part !== '' && wordCount(part) <= most && isWhole(part)) ?? null
}
