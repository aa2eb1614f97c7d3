import { mathText } from './math-text.ts'
import { FIRM_SPACE, harmless, type Style, visibleWidth, wrap } from './terminal-text.ts'

export interface Page {
  /** Columns. */
  width: number
  style: Style
}

/** Quotes and lists inside each other are told apart to this depth. */
const DEEPEST = 8
const SHORT_FORMULA = 36

/**
 * Markdown with LaTeX as lines for a terminal, no wider than the page but for code and long words. Nothing in the text
 * can steer the terminal. Throws on nothing.
 */
export function renderMarkdown(markdown: string, page: Page): string {
  const lines = harmless(markdown).split('\n')
  return blocks(lines, page, 0).join('\n').replaceAll(FIRM_SPACE, ' ').trimEnd()
}

/** A short text in one line: an option, a label. */
export function renderInline(markdown: string, style: Style): string {
  const text = inline(harmless(markdown).replace(/\s*\n\s*/g, ' '), style)
  return text.replaceAll(FIRM_SPACE, ' ').trim()
}

interface Block {
  lines: string[]
  /** The line after it. */
  end: number
}

type Reader = (lines: readonly string[], at: number, page: Page, depth: number) => Block | null

function blocks(lines: readonly string[], page: Page, depth: number): string[] {
  const out: string[] = []
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at])) {
      at += 1
      continue
    }
    const block = readBlock(lines, at, page, depth)
    const isTight = out.length === 0 || (isItem(lines[at]) && !isBlank(lines[at - 1]))
    out.push(...(isTight ? [] : ['']), ...block.lines)
    at = Math.max(block.end, at + 1)
  }
  return out
}

function readBlock(lines: readonly string[], at: number, page: Page, depth: number): Block {
  for (const read of READERS) {
    const block = read(lines, at, page, depth)
    if (block) return block
  }
  return paragraph(lines, at, page)
}

const READERS: Reader[] = [fence, formula, heading, rule, table, quote, item]

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''
const isItem = (line: string | undefined): boolean => /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line ?? '')
const opensBlock = (line: string): boolean =>
  /^\s*(?:```|~~~|\$\$|\\\[|#{1,6}\s|>)/.test(line) || isItem(line) || isRule(line)
const isRule = (line: string): boolean => /^\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,})$/.test(line)

function fence(lines: readonly string[], at: number, { style }: Page): Block | null {
  const open = /^(\s*)(```+|~~~+)/.exec(lines[at] ?? '')
  if (!open) return null
  const [, indent = '', mark = '```'] = open
  let end = at + 1
  while (end < lines.length && !lines[end]?.trim().startsWith(mark)) end += 1
  const code = lines.slice(at + 1, end).map((line) => {
    const own = line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()
    return `    ${style.code(own)}`
  })
  return { lines: code, end: end + 1 }
}

/** A formula on lines of its own. */
function formula(lines: readonly string[], at: number, page: Page): Block | null {
  const first = (lines[at] ?? '').trim()
  const close = first.startsWith('$$') ? '$$' : first.startsWith('\\[') ? '\\]' : null
  if (close === null) return null
  let end = at
  let body = first.slice(2)
  while (!body.includes(close)) {
    end += 1
    if (end >= lines.length) return null
    body += `\n${lines[end]}`
  }
  const cut = body.indexOf(close)
  const after = body.slice(cut + 2).trim()
  const shown = mathText(body.slice(0, cut)).split('\n')
  const rest = after === '' ? [] : wrap(inline(after, page.style), page.width)
  return { lines: [...shown.map((line) => `    ${line}`), ...rest], end: end + 1 }
}

function heading(lines: readonly string[], at: number, { width, style }: Page): Block | null {
  const found = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/.exec(lines[at] ?? '')
  if (!found) return null
  const text = wrap(inline(found[1] ?? '', style), width)
  return { lines: text.map((line) => style.heading(line)), end: at + 1 }
}

function rule(lines: readonly string[], at: number, { width, style }: Page): Block | null {
  if (!isRule(lines[at] ?? '')) return null
  return { lines: [style.faint('─'.repeat(Math.max(1, Math.min(width, 40))))], end: at + 1 }
}

function table(lines: readonly string[], at: number, { style }: Page): Block | null {
  const isSeparator = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[at + 1] ?? '')
  if (!isSeparator || !lines[at]?.includes('|') || !lines[at + 1]?.includes('|')) return null
  let end = at + 2
  while (end < lines.length && lines[end]?.includes('|')) end += 1
  const rows = [lines[at], ...lines.slice(at + 2, end)].map((line) => cellsOf(line ?? '', style))
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => visibleWidth(row[i] ?? ''))),
  )
  const shown = rows.map((row, r) =>
    row
      .slice(0, widths.length)
      .map((cell, i) => {
        const padded = cell + ' '.repeat(Math.max(0, (widths[i] ?? 0) - visibleWidth(cell)))
        return r === 0 ? style.strong(padded) : padded
      })
      .join('   '),
  )
  const line = style.faint('─'.repeat(widths.reduce((sum, width) => sum + width + 3, -3)))
  return { lines: [shown[0] ?? '', line, ...shown.slice(1)], end }
}

function cellsOf(line: string, style: Style): string[] {
  const inside = line.trim().replace(/^\||\|$/g, '')
  const parts = inside.match(/(?:\\.|`[^`]*`|[^|\\])+|(?<=\|)(?=\|)/g) ?? []
  return parts.map((cell) => inline(cell.trim().replaceAll('\\|', '|'), style))
}

function quote(lines: readonly string[], at: number, page: Page, depth: number): Block | null {
  if (depth >= DEEPEST || !/^\s{0,3}>/.test(lines[at] ?? '')) return null
  let end = at
  while (end < lines.length && /^\s{0,3}>/.test(lines[end] ?? '')) end += 1
  const inside = lines.slice(at, end).map((line) => line.replace(/^\s{0,3}>\s?/, ''))
  const bar = page.style.faint('│ ')
  const shown = blocks(inside, { ...page, width: Math.max(10, page.width - 2) }, depth + 1)
  return { lines: shown.map((line) => bar + line), end }
}

function item(lines: readonly string[], at: number, page: Page, depth: number): Block | null {
  const found = /^(\s*)([-*+]|\d{1,9}[.)])(\s+)(.*)$/.exec(lines[at] ?? '')
  if (!found || depth >= DEEPEST) return null
  const [, lead = '', mark = '-', gap = ' ', first = ''] = found
  const indent = lead.length + mark.length + Math.min(gap.length, 4)
  const inside = [first]
  let end = at + 1
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? ''
    const own = line.length - line.trimStart().length
    const goesOn = isBlank(line)
      ? indentOf(lines[end + 1]) >= indent
      : own >= indent || (!opensBlock(line) && !isBlank(lines[end - 1]))
    if (!goesOn) break
    inside.push(line.slice(Math.min(own, indent)))
  }
  const sign = /\d/.test(mark) ? mark : '•'
  const pad = ' '.repeat(sign.length + 1)
  const width = Math.max(10, page.width - pad.length)
  const shown = blocks(inside, { ...page, width }, depth + 1)
  return { lines: shown.map((line, i) => (i === 0 ? `${sign} ` : pad) + line), end }
}

const indentOf = (line: string | undefined): number =>
  isBlank(line) ? -1 : (line ?? '').length - (line ?? '').trimStart().length

function paragraph(lines: readonly string[], at: number, { width, style }: Page): Block {
  let end = at + 1
  while (end < lines.length && !isBlank(lines[end]) && !opensBlock(lines[end] ?? '')) end += 1
  const text = inline(lines.slice(at, end).join('\n'), style)
  return { lines: text.split('\n').flatMap((line) => wrap(line, width)), end }
}

/** Code, formulas and escaped signs are put aside first, so that their `*` and `_` mean nothing. */
const SET_ASIDE =
  /(?<ticks>`+)(?<code>[^`](?:[\s\S]*?[^`])??)\k<ticks>(?!`)|\$\$(?<double>[^$]+?)\$\$|\\\[(?<square>[\s\S]+?)\\\]|\\\((?<round>[\s\S]+?)\\\)|\$(?!\s)(?<dollar>(?:\\[\s\S]|[^\\$])+?)(?<!\s)\$(?!\d)|\\(?<sign>[!-/:-@[-`{-~])/g

const EMPHASIS: [RegExp, keyof Style][] = [
  [/\*\*(?=\S)([^\n]+?)(?<=\S)\*\*/g, 'strong'],
  [/(?<![\p{L}\d])__(?=\S)([^\n]+?)(?<=\S)__(?![\p{L}\d])/gu, 'strong'],
  [/\*(?=\S)([^*\n]+?)(?<=\S)\*/g, 'emphasis'],
  [/(?<![\p{L}\d_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\p{L}\d_])/gu, 'emphasis'],
  [/~~(?=\S)([^\n]+?)(?<=\S)~~/g, 'faint'],
]

/** One paragraph; its lines are joined, but those that end in two spaces or a backslash. */
function inline(text: string, style: Style): string {
  const aside: string[] = []
  const keep = (shown: string) => `\ue000${aside.push(shown) - 1}\ue001`
  let out = text.replace(SET_ASIDE, (...found) => {
    const groups = found.at(-1) as Record<string, string | undefined>
    if (groups.code !== undefined) return keep(style.code(groups.code.replace(/\n/g, ' ')))
    if (groups.sign !== undefined) return keep(groups.sign)
    const latex = groups.double ?? groups.square ?? groups.round ?? groups.dollar ?? ''
    const shown = mathText(latex).replaceAll('\n', '; ')
    return keep(shown.length <= SHORT_FORMULA ? shown.replaceAll(' ', FIRM_SPACE) : shown)
  })
  out = out
    .replace(/(?: {2,}|\\)\n/g, '\ue002')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/!?\[([^\]\n]*)\]\(([^()\s]*)\)/g, (_, label: string, url: string) =>
      label === '' || label === url ? url : `${label} (${url})`,
    )
  for (const [mark, name] of EMPHASIS) {
    out = out.replace(mark, (_, words: string) => style[name](words))
  }
  return out
    .replaceAll('\ue002', '\n')
    .replace(/\ue000(\d+)\ue001/g, (_, index: string) => aside[Number(index)] ?? '')
}
