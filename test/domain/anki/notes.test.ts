import { expect, test } from 'vitest'
import { ankiFile } from '../../../src/domain/anki/notes.ts'

test('notes are rows of Anki’s text format, maths in its delimiters', () => {
  const note = {
    id: 'q1',
    front: 'Solve $2x = 4$ and "check":\n\n$$x + 1$$',
    back: '$x = 2$',
    topic: 'Linear equations',
  }
  const [header, row] = [ankiFile([]), ankiFile([note]).slice(ankiFile([]).length)]
  expect(header).toMatch(/^#separator:tab\n/)
  expect(header).toContain('#guid column:1\n')
  expect(header).toContain('#tags column:4\n')
  expect(row).toBe(
    '"q1"\t"Solve \\(2x = 4\\) and ""check"":\n\n\\[x + 1\\]"\t"\\(x = 2\\)"\t"linear-equations"\n',
  )
})
