import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { renderInline, renderMarkdown } from '../../src/cli/render-markdown.ts'
import { COLOURED, PLAIN } from '../../src/cli/terminal-text.ts'
import { loadCourses } from '../../src/courses/load.ts'

const page = { width: 40, style: PLAIN }
const lines = (markdown: string, width = 40) =>
  renderMarkdown(markdown, { width, style: PLAIN }).split('\n')

describe('Markdown in a terminal', () => {
  it.each([
    ['**Right.** *Well* done, `x = 1`', 'Right. Well done, x = 1'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['$5 and $7', '$5 and $7'],
    ['so $x_1 = 3$ and $y$', 'so x₁ = 3 and y'],
    ['\\(a^2\\) and \\[b^2\\]', 'a² and b²'],
    ['\\*not strong\\*', '*not strong*'],
    ['`$x$` is code, so is ``a ` b``', '$x$ is code, so is a ` b'],
    ['`7`, `0`', '7, 0'],
    ['[here](https://example.org)', 'here (https://example.org)'],
    ['# Title #', 'Title'],
    ['```python\nprint(1)  # **no**\n```', '    print(1)  # **no**'],
    ['```plot\nkind: numberline\nrange: [0, 5]\ntext: Zero to five.\n```', '[Zero to five.]'],
    ['![Cells: [3]](/api/courses/sums/pictures/a-list.svg)', '[Cells: [3]]'],
    ['![it](https://example.org/i.png)', 'it (https://example.org/i.png)'],
    ['```plot\nkind: pie\n```', '    kind: pie'],
    ['> quoted', '│ quoted'],
  ])('%j reads %j', (markdown, text) => {
    expect(renderMarkdown(markdown, { ...page, width: 80 })).toBe(text)
  })

  it('wraps prose at words and keeps short formulas whole', () => {
    expect(lines('one two three $a + b = c$ four', 20)).toEqual(['one two three', 'a + b = c four'])
  })

  it('indents what a list item goes on with, and nests', () => {
    expect(lines('1. first item that is long\n   - inner\n2. second', 20)).toEqual([
      '1. first item that',
      '   is long',
      '   • inner',
      '2. second',
    ])
  })

  it('sets a formula of its own apart from the words around it', () => {
    expect(lines('so\n$$\nx = \\frac{1}{2}\n$$\nand on')).toEqual([
      ...['so', '', '    x = 1/2', '', 'and on'],
    ])
  })

  it('aligns a table', () => {
    expect(lines('| a | long |\n|---|:--:|\n| `x` | 1 |\n| yy | 2 |')).toEqual([
      ...['a    long', '─────────', 'x    1   ', 'yy   2'],
    ])
  })

  it('sets words off with colours where there are any', () => {
    expect(renderInline('**a** `b`', COLOURED)).toBe('\x1b[1ma\x1b[22m \x1b[36mb\x1b[39m')
  })

  it('lets no text steer the terminal', () => {
    const text = renderMarkdown('a\x1b[2Jb\x07\x9b31mc\u202ed \x1b]0;title\x07', page)
    expect(text).toMatch(/^abc?.*d/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  })
})

it('throws on nothing and is steered by nothing', () => {
  const piece = fc.constantFrom(
    ...['**', '*', '_', '`', '```', '$', '$$', '\\[', '\\(', '\n', '\n\n', '- ', '1. ', '> ', '| '],
    ...['|---|', '# ', ' ', '   ', 'word', '漢字', '\x1b[31m', '\\frac{1}{2}', '](', '[', '\ue000'],
  )
  const markdown = fc.oneof(
    fc.array(piece, { maxLength: 80 }).map((all) => all.join('')),
    fc.string({ unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(markdown, (text) => {
      const shown = renderMarkdown(text, { width: 30, style: COLOURED })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
      expect(stripVTControlCharacters(shown)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
    }),
    { seed: 42, numRuns: 2_000 },
  )
})

it.each(['>', '1. ', '- ', '[', '$', '**'])('stands %j thousands of times', (piece) => {
  expect(() => renderMarkdown(piece.repeat(3_000), page)).not.toThrow()
})

it('keeps words within the width and loses none', () => {
  const word = fc.stringMatching(/^[a-z漢]{1,10}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (words) => {
      const shown = renderMarkdown(words.join(' '), { width: 25, style: PLAIN })
      expect(shown.split(/\s/)).toEqual(words)
      for (const line of shown.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(25)
    }),
    { seed: 42, numRuns: 500 },
  )
})

const courses = await loadCourses(resolve(import.meta.dirname, '../../courses'))
const algebra = courses.find(({ courseId }) => courseId === 'algebra-basics')

/** Every text of the course in which a formula stands. */
function textsWithFormulas(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('$') ? [value] : []
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsWithFormulas)
}

it('leaves no LaTeX in any text of the algebra course', () => {
  const texts = textsWithFormulas(algebra)
  expect(texts.length).toBeGreaterThan(500)
  for (const text of texts) {
    const shown = renderMarkdown(text, { width: 80, style: PLAIN })
    expect(shown, text).not.toMatch(/\\[a-zA-Z]|\$|\\\\/)
    for (const line of shown.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(80)
  }
})
