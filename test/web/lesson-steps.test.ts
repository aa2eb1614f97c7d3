import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Unit } from '../../src/contracts/course-pack.ts'
import { LANGUAGES } from '../../src/domain/language/languages.ts'
import { workedExample } from '../../src/tutor/offline/explanations.ts'
import { lessonSteps } from '../../web/markdown/lesson-steps.ts'

const long = (word: string) => `${word} `.repeat(200).trim()
const textsOf = (text: string) => lessonSteps(text).map((step) => step.text)
const linesOf = (text: string) => lessonSteps(text).filter(({ isLine }) => isLine)

it('cuts a lesson at its headings, and keeps a title with what it is the title of', () => {
  const parts = [`### Lists\n\n## What they are\n\n${long('a')}`, `## How\n\n${long('b')}`]
  expect(textsOf([...parts, `#### Last\n${long('c')}`].join('\n\n'))).toEqual([
    ...parts,
    `#### Last\n${long('c')}`,
  ])
})

it('does not take a comment in a program for a heading', () => {
  const program = `## One\n\n\`\`\`python\n# a comment\n${'x = 1\n'.repeat(300)}\`\`\``
  expect(textsOf(program)).toEqual([program])
})

it('leaves a short text whole', () => {
  expect(lessonSteps('## a\n\nb\n\n## c\n\nd')).toHaveLength(1)
})

it('loses nothing of what is said', () => {
  const line = fc.constantFrom(
    ...['## head', '# top', 'words', '', '```', '- item', '    indented', '1. one', '2. two'],
    ...['**Worked example.** Add.', '**Answer:** 3', '### An example'],
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const text = `${lines.join('\n')}\n${long('z')}\n${'more words '.repeat(90)}`
      const said = (all: string) =>
        all
          .split('\n')
          .map((one) => one.trim())
          .filter(Boolean)
      expect(said(textsOf(text).join('\n'))).toEqual(said(text))
    }),
  )
})

const EXAMPLE = `**Worked example.** Work out $8 - 2 \\cdot 3$.

1. The product first: $2 \\cdot 3 = 6$.
2. Then the difference.

   It is small.

**Answer:** $2$`

it('shows of a worked example the problem first, and its lines one by one', () => {
  const lesson = `### Order\n\n${long('a')}\n\n## Signs\n\n${long('b')}`
  expect(lessonSteps(`${lesson}\n\n${EXAMPLE}`).slice(1)).toEqual([
    { text: `## Signs\n\n${long('b')}`, isLine: false },
    { text: '**Worked example.** Work out $8 - 2 \\cdot 3$.', isLine: false },
    { text: '1. The product first: $2 \\cdot 3 = 6$.', isLine: true },
    { text: '2. Then the difference.\n\n   It is small.\n\n**Answer:** $2$', isLine: true },
  ])
})

it('finds a worked example in a short text, under a heading, and in German', () => {
  expect(linesOf(EXAMPLE)).toHaveLength(2)
  expect(
    linesOf('## A worked example\n\nAdd 1 and 2.\n\n1. Begin at 1.\n2. Go 2 up.'),
  ).toHaveLength(2)
  expect(linesOf('**Beispiel:** $1 + 2$\n\n1) Von 1 aus.\n2) Zwei weiter.')).toHaveLength(2)
})

it('takes no other list for a worked example', () => {
  expect(linesOf('## The order\n\n1. **Brackets**\n2. **Powers**\n3. The rest')).toEqual([])
  expect(linesOf('**An example.** Solve it.\n\nAdd 3 on both sides.')).toEqual([])
  expect(linesOf('## An example\n\nIt is 3.\n\n## The rule\n\n1. One\n2. Two')).toEqual([])
  expect(linesOf('**Example.**\n\n```python\n1. one\n2. two\n```')).toEqual([])
})

it('finds the example that the tutor without a model writes', () => {
  const [problem, steps, answer] = ['Solve $2x = 6$.', ['Divide by 2.', 'So $x = 3$.'], '$3$']
  const unit = { workedExample: { problem, steps, answer } } as Unit
  for (const language of LANGUAGES) {
    const said = `## Equations\n\n${workedExample(unit, language)}`
    expect(linesOf(said), said).toHaveLength(steps.length)
  }
})
