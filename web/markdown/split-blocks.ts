const FENCE = /^[ \t]*(`{3,}|~{3,}|\$\$)/

/**
 * Splits Markdown at blank lines into pieces that render the same alone as together, so that only the last piece of a
 * growing text is parsed again. Fenced code, `$$` blocks and what is indented under a list item stay in one piece.
 * Joined with a blank line the pieces are the text again, up to blank lines.
 */
export function splitBlocks(markdown: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let fence: string | null = null
  let isBlank = false
  for (const line of markdown.split('\n')) {
    const mark = line.match(FENCE)?.[1]
    const startsBlock = isBlank && fence === null && line.trim() !== '' && !continuesList(line)
    if (startsBlock && lines.length > 0) {
      blocks.push(lines.join('\n').trimEnd())
      lines = []
    }
    if (mark && fence === null && !closesOnSameLine(line, mark)) fence = mark
    else if (mark && fence !== null && mark.startsWith(fence)) fence = null
    isBlank = line.trim() === ''
    if (lines.length > 0 || !isBlank) lines.push(line)
  }
  if (lines.length > 0) blocks.push(lines.join('\n').trimEnd())
  return blocks
}

const continuesList = (line: string) =>
  /^(?: {2,}|\t)/.test(line) || /^(?:[-*+]|\d+[.)]) /.test(line)

const closesOnSameLine = (line: string, mark: string) =>
  mark === '$$' && line.trim().length > 2 && line.trimEnd().endsWith('$$')
