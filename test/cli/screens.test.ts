import { PassThrough, Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { createPipedScreen } from '../../src/cli/piped-screen.ts'
import { createTerminalScreen } from '../../src/cli/terminal-screen.ts'

function fakeTerminal() {
  let written = ''
  const output = new Writable({
    write: (piece, _encoding, done) => {
      written += String(piece)
      done()
    },
  })
  Object.assign(output, { columns: 60, rows: 20, hasColors: () => false })
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  let left = 0
  const screen = createTerminalScreen(
    input as unknown as ReadStream,
    output as unknown as WriteStream,
    () => {
      left += 1
    },
  )
  const type = async (keys: string) => {
    input.write(keys)
    await new Promise(setImmediate)
  }
  return { screen, type, left: () => left, text: () => stripVTControlCharacters(written) }
}

it('takes a line only when the learner is invited; what was typed ahead waits in the prompt', async () => {
  const { screen, type, text } = fakeTerminal()
  screen.invite('Lesson')
  screen.working('Thinking')
  await type('12\r')
  expect(screen.takeLine()).toBeUndefined()
  expect(text()).not.toContain('12')
  screen.invite('Quiz')
  expect(text()).toMatch(/Quiz\n> 12$/)
  await type('3\r')
  expect(screen.takeLine()).toBe('123')
  expect(screen.takeLine()).toBeUndefined()
  screen.close()
})

it('prints above the prompt and keeps what is being typed', async () => {
  const { screen, type, text } = fakeTerminal()
  screen.invite('Lesson')
  await type('x = ')
  screen.print('Time to review.')
  expect(text()).toMatch(/Time to review\.\n\nLesson\n> x = $/)
  await type('4\r')
  expect(screen.takeLine()).toBe('x = 4')
  screen.close()
})

it('shows a growing draft only as long as nothing else is said', () => {
  const { screen, text } = fakeTerminal()
  screen.working('Writing', 'A **half** sent')
  expect(text()).toContain('A half sent')
  screen.print('A half sentence, whole.')
  expect(text().endsWith('\nA half sentence, whole.\n')).toBe(true)
  screen.close()
})

it('leaves at Ctrl-C, also while the tutor works', async () => {
  const { screen, type, left } = fakeTerminal()
  screen.invite('Lesson')
  screen.working('Thinking')
  await type('\x03')
  expect(left()).toBe(1)
  screen.close()
  expect(left()).toBe(1)
})

it('gives piped lines one by one and knows their end', async () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const screen = createPipedScreen(input, output, new PassThrough())
  let told = 0
  screen.onInput(() => {
    told += 1
  })
  input.end('one\ntwo\n')
  await expect.poll(() => told).toBe(3)
  expect([screen.takeLine(), screen.hasEnded(), screen.takeLine(), screen.hasEnded()]).toEqual([
    ...['one', false, 'two', true],
  ])
  screen.print('first')
  screen.print('second')
  expect(String(output.read())).toBe('first\n\nsecond\n')
})
