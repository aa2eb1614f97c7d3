import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { editorCommand, editText } from '../../src/cli/edit-text.ts'
import type { Screen } from '../../src/cli/screen.ts'
import type { Talk } from '../../src/cli/talk.ts'
import { PLAIN } from '../../src/cli/terminal-text.ts'
import { programText, writeProgram } from '../../src/cli/write-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'meno-editor-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = {
  language: 'python' as const,
  starter: 'def add(a, b):\n    ...\n',
  examples: [{ input: 'add(1, 2)', output: '3' }],
}

/** A talk at a question that asks for a program; `edit` is what the editor makes of a text. */
function talkAt(edit: (text: string) => string | null = () => null) {
  const opened: string[] = []
  const printed: string[] = []
  const screen = {
    isInteractive: true,
    page: () => ({ width: 60, style: PLAIN }),
    print: (text: string) => printed.push(text),
    edit: async (text: string) => {
      opened.push(text)
      return edit(text)
    },
  } as unknown as Screen
  const arc = { pendingQuestion: { id: 'q', program } }
  const talk = { arc, screen, program: { questionId: 'q', lines: [], sent: null } }
  return { talk: talk as unknown as Talk, opened, printed }
}

describe('a program in the terminal', () => {
  it('is written in the editor, which opens with the starter, and then with what was sent', async () => {
    const { talk, opened } = talkAt((text) => text.replace('...', 'return a + b'))
    expect(await writeProgram(talk, '')).toEqual({
      text: '```python\ndef add(a, b):\n    return a + b\n```',
    })
    await writeProgram(talk, '')
    expect(opened).toEqual([program.starter, 'def add(a, b):\n    return a + b\n'])
  })

  it('is written line by line where there is no editor, and keeps its blanks', async () => {
    const { talk, printed } = talkAt()
    expect(await writeProgram(talk, '')).toBe('more')
    expect(printed[0]).toContain('No editor')
    for (const line of ['def add(a, b):', '    c = a + b', '', '    return c']) {
      expect(await writeProgram(talk, line)).toBe('more')
    }
    expect(await writeProgram(talk, '.')).toEqual({
      text: '```python\ndef add(a, b):\n    c = a + b\n\n    return c\n```',
    })
  })

  test.each(['hint', '/skip', 'show me', '/quit', '/help'])('leaves %j to others', async (line) => {
    const { talk } = talkAt()
    expect(await writeProgram(talk, line)).toBeNull()
  })

  it('is not meant where no program is asked for', async () => {
    const { talk } = talkAt()
    talk.arc = { ...talk.arc, pendingQuestion: null }
    expect(await writeProgram(talk, 'print(1)')).toBeNull()
  })

  it('is told with its examples and how it is written', () => {
    const { talk } = talkAt()
    const text = programText(program, talk.screen)
    for (const part of ['add(1, 2)', '    3', 'def add(a, b):', '$EDITOR', '"."']) {
      expect(text).toContain(part)
    }
  })
})

describe('the editor', () => {
  test.each([
    [{}, null],
    [{ EDITOR: '' }, null],
    [{ EDITOR: 'nano' }, 'nano'],
    [{ EDITOR: 'nano', VISUAL: 'code --wait' }, 'code --wait'],
  ])('that %j names is %j', (env, command) => expect(editorCommand(env)).toBe(command))

  it('is given the text in a file, and what it leaves there comes back', async () => {
    const seen = join(folder, 'seen')
    const script = join(folder, 'an editor')
    writeFileSync(script, `#!/bin/sh\ncat "$2" > '${seen}'\necho "print($1)" >> "$2"\n`)
    chmodSync(script, 0o700)
    expect(await editText(`'${script}' 7`, 'x = 1\n')).toBe('x = 1\nprint(7)\n')
    expect(readFileSync(seen, 'utf8')).toBe('x = 1\n')
  })

  test.each(['false', '/no/such/editor'])('%j that fails brings nothing', async (command) => {
    expect(await editText(command, 'x = 1')).toBeNull()
  })
})
