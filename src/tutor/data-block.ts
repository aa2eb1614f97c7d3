/** The longest text of others that goes into a prompt as one item. */
const MAX_ITEM = 600

/**
 * Text of others (learners, course files, earlier answers) between tags. Whatever looks like a tag in it loses its `<`,
 * so that the text can neither close its block nor open another; an inequality such as `x < 3` stays as it is.
 */
export function dataBlock(name: string, text: string): string {
  return `<${name}>\n${text.replace(/<(?=\s*\/|[a-z_!?])/gi, '&lt;')}\n</${name}>`
}

/** A data block with one item a line; empty when there are no items. */
export function listBlock(name: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  return dataBlock(name, items.map((item) => `- ${oneLine(item)}`).join('\n'))
}

/** A text on one line and not longer than an item may be. */
export function oneLine(text: string, max = MAX_ITEM): string {
  return clipped(text.replace(/\s+/g, ' ').trim(), max)
}

/** A text cut to `max` characters, with a mark where it was cut. */
export function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 2)} …`
}

/** Parts of a prompt, the empty ones left out. */
export function paragraphs(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
