import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Screen } from './screen.ts'
import { PLAIN } from './terminal-text.ts'

const COLUMNS = 80
const SAID_AFTER_MS = 2_000

/** Plain lines in and out, for scripts and tests; what is only being waited for goes to `notes`. */
export function createPipedScreen(input: Readable, output: Writable, notes: Writable): Screen {
  const lines: string[] = []
  let ended = false
  let listener = () => {}
  let isFirst = true
  let waitingSince: number | null = null
  let said = ''
  const reader = createInterface({ input, terminal: false })
  reader.on('line', (line) => {
    lines.push(line)
    listener()
  })
  reader.on('close', () => {
    ended = true
    listener()
  })
  return {
    isInteractive: false,
    page: () => ({ width: COLUMNS, style: PLAIN }),
    print: (text) => {
      output.write(isFirst ? `${text}\n` : `\n${text}\n`)
      isFirst = false
    },
    working: (what) => {
      const now = Date.now()
      waitingSince ??= now
      if (now - waitingSince < SAID_AFTER_MS || what === said) return
      said = what
      notes.write(`${what} …\n`)
    },
    invite: () => {
      waitingSince = null
    },
    quiet: () => {
      waitingSince = null
    },
    takeLine: () => lines.shift(),
    edit: async () => null,
    hasEnded: () => ended && lines.length === 0,
    onInput: (on) => {
      listener = on
    },
    close: () => reader.close(),
  }
}
