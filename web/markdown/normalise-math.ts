/**
 * Rewrites the ways in which maths is written to the one that the renderer reads: `\(…\)` becomes `$…$`; `\[…\]` and a
 * `$$…$$` alone on its line become a block with `$$` on lines of its own; a `$` that opens no formula (a price) is
 * escaped. Code spans, fenced code and formulas are left as they are. Doing it twice changes nothing more.
 */
export function normaliseMath(markdown: string): string {
  let out = ''
  let at = 0
  while (at < markdown.length) {
    const token = readToken(markdown, at)
    out += token.rewrite(out)
    at = token.end
  }
  return out
}

interface Token {
  end: number
  /** The text to append after what was written so far. */
  rewrite: (before: string) => string
}

const verbatim = (text: string, start: number, end: number): Token => ({
  end,
  rewrite: () => text.slice(start, end),
})

function readToken(text: string, at: number): Token {
  switch (text[at]) {
    case '`':
      return readCode(text, at)
    case '~':
      return text.startsWith('~~~', at) && isLineStart(text, at)
        ? readFence(text, at)
        : verbatim(text, at, at + 1)
    case '\\':
      return readBackslash(text, at)
    case '$':
      return readDollar(text, at)
    default:
      return verbatim(text, at, nextSpecial(text, at))
  }
}

function nextSpecial(text: string, at: number): number {
  const ahead = text.slice(at + 1).search(/[`~\\$]/)
  return ahead === -1 ? text.length : at + 1 + ahead
}

const lineStart = (text: string, at: number) => text.lastIndexOf('\n', at - 1) + 1
const isLineStart = (text: string, at: number) =>
  /^[\s>]*$/.test(text.slice(lineStart(text, at), at))

function readCode(text: string, at: number): Token {
  const ticks = text.slice(at).match(/^`+/)?.[0] ?? '`'
  if (ticks.length >= 3 && isLineStart(text, at)) return readFence(text, at)
  const close = new RegExp(`(?<!\`)${ticks}(?!\`)`)
  const rest = text.slice(at + ticks.length)
  const end = rest.search(close)
  const paragraph = rest.search(/\n[ \t]*\n/)
  const isSpan = end !== -1 && (paragraph === -1 || end < paragraph)
  return verbatim(text, at, isSpan ? at + end + 2 * ticks.length : at + ticks.length)
}

/** Fenced code, to its closing fence or the end. */
function readFence(text: string, at: number): Token {
  const fence = text.slice(at).match(/^(`+|~+)/)?.[0] ?? '```'
  const close = new RegExp(`\\n[\\s>]*${fence}${fence[0]}*[ \\t]*(?=\\n|$)`)
  const rest = text.slice(at + fence.length)
  const found = rest.match(close)
  const length = found?.index === undefined ? rest.length : found.index + found[0].length
  return verbatim(text, at, at + fence.length + length)
}

function readBackslash(text: string, at: number): Token {
  const open = text[at + 1]
  const close = open === '(' ? '\\)' : open === '[' ? '\\]' : null
  const end = close ? findClose(text, at + 2, close) : -1
  if (close === null || end === -1) return verbatim(text, at, Math.min(at + 2, text.length))
  const body = text.slice(at + 2, end).trim()
  if (body === '' || /[$`]|\\$/.test(body)) return verbatim(text, at, end + 2)
  return open === '(' ? inline(text, end + 2, body) : block(text, at, end + 2, body)
}

/** A formula in a line, kept apart from dollars beside it; before a digit it needs two, or it would read as a price. */
function inline(text: string, end: number, body: string): Token {
  const next = text[end] ?? ''
  const mark = /\d/.test(next) ? '$$' : '$'
  const formula = `${mark}${body.replace(/\s*\n\s*/g, ' ')}${mark}`
  const tail = next === '$' ? ' ' : ''
  return { end, rewrite: (before) => `${before.endsWith('$') ? ' ' : ''}${formula}${tail}` }
}

/** Where `\)` or `\]` stands, not after a further backslash and not behind a blank line. */
function findClose(text: string, from: number, close: string): number {
  for (let at = from; at < text.length; at += text[at] === '\\' ? 2 : 1) {
    if (text.startsWith(close, at)) return at
    if (/^\n[ \t]*\n/.test(text.slice(at, at + 80))) return -1
  }
  return -1
}

/** A display formula on lines of its own, indented as the line it stands in. */
function block(text: string, start: number, end: number, body: string): Token {
  const indent = text.slice(lineStart(text, start)).match(/^[ \t]*(?:>[ \t]?)*/)?.[0] ?? ''
  const lines = [
    '$$',
    ...body
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    '$$',
  ]
  const isFollowed = end < text.length && text[end] !== '\n'
  return {
    end: isFollowed ? end + (text.slice(end).match(/^[ \t]+/)?.[0].length ?? 0) : end,
    rewrite: (before) => {
      const ownLine = /(^|\n)[ \t]*(?:>[ \t]?)*$/.test(before)
      const lead = ownLine ? '' : `\n${indent}`
      return `${lead}${lines.join(`\n${indent}`)}${isFollowed ? `\n${indent}` : ''}`
    },
  }
}

function readDollar(text: string, at: number): Token {
  if (text.startsWith('$$', at)) return readDouble(text, at)
  const rest = text.slice(at + 1)
  const paragraph = rest.search(/\n[ \t]*\n/)
  const formula = (paragraph === -1 ? rest : rest.slice(0, paragraph)).match(
    /^(?![\s$])(?:\\.|[^\\$])*?(?<!\s)\$(?![\d$])/s,
  )
  if (formula) return verbatim(text, at, at + 1 + formula[0].length)
  return { end: at + 1, rewrite: () => '\\$' }
}

/** `$$` to its closing `$$`; on one line of its own it becomes a block. */
function readDouble(text: string, at: number): Token {
  const end = text.indexOf('$$', at + 2)
  if (end === -1) return verbatim(text, at, text.length)
  const body = text.slice(at + 2, end)
  const isAlone = isLineStart(text, at) && /^[ \t]*(\n|$)/.test(text.slice(end + 2))
  if (!isAlone || body.includes('\n') || body.trim() === '') return verbatim(text, at, end + 2)
  return block(text, at, end + 2, body.trim())
}
