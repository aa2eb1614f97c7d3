import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

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

/** The text cut to `width` columns. */
export function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  const [cut = ''] = wrapAnsi(text, width - 1, { hard: true, wordWrap: false }).split('\n')
  return `${cut}…`
}
