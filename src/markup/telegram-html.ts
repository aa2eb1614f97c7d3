import type { Token, Tokens } from 'marked'
import { isCoursePicture } from '../contracts/picture.ts'
import { readPlot } from '../contracts/plot.ts'
import { markdown as reader } from './markdown.ts'
import { mathText } from './math-text.ts'

/** Telegram takes 4,096 characters in a message; its marks are not counted there, and are here. */
const MOST = 4_000
const FIRM_SPACE = '\u00a0'

/**
 * Markdown with LaTeX as Telegram's HTML, in pieces that each make a message: divided between paragraphs where that is
 * possible, else between lines or words. Formulas are written in Unicode. Always well-formed; empty for an empty text.
 */
export function telegramHtml(markdown: string): string[] {
  const text = harmless(markdown)
  return packed(blocksOf(text), '\n\n')
}

/** A short Markdown text in one line without marks: what a button says. */
export function plainLine(markdown: string): string {
  const text = harmless(markdown).replace(/\s*\n\s*/g, ' ')
  return plain(reader.Lexer.lexInline(text, reader.defaults)).trim()
}

/** A text as it is, where Telegram reads HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are no part of a text
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g

const harmless = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(CONTROLS, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')

function blocksOf(text: string): string[] {
  try {
    return blocks(reader.lexer(text))
  } catch (error) {
    // Nested deeper than the stack: it stays as it is written.
    if (!(error instanceof RangeError)) throw error
    return cut(text, (part) => escaped(part))
  }
}

/** Parts drawn together as long as they fit in a message. */
function packed(parts: readonly string[], between: string): string[] {
  const messages: string[] = []
  for (const part of parts) {
    const last = messages.at(-1)
    const longer = last === undefined ? part : last + between + part
    if (last === undefined || longer.length > MOST) messages.push(part)
    else messages[messages.length - 1] = longer
  }
  return messages
}

/** A plain text in parts that fit, each written by `write`; divided after a line or a word where that is possible. */
function cut(text: string, write: (part: string) => string): string[] {
  const whole = write(text)
  if (whole.length <= MOST) return text.trim() === '' ? [] : [whole]
  const middle = Math.floor(text.length / 2)
  const at = breakNear(text, middle)
  return [...cut(text.slice(0, at).trimEnd(), write), ...cut(text.slice(at), write)]
}

function breakNear(text: string, middle: number): number {
  for (const sign of ['\n', ' ']) {
    const at = text.lastIndexOf(sign, middle)
    if (at > middle / 2) return at + 1
  }
  // Not between the halves of a character.
  return /[\ud800-\udbff]/.test(text[middle - 1] ?? '') ? middle + 1 : middle
}

/** Each block in one part, or in several where it is longer than a message. */
const blocks = (tokens: readonly Token[]): string[] => tokens.flatMap(block)

function block(token: Token): string[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return fitting([`<b>${inline(within(token))}</b>`], token)
    case 'code':
      return code(token as Tokens.Code)
    case 'formulaBlock':
      return formulaLines(token.latex)
    case 'hr':
      return ['———']
    case 'blockquote': {
      const quoted = blocks(within(token)).map(withoutQuotes)
      return packed(quoted, '\n\n').map((part) => `<blockquote>${part}</blockquote>`)
    }
    case 'list':
      return packed(listItems(token as Tokens.List, ''), '\n')
    case 'table':
      return cut(table(token as Tokens.Table), pre)
    default:
      return fitting([inlineToken(token)], token)
  }
}

/** Telegram knows no quote within a quote. */
const withoutQuotes = (html: string): string => html.replace(/<\/?blockquote>/g, '')

/** The parts, or where one is too long its plain text in parts that are not. */
const fitting = (parts: string[], token: Token): string[] =>
  parts.every((part) => part.length <= MOST) ? parts : cut(plain([token]), escaped)

const pre = (text: string): string => `<pre>${escaped(text)}</pre>`

function code({ text, lang = '' }: Tokens.Code): string[] {
  const plot = lang === 'plot' ? readPlot(text) : null
  if (plot) return cut(plot.text, (part) => `<i>[${escaped(part)}]</i>`)
  const language = /^[\w+-]+/.exec(lang)?.[0]
  if (!language || lang === 'plot') return cut(text, pre)
  const open = `<pre><code class="language-${language}">`
  return cut(text, (part) => `${open}${escaped(part)}</code></pre>`)
}

/** A formula by itself; rows below each other keep their columns. */
function formulaLines(latex: string): string[] {
  const text = mathText(latex).replaceAll(FIRM_SPACE, ' ')
  return cut(text, text.includes('\n') ? pre : escaped)
}

/** The items of a list, each in parts that fit; a list in a list is set in. */
function listItems({ items, ordered, start }: Tokens.List, indent: string): string[] {
  const first = ordered && typeof start === 'number' ? start : 1
  return items.flatMap((item, index) => {
    const sign = `${indent}${ordered ? `${first + index}.` : '•'} `
    const parts: string[] = []
    for (const token of item.tokens) {
      if (token.type === 'list') parts.push(...listItems(token as Tokens.List, `${indent}    `))
      else parts.push(...block(token))
    }
    return [sign + (parts[0] ?? ''), ...parts.slice(1)]
  })
}

/** Columns as wide as their widest cell, a line below the head. */
function table({ header, rows }: Tokens.Table): string {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => plain(tokens)))
  const widths = header.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)))
  const lines = cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2))
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

/** The tokens inside a token, if it has any. */
const within = (token: Token): Token[] => ('tokens' in token && token.tokens) || []

const inline = (tokens: readonly Token[]): string => tokens.map(inlineToken).join('')

function inlineToken(token: Token): string {
  switch (token.type) {
    case 'strong':
      return `<b>${inline(within(token))}</b>`
    case 'em':
      return `<i>${inline(within(token))}</i>`
    case 'del':
      return `<s>${inline(within(token))}</s>`
    case 'codespan':
      return `<code>${escaped(token.text)}</code>`
    case 'link':
      return link(token as Tokens.Link)
    case 'image':
      return isCoursePicture(token.href)
        ? `<i>[${escaped(token.text)}]</i>`
        : escaped(plainToken(token))
    default:
      return within(token).length > 0 ? inline(within(token)) : escaped(plainToken(token))
  }
}

function link(token: Tokens.Link): string {
  const label = inline(within(token)) || escaped(token.text)
  if (!/^(?:https?:\/\/|mailto:)[^\s"<>]+$/i.test(token.href)) return label
  return `<a href="${escaped(token.href)}">${label}</a>`
}

const plain = (tokens: readonly Token[]): string => tokens.map(plainToken).join('')

function plainToken(token: Token): string {
  switch (token.type) {
    case 'codespan':
    case 'escape':
      return token.text
    case 'formula':
    case 'formulaBlock':
      return mathText(token.latex).replaceAll('\n', '; ').replaceAll(FIRM_SPACE, ' ')
    case 'br':
      return '\n'
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'image':
      return token.text || token.href
    default:
      return within(token).length > 0 ? plain(within(token)) : token.raw.replace(/[ \n]+/g, ' ')
  }
}
