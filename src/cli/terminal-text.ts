import { stripVTControlCharacters } from 'node:util'

/** How words are set off; `plain` leaves them as they are. */
export interface Style {
  strong(text: string): string
  emphasis(text: string): string
  code(text: string): string
  heading(text: string): string
  faint(text: string): string
  good(text: string): string
  warning(text: string): string
}

const ansi =
  (on: string, off: number) =>
  (text: string): string =>
    text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`
const same = (text: string): string => text

export const COLOURED: Style = {
  strong: ansi('1', 22),
  emphasis: ansi('3', 23),
  code: ansi('36', 39),
  heading: (text) => `\x1b[1;36m${text}\x1b[22;39m`,
  faint: ansi('90', 39),
  good: ansi('32', 39),
  warning: ansi('33', 39),
}

export const PLAIN: Style = {
  strong: same,
  emphasis: same,
  code: same,
  heading: same,
  faint: same,
  good: same,
  warning: same,
}

/** A space at which no line is broken; it is written as a space. */
export const FIRM_SPACE = '\u00a0'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ue000-\uf8ff]/g

/** Text that cannot steer a terminal: no escapes, no control or direction characters; `\n` stays. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, '\n'))
    .replace(/\t/g, '    ')
    .replace(CONTROLS, '')
}

/** The same on one line. */
export const oneLine = (text: string): string => harmless(text).replace(/\s+/g, ' ').trim()

const ZERO_WIDTH = /^(?:\p{M}|[\u200b-\u200d])$/u
const DOUBLE_WIDTH =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]$/u

/** Columns that the text takes on a terminal; colours take none. */
export function visibleWidth(text: string): number {
  let width = 0
  for (const sign of stripVTControlCharacters(text)) {
    if (!ZERO_WIDTH.test(sign)) width += DOUBLE_WIDTH.test(sign) ? 2 : 1
  }
  return width
}

/** One line of words as lines of at most `width` columns; a longer word has a line of its own. */
export function wrap(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  let used = 0
  for (const word of line.split(' ').filter((word) => word !== '')) {
    const needed = visibleWidth(word)
    if (current !== '' && used + 1 + needed > width) {
      lines.push(current)
      current = word
      used = needed
    } else {
      used += needed + (current === '' ? 0 : 1)
      current = current === '' ? word : `${current} ${word}`
    }
  }
  return [...lines, current]
}

/** The text cut to `width` columns; colours are lost where it is cut. */
export function cutTo(text: string, width: number): string {
  if (visibleWidth(text) <= width) return text
  let cut = ''
  let used = 1
  for (const sign of stripVTControlCharacters(text)) {
    used += visibleWidth(sign)
    if (used > width) break
    cut += sign
  }
  return `${cut}…`
}
