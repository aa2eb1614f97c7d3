import fc from 'fast-check'
import { unparse } from 'papaparse'
import { describe, expect, it } from 'vitest'
import { readQuestionLines } from '../../web/teacher/question-lines.ts'

const read = (text: string) => {
  const { problems, faults } = readQuestionLines(text)
  return {
    problems: problems.map(({ line, text, correct_answer, hints }) => [
      ...[line, text, correct_answer],
      ...hints,
    ]),
    faults: faults.map(({ line, fault }) => [line, fault]),
  }
}

describe('pasted questions', () => {
  it('are read with semicolons, every further column a hint', () => {
    expect(read('What is -3 + 5?;2;Start at -3.;Count up.\n\nName a prime.;2')).toEqual({
      problems: [
        [1, 'What is -3 + 5?', '2', 'Start at -3.', 'Count up.'],
        [3, 'Name a prime.', '2'],
      ],
      faults: [],
    })
  })

  it('are read as a spreadsheet copies them, with or without the names of the columns', () => {
    const cells =
      'Question\tAnswer\tHint\r\n"Solve; then say ""done"""\tx = 1; 2\t\r\n1,5 · 2\t3\tDouble it.'
    expect(read(cells)).toEqual({
      problems: [
        [2, 'Solve; then say "done"', 'x = 1; 2'],
        [3, '1,5 · 2', '3', 'Double it.'],
      ],
      faults: [],
    })
    expect(read('Question;2').problems).toEqual([[1, 'Question', '2']])
  })

  it('say by line what is wrong', () => {
    const text = [
      ...['What is 1 + 1?', ';4', 'What is 2 + 2?;', '"open;4', 'fine;1', 'fine;2'],
      ...[`${'x'.repeat(4_001)};1`, `long;${'9'.repeat(501)}`, `hints;1${';h'.repeat(11)}`],
    ].join('\n')
    const { problems, faults } = read(text)
    expect(problems).toEqual([[5, 'fine', '1']])
    expect(faults).toEqual([
      [1, 'no_separator'],
      [2, 'no_question'],
      [3, 'no_answer'],
      [4, 'open_quote'],
      [6, 'repeated'],
      [7, 'question_too_long'],
      [8, 'answer_too_long'],
      [9, 'too_many_hints'],
    ])
  })

  it('come back as another program wrote them', () => {
    const field = fc
      .string({ minLength: 1, maxLength: 30 })
      .filter((text) => text.trim() === text && text !== '' && !/[\r\n]/.test(text))
    const row = fc.tuple(field, field, field)
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { selector: ([question]) => question, minLength: 1, maxLength: 8 }),
        fc.constantFrom(';', '\t'),
        (rows, delimiter) => {
          const cells = rows.map((fields) =>
            fields.map((text) => text.replaceAll('\t', ' ').trim()),
          )
          fc.pre(cells.every((fields) => fields.every((text) => text !== '')))
          fc.pre(new Set(cells.map(([question]) => question)).size === cells.length)
          const read = readQuestionLines(unparse(cells, { delimiter, newline: '\n' }))
          expect(read.faults).toEqual([])
          expect(
            read.problems.map(({ text, correct_answer, hints }) => [
              text,
              correct_answer,
              ...hints,
            ]),
          ).toEqual(cells)
        },
      ),
    )
  })
})
