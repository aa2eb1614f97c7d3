import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import stringWidth from 'string-width'
import { editorCommand, editText } from './edit-text.ts'
import { renderMarkdown } from './render-markdown.ts'
import type { Screen } from './screen.ts'
import { COLOURED, cutTo, PLAIN } from './terminal-text.ts'

const WIDEST = 88
const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']
const FRAME_MS = 100
const SECONDS_AFTER_MS = 2_000
const SIGN = '> '
/** Lines of the prompt above what is typed: an empty one and the status. */
const ABOVE = 2

/**
 * A terminal: the conversation scrolls up, and below it stands either the prompt or what is being waited for. What is
 * typed while the learner is not invited waits in the prompt. `onLeave` is told of Ctrl-C and Ctrl-D.
 */
export function createTerminalScreen(
  input: ReadStream,
  output: WriteStream,
  onLeave: () => void,
): Screen {
  const style = output.hasColors() ? COLOURED : PLAIN
  const page = () => ({ width: Math.max(20, Math.min(WIDEST, output.columns - 1)), style })
  const lower = createLowerPart(output, page)
  let prompt: Prompt | null = null
  let listener = () => {}
  const open = () => {
    prompt ??= createPrompt(input, output, () => listener(), onLeave)
    return prompt
  }
  return {
    isInteractive: true,
    page,
    print: (text) => {
      lower.clear()
      prompt?.above(() => output.write(`\n${text}\n`))
      if (!prompt) output.write(`\n${text}\n`)
    },
    working: (what, draft = '') => {
      prompt?.hide()
      lower.show(what, draft)
    },
    invite: (status) => {
      lower.clear()
      open().show(cutTo(status, page().width))
    },
    quiet: () => {
      lower.clear()
      prompt?.hide()
    },
    takeLine: () => prompt?.takeLine(),
    hasEnded: () => false,
    edit: async (text) => {
      const command = editorCommand(process.env)
      if (command === null) return null
      lower.clear()
      prompt?.close()
      prompt = null
      return editText(command, text)
    },
    onInput: (on) => {
      listener = on
    },
    close: () => {
      lower.clear()
      prompt?.close()
      prompt = null
    },
  }
}

/** The lines below the conversation that are written over and over: the draft and what is being waited for. */
function createLowerPart(output: WriteStream, page: Screen['page']) {
  let shown = 0
  let frame = 0
  let since = 0
  let what = ''
  let draft = ''
  let timer: NodeJS.Timeout | null = null
  // Line by line: some terminals keep in their history what is erased all at once.
  const erase = () => {
    if (shown > 0) output.write(`${up(shown)}\r${'\x1b[K\n'.repeat(shown)}${up(shown)}`)
    shown = 0
  }
  const draw = () => {
    const { width, style } = page()
    const written = draft === '' ? [] : renderMarkdown(draft, page()).split('\n')
    const room = Math.max(3, output.rows - 4)
    const passed = Date.now() - since
    const seconds = passed < SECONDS_AFTER_MS ? '' : ` (${Math.round(passed / 1000)} s)`
    const status = style.faint(cutTo(`${FRAMES[frame]} ${what} …${seconds}`, width))
    frame = (frame + 1) % FRAMES.length
    const lines = ['', ...written.slice(-room).map((line) => cutTo(line, width))]
    if (written.length > 0) lines.push('')
    const back = shown > 0 ? `${up(shown)}\r` : ''
    output.write(`${back}${[...lines, status].map((line) => `${line}\x1b[K\n`).join('')}\x1b[J`)
    shown = lines.length + 1
  }
  return {
    show: (nextWhat: string, nextDraft: string) => {
      what = nextWhat
      draft = nextDraft
      if (timer) return
      since = Date.now()
      output.write('\x1b[?25l')
      draw()
      timer = setInterval(draw, FRAME_MS)
    },
    clear: () => {
      if (!timer) return
      clearInterval(timer)
      timer = null
      erase()
      output.write('\x1b[?25h')
    },
  }
}

type Prompt = ReturnType<typeof createPrompt>

function createPrompt(
  input: ReadStream,
  output: WriteStream,
  onLine: () => void,
  onLeave: () => void,
) {
  const lines: string[] = []
  let status: string | null = null
  const reader = createInterface({
    input,
    output: curtain(output, () => status !== null),
    terminal: true,
    historySize: 100,
  }) as Interface & { prevRows: number }
  reader.on('line', (line) => {
    if (status === null) {
      // Typed ahead, perhaps to another question than the next one: it waits to be sent.
      reader.write(line)
      return
    }
    const rows = Math.floor((SIGN.length + stringWidth(line)) / output.columns) + 1
    status = null
    output.write(`${up(rows + ABOVE)}\r\x1b[J${line.trim() === '' ? '' : `\n${SIGN}${line}\n`}`)
    lines.push(line)
    onLine()
  })
  reader.on('SIGINT', onLeave)
  reader.on('close', onLeave)
  const hide = () => {
    if (status === null) return
    output.write(`${up(reader.getCursorPos().rows + ABOVE)}\r\x1b[J`)
    reader.prevRows = 0
    status = null
  }
  const show = (next: string) => {
    if (status === next) return
    hide()
    status = next
    output.write(`\n${next}\n`)
    reader.setPrompt(SIGN)
    reader.prevRows = 0
    reader.prompt(true)
  }
  return {
    show,
    hide,
    /** Writes above the prompt, which is then put below again. */
    above: (write: () => void) => {
      const before = status
      hide()
      write()
      if (before !== null) show(before)
    },
    takeLine: () => lines.shift(),
    close: () => {
      hide()
      reader.off('close', onLeave)
      reader.close()
    },
  }
}

const up = (rows: number): string => `\x1b[${rows}A`

/** The terminal as the line editor sees it; while the curtain is down nothing gets through. */
function curtain(output: WriteStream, isUp: () => boolean): Writable {
  const shown = new Writable({
    write: (piece, _encoding, done) => {
      if (isUp()) output.write(piece)
      done()
    },
  })
  Object.defineProperties(shown, {
    columns: { get: () => output.columns },
    rows: { get: () => output.rows },
  })
  output.on('resize', () => shown.emit('resize'))
  return shown
}
