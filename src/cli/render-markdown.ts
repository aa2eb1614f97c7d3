import type { Token, Tokens } from 'marked'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { isCoursePicture } from '../contracts/picture.ts'
import { readPlot } from '../contracts/plot.ts'
import { markdown as reader } from '../markup/markdown.ts'
import { mathText } from '../markup/math-text.ts'
import { harmless, type Style } from './terminal-text.ts'

export interface Page {
  /** Columns. */
  width: number
  style: Style
}

/** A space at which no line is broken; it is written as a space. */
const FIRM_SPACE = '\u00a0'
const SHORT_FORMULA = 36
const NARROWEST = 10

/**
 * Markdown with LaTeX as lines for a terminal, no wider than the page but for code, tables and long words. Nothing in the
 * text can steer the terminal. Throws on nothing.
 */
export function renderMarkdown(markdown: string, page: Page): string {
  const text = harmless(markdown)
  return linesOf(text, page).join('\n').replaceAll(FIRM_SPACE, ' ').trimEnd()
}

function linesOf(text: string, page: Page): string[] {
  try {
    return blocks(reader.lexer(text), page)
  } catch (error) {
    // Nested deeper than the stack: it stays as it is written.
    if (!(error instanceof RangeError)) throw error
    return wrap(text, page.width)
  }
}

/** A short text in one line: an option, a label. */
export function renderInline(markdown: string, style: Style): string {
  const text = harmless(markdown).replace(/\s*\n\s*/g, ' ')
  const shown = inline(reader.Lexer.lexInline(text, reader.defaults), style)
  return shown.replaceAll(FIRM_SPACE, ' ').trim()
}

/** The lines of blocks with an empty one between them; a list stands right below the line it follows. */
function blocks(tokens: readonly Token[], page: Page, isTight = false): string[] {
  const lines: string[] = []
  for (const [at, token] of tokens.entries()) {
    const shown = block(token, page)
    if (shown.length === 0) continue
    const isBelow = token.type === 'list' && !/\n\s*\n$/.test(tokens[at - 1]?.raw ?? '')
    lines.push(...(lines.length === 0 || isTight || isBelow ? [] : ['']), ...shown)
  }
  return lines
}

function block(token: Token, page: Page): string[] {
  const { width, style } = page
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return wrap(inline(within(token), style), width).map((line) => style.heading(line))
    case 'code':
      if ((token as Tokens.Code).lang === 'plot') return picture((token as Tokens.Code).text, page)
      return (token as Tokens.Code).text.split('\n').map((line) => `    ${style.code(line)}`)
    case 'formulaBlock':
      return mathText(token.latex)
        .split('\n')
        .map((line) => `    ${line}`)
    case 'hr':
      return [style.faint('─'.repeat(Math.min(width, 40)))]
    case 'blockquote': {
      const narrower = { ...page, width: Math.max(NARROWEST, width - 2) }
      return blocks(within(token), narrower).map((line) => style.faint('│ ') + line)
    }
    case 'list':
      return list(token as Tokens.List, page)
    case 'table':
      return table(token as Tokens.Table, style)
    default:
      return wrap(inlineToken(token, style), width)
  }
}

/** A picture's words; the block as it is written where it describes none. */
function picture(source: string, { width, style }: Page): string[] {
  const plot = readPlot(source)
  if (plot) return wrap(`[${plot.text}]`, width).map((line) => style.faint(line))
  return source.split('\n').map((line) => `    ${style.code(line)}`)
}

function list({ items, loose }: Tokens.List, page: Page): string[] {
  return items.flatMap((item, at) => {
    const sign = /^\s*(\d{1,9}[.)])/.exec(item.raw)?.[1] ?? '•'
    const pad = ' '.repeat(sign.length + 1)
    const width = Math.max(NARROWEST, page.width - pad.length)
    const lines = blocks(item.tokens, { ...page, width }, !loose)
    const shown = (lines.length === 0 ? [''] : lines).map(
      (line, i) => (i === 0 ? `${sign} ` : pad) + line,
    )
    return at > 0 && loose ? ['', ...shown] : shown
  })
}

function table({ header, rows }: Tokens.Table, style: Style): string[] {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inline(tokens, style)))
  const widths = header.map((_, i) => Math.max(...cells.map((row) => stringWidth(row[i] ?? ''))))
  const [head = '', ...body] = cells.map((row, r) =>
    row
      .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - stringWidth(cell)))
      .map((cell) => (r === 0 ? style.strong(cell) : cell))
      .join('   '),
  )
  return [
    head,
    style.faint('─'.repeat(widths.reduce((sum, width) => sum + width + 3, -3))),
    ...body,
  ]
}

/** The tokens inside a token, if it has any. */
const within = (token: Token): Token[] => ('tokens' in token && token.tokens) || []

const wrap = (text: string, width: number): string[] => wrapAnsi(text, width).split('\n')

const inline = (tokens: readonly Token[], style: Style): string =>
  tokens.map((token) => inlineToken(token, style)).join('')

function inlineToken(token: Token, style: Style): string {
  switch (token.type) {
    case 'strong':
      return style.strong(inline(within(token), style))
    case 'em':
      return style.emphasis(inline(within(token), style))
    case 'del':
      return style.faint(inline(within(token), style))
    case 'codespan':
      return style.code(token.text)
    case 'formula':
      return shortFormula(mathText(token.latex).replaceAll('\n', '; '))
    case 'br':
      return '\n'
    case 'checkbox':
      return token.checked ? '[x] ' : '[ ] '
    case 'link':
    case 'image': {
      if (isCoursePicture(token.href)) return style.faint(`[${token.text}]`)
      const label = within(token).length > 0 ? inline(within(token), style) : token.text
      return label === '' || token.href.endsWith(label) ? token.href : `${label} (${token.href})`
    }
    case 'escape':
      return token.text
    default:
      return within(token).length > 0
        ? inline(within(token), style)
        : token.raw.replace(/[ \n]+/g, ' ')
  }
}

const shortFormula = (text: string): string =>
  text.length <= SHORT_FORMULA ? text.replaceAll(' ', FIRM_SPACE) : text
