import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lessonSteps } from '../../web/markdown/lesson-steps.ts'

const long = (word: string) => `${word} `.repeat(200).trim()

it('cuts a lesson at its headings, and keeps a title with what it is the title of', () => {
  const parts = [`### Lists\n\n## What they are\n\n${long('a')}`, `## How\n\n${long('b')}`]
  expect(lessonSteps([...parts, `#### Last\n${long('c')}`].join('\n\n'))).toEqual([
    ...parts,
    `#### Last\n${long('c')}`,
  ])
})

it('does not take a comment in a program for a heading', () => {
  const program = `## One\n\n\`\`\`python\n# a comment\n${'x = 1\n'.repeat(300)}\`\`\``
  expect(lessonSteps(program)).toEqual([program])
})

it('leaves a short text whole', () => {
  expect(lessonSteps('## a\n\nb\n\n## c\n\nd')).toHaveLength(1)
})

it('loses nothing of what is said', () => {
  const line = fc.constantFrom('## head', '# top', 'words', '', '```', '- item', '    indented')
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const text = `${lines.join('\n')}\n${long('z')}\n${'more words '.repeat(90)}`
      const said = (all: string) =>
        all
          .split('\n')
          .map((one) => one.trim())
          .filter(Boolean)
      expect(said(lessonSteps(text).join('\n'))).toEqual(said(text))
    }),
  )
})
