import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DOMParser, type Node, onErrorStopParsing } from '@xmldom/xmldom'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { plainLine, telegramHtml } from '../../src/markup/telegram-html.ts'

/** The marks of https://core.telegram.org/bots/api#html-style that are used. */
const MARKS = ['b', 'i', 's', 'code', 'pre', 'a', 'blockquote']

/** What Telegram would show, by another parser than ours; throws where it would refuse the text. */
function shown(html: string): string {
  const strict = new DOMParser({ onError: onErrorStopParsing })
  const root = strict.parseFromString(`<message>${html}</message>`, 'text/xml').documentElement
  const check = (node: Node): void => {
    if (node.nodeType === 1 && !MARKS.includes(node.nodeName)) throw new Error(node.nodeName)
    for (const child of node.childNodes) check(child)
  }
  for (const child of root?.childNodes ?? []) check(child)
  return root?.textContent ?? ''
}

describe('Markdown for Telegram', () => {
  it.each([
    ['**Right.** *Well* done, `x = 1`', '<b>Right.</b> <i>Well</i> done, <code>x = 1</code>'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['<b>not ours</b>', '&lt;b&gt;not ours&lt;/b&gt;'],
    ['so $x_1 < 3$ and $\\frac{1}{2}$', 'so x₁ &lt; 3 and 1/2'],
    ['# Title', '<b>Title</b>'],
    ['one\n\ntwo', 'one\n\ntwo'],
    ['- a\n- **b**\n  1. c', '• a\n• <b>b</b>\n    1. c'],
    ['3. three\n4. four', '3. three\n4. four'],
    ['[here](https://example.org/?a=1&b=2)', '<a href="https://example.org/?a=1&amp;b=2">here</a>'],
    ['[here](javascript:alert(1))', 'here'],
    [
      '```python\nif a < b:\n    pass\n```',
      '<pre><code class="language-python">if a &lt; b:\n    pass</code></pre>',
    ],
    ['> quoted', '<blockquote>quoted</blockquote>'],
    ['> outer\n>\n> > inner', '<blockquote>outer\n\ninner</blockquote>'],
    [
      '```plot\nkind: numberline\nrange: [0, 5]\ntext: Zero to five.\n```',
      '<i>[Zero to five.]</i>',
    ],
    ['![Cells: <3>](/api/courses/sums/pictures/list.svg)', '<i>[Cells: &lt;3&gt;]</i>'],
    ['![it](https://example.org/i.png)', 'it'],
    ['| a | b |\n|---|---|\n| 10 | $x^2$ |', '<pre>a   b\n──────\n10  x²</pre>'],
  ])('%j is %j', (markdown, html) => {
    expect(telegramHtml(markdown)).toEqual([html])
    expect(() => shown(html)).not.toThrow()
  })

  it('is nothing where there is nothing', () => {
    expect(telegramHtml(' \n ')).toEqual([])
  })

  it('divides a long text between its paragraphs', () => {
    const paragraphs = Array.from({ length: 9 }, (_, i) => `${i} ${'word '.repeat(200)}`.trim())
    const pieces = telegramHtml(paragraphs.join('\n\n'))
    expect(pieces.join('\n\n')).toBe(paragraphs.join('\n\n'))
    expect(pieces.length).toBe(3)
  })

  it.each([
    ['a paragraph', 'word '.repeat(3_000)],
    ['a word', 'a'.repeat(10_000)],
    ['what is set off', `**${'strong word '.repeat(1_000)}**`],
    ['code', `\`\`\`\n${'print(a < b)\n'.repeat(1_000)}\`\`\``],
    ['signs that are written longer', '<'.repeat(5_000)],
    ['a list', '- an item of some length\n'.repeat(500)],
    ['astral characters', '𝒙'.repeat(5_001)],
  ])('divides %s that is too long, and loses no letter', (_, markdown) => {
    const pieces = telegramHtml(markdown)
    for (const piece of pieces) expect(piece.length).toBeLessThan(4_096)
    const letters = (text: string) => text.replace(/[^\p{L}<]/gu, '')
    expect(letters(pieces.map(shown).join(''))).toBe(letters(markdown))
  })

  it('is always what Telegram can read, and short enough', () => {
    const piece = fc.constantFrom(
      ...['**', '*', '_', '`', '```\n', '$', '\\[', '\\]', '<', '&', '>', '> ', '- ', '1. ', '# '],
      ...[
        '[a](http://b)',
        '|',
        '\n',
        '\n\n',
        '|a|b|\n|-|-|\n',
        'word ',
        '\\frac{1}{2}',
        '~~',
        '\t',
      ],
      ...['x'.repeat(1_500), '\ud83d', '\u0000'],
    )
    const text = fc.array(piece, { maxLength: 40 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, (markdown) => {
        for (const html of telegramHtml(markdown)) {
          expect(() => shown(html)).not.toThrow()
          expect(html.length).toBeLessThan(4_096)
        }
      }),
      { seed: 42, numRuns: 1_000 },
    )
  })
})

test.each([
  ['$2\\frac{1}{2}$ **apples**', '2 1/2 apples'],
  ['`print(x)`', 'print(x)'],
  ['a\nb', 'a b'],
])('a button says %j as %j', (markdown, text) => {
  expect(plainLine(markdown)).toBe(text)
})

describe('the formulas of the courses', () => {
  const folder = path.resolve(import.meta.dirname, '../../courses')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:md|yml)$/.test(name),
  )
  const sources = files.map((file) => readFileSync(path.join(folder, file), 'utf8'))
  const written = sources.flatMap((source) =>
    [...source.matchAll(/\$\$[^$]+\$\$|\$(?!\s)[^$\n]+(?<!\s)\$(?!\d)/g)].map(([found]) => found),
  )
  const formulas = [...new Set(written)]

  it('are many', () => {
    expect(formulas.length).toBeGreaterThan(2_000)
  })

  it('come out without a backslash or a brace', () => {
    const unread = formulas.filter((formula) => /[\\{}$]/.test(telegramHtml(formula).join('')))
    expect(unread).toEqual([])
  })
})
