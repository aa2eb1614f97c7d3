import { describe, expect, test } from 'vitest'
import { type AnkiQuestion, ankiNotes, ankiText } from '../../../src/domain/anki/notes.ts'
import { richText } from '../../../src/domain/anki/rich-text.ts'

describe('the HTML of a field', () => {
  test.each([
    ['Solve $2x = 4$', '<p>Solve \\(2x = 4\\)</p>'],
    ['So:\n\n$$x < 1$$', '<p>So:</p>\n<p>\\[x &lt; 1\\]</p>'],
    ['as \\(x^2\\) or \\[y_1\\]', '<p>as \\(x^2\\) or \\[y_1\\]</p>'],
    ['$a_1 * b_2 * c$ and *so*', '<p>\\(a_1 * b_2 * c\\) and <em>so</em></p>'],
    ['It costs $5 and $10.', '<p>It costs $5 and $10.</p>'],
    ['It costs \\$5, or $p$', '<p>It costs $5, or \\(p\\)</p>'],
    ['`$HOME` is no formula', '<p><code>$HOME</code> is no formula</p>'],
    ['$x$$', '<p>\\(x\\)$</p>'],
    [
      '```python\nif a < b:\n    print("$x$")\n```',
      '<pre><code class="language-python">if a &lt; b:\n    print(&quot;$x$&quot;)\n</code></pre>',
    ],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['[here](javascript:alert(1))', '<p>here</p>'],
    ['one\ntwo', '<p>one<br>two</p>'],
  ])('of %j', (markdown, html) => {
    expect(richText(markdown)).toBe(html)
  })
})

const QUESTION: AnkiQuestion = {
  text: 'What is $1 + 1$?',
  options: ['two', '$3$'],
  answer: 'two',
  solution: 'Count "on".',
  topic: 'Linear equations',
  courseId: 'algebra-basics',
  unitId: 'ALG-01',
  concept: 'Adding up',
}
const note = (more: Partial<AnkiQuestion> = {}) => ankiNotes([{ ...QUESTION, ...more }])[0]

test('a note shows its options, and stands in the deck and under the tags of its topic', () => {
  expect(note()).toMatchObject({
    deck: 'Meno::Linear equations',
    fields: [
      '<p>What is \\(1 + 1\\)?</p>',
      '<ol><li>two</li><li>\\(3\\)</li></ol>',
      '<p>two</p>',
      '<p>Count &quot;on&quot;.</p>',
    ],
    tags: ['meno', 'topic::linear-equations', 'concept::adding-up', 'unit::algebra-basics::alg-01'],
  })
})

test('a topic with colons makes no further decks', () => {
  expect(note({ topic: 'Ada::Lovelace: "a life"' })?.deck).toBe('Meno::Ada:Lovelace:  a life')
})

test('the same question is the same note, in whichever order its options; another one is not', () => {
  const { options } = QUESTION
  expect(note({ options: [...(options ?? [])].reverse(), topic: 'Else' })?.guid).toBe(note()?.guid)
  expect(note({ options: null })?.guid).not.toBe(note()?.guid)
  expect(note({ text: 'What?' })?.guid).not.toBe(note()?.guid)
  expect(ankiNotes([QUESTION, { ...QUESTION, topic: 'Else' }])).toHaveLength(1)
})

test('as text, a note is a row with what Anki’s importer needs', () => {
  const text = ankiText(ankiNotes([QUESTION]))
  const rows = text.split('\n')
  expect(rows.slice(0, 6)).toEqual([
    '#separator:tab',
    '#html:true',
    '#notetype:Basic',
    '#guid column:1',
    '#deck column:2',
    '#tags column:5',
  ])
  expect(rows[6]).toBe(
    [
      `"${note()?.guid}"`,
      '"Meno::Linear equations"',
      '"<p>What is \\(1 + 1\\)?</p><ol><li>two</li><li>\\(3\\)</li></ol>"',
      '"<p>two</p><p>Count &quot;on&quot;.</p>"',
      '"meno topic::linear-equations concept::adding-up unit::algebra-basics::alg-01"',
    ].join('\t'),
  )
})
