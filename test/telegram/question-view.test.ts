import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadCourses } from '../../src/courses/load.ts'
import { showQuestion } from '../../src/telegram/question-view.ts'
import { wordsIn } from '../../src/telegram/words.ts'

const ID = '0b6e1c58-5a3c-4f6f-9a52-0c6a4b1f2a11'
const words = wordsIn('en')
const options = (...texts: string[]) =>
  texts.map((text, index) => ({ id: String.fromCharCode(97 + index), text }))
type Asked = Parameters<typeof showQuestion>[0]
/** As it is shown, unless told without buttons but its options. */
const shown = (question: Omit<Asked, 'id' | 'kind'> & Partial<Pick<Asked, 'kind'>>) => {
  const { pieces, buttons } = showQuestion({ id: ID, kind: 'choice', ...question }, words)
  return { pieces, rows: buttons?.inline_keyboard.map((row) => row.map(({ text }) => text)) }
}

describe('a question in Telegram', () => {
  test('without options has none on buttons', () => {
    expect(shown({ text: 'What is $x^2$?' })).toEqual({ pieces: ['What is x²?'], rows: undefined })
  })

  test('has short options side by side, longer ones below each other', () => {
    expect(shown({ text: 'Which?', options: options('$\\frac{1}{2}$', '$3$', '$4$') })).toEqual({
      pieces: ['Which?'],
      rows: [['a) 1/2', 'b) 3'], ['c) 4']],
    })
    const long = options('an option of some length', 'another one like that')
    expect(shown({ text: 'Which?', options: long }).rows).toEqual([
      ['a) an option of some length'],
      ['b) another one like that'],
    ])
  })

  test('has options in its text that are too long for a button', () => {
    const long = options(
      'Both sides are **divided** by the same number, which is not zero',
      'Nothing',
    )
    expect(shown({ text: 'Why?', options: long })).toEqual({
      pieces: [
        'Why?\n\n<b>a)</b> Both sides are <b>divided</b> by the same number, which is not zero\n\n<b>b)</b> Nothing',
      ],
      rows: [['a', 'b']],
    })
  })

  test('can be passed over, and has hints outside the level check', () => {
    const actions = (kind: Asked['kind'], ...texts: string[]) =>
      shown({ kind, text: 'Which?', ...(texts.length > 0 ? { options: options(...texts) } : {}) })
        .rows
    expect(actions('quiz')).toEqual([['Hint', 'Skip']])
    expect(actions('review', '3', '4', '5')).toEqual([['a) 3', 'b) 4'], ['c) 5'], ['Hint', 'Skip']])
    expect(actions('diagnostic', '3')).toEqual([['a) 3'], ['I don’t know']])
  })

  test('that goes on or stops has words on its buttons', () => {
    const choice = [
      { id: 'go_on', text: 'Go on' },
      { id: 'stop', text: 'Enough for now' },
    ]
    expect(shown({ text: 'Shall we?', options: choice }).rows).toEqual([
      ['Go on'],
      ['Enough for now'],
    ])
  })

  test('that wants a program shows what is there, and how it is sent', () => {
    const program = {
      language: 'python' as const,
      starter: 'def double(x):\n    ...',
      examples: [{ input: 'double(2)', output: '4' }],
    }
    expect(shown({ text: 'Write `double`.', program }).pieces).toEqual([
      'Write <code>double</code>.',
      '<pre><code class="language-python">def double(x):\n    ...</code></pre>\n\n• Input <code>double(2)</code> → <code>4</code>\n\nWrite your program and send it as one message.',
    ])
  })
})

test('every question of the courses fits: 64 bytes on a button, 4,096 characters in a message', async () => {
  const courses = await loadCourses(resolve(import.meta.dirname, '../../courses'))
  const questions = courses.flatMap(({ units }) => units.flatMap((unit) => unit.questions))
  expect(questions.length).toBeGreaterThan(200)
  for (const question of questions) {
    const offered = question.format === 'multiple_choice' ? { options: question.options } : {}
    const { pieces, buttons } = showQuestion(
      { id: ID, kind: 'quiz', text: question.text, ...offered },
      words,
    )
    expect(pieces.length).toBeGreaterThan(0)
    for (const piece of pieces) expect(piece.length).toBeLessThan(4_096)
    for (const button of buttons?.inline_keyboard.flat() ?? []) {
      expect(button.text.trim()).not.toBe('')
      expect(
        'callback_data' in button && Buffer.byteLength(button.callback_data),
      ).toBeLessThanOrEqual(64)
    }
  }
})
