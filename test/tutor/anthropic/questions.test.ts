import { describe, expect, it } from 'vitest'
import type { QuizQuestion } from '../../../src/contracts/llm.ts'
import {
  helpMissing,
  questionFaults,
  tutorQuestions,
} from '../../../src/tutor/steps/arc/questions.ts'

const wire = (changes: Partial<QuizQuestion>): QuizQuestion => ({
  concept_name: 'whatever the model says',
  question_text: 'Which one is meant?',
  format: 'short_answer',
  expected_answer: '7',
  scoring_criteria: 'The sum.',
  difficulty: 'easy',
  ...changes,
})

function read(changes: Partial<QuizQuestion>) {
  expect(violations(changes)).toEqual([])
  return tutorQuestions([wire(changes)], 'Sums')[0]
}

function violations(changes: Partial<QuizQuestion>): string[] {
  return questionFaults([wire({}), wire(changes)])
}

const choice = (options: string[], expected_answer: string): Partial<QuizQuestion> => ({
  format: 'multiple_choice',
  options,
  expected_answer,
})

describe('a question of the model', () => {
  it('belongs to the concept it was asked for', () => {
    expect(read({})?.concept).toBe('Sums')
    expect(read({})?.source).toBeNull()
  })

  it.each(['7', '-2', '3/4', '2.5', '$-2$', '$\\frac{1}{2}$', '1e3'])(
    'is judged by code when its answer is the number %s',
    (expected_answer) => {
      expect(read({ expected_answer })?.key).toEqual({ type: 'number', value: expected_answer })
    },
  )

  it.each(['DNA', '3x + 6', 'about seven apples', 'no'])(
    'is graded by its criteria when its answer is %s',
    (expected_answer) => {
      expect(read({ expected_answer })?.key).toBeNull()
      expect(read({ expected_answer })?.expected).toBe(expected_answer)
    },
  )

  it('gets option ids, and a key that points to the right option', () => {
    const question = read(choice(['red', 'green', 'blue'], 'green'))
    expect(question?.options).toEqual([
      { id: 'a', text: 'red' },
      { id: 'b', text: 'green' },
      { id: 'c', text: 'blue' },
    ])
    expect(question?.key).toEqual({ type: 'choice', correct: 'b' })
  })

  it.each([
    ['the text in other capitals', ['red', 'Green', 'blue'], 'green', 'b'],
    ['a letter', ['red', 'green', 'blue'], 'C', 'c'],
    ['letter and text', ['red', 'green', 'blue'], 'b) green', 'b'],
    ['a number written another way', ['0.25', '0.5', '4'], '1/2', 'b'],
    ['an option that looks like another one’s letter', ['b', 'a', 'c'], 'a', 'b'],
  ])('finds the right option by %s', (_, options, expected, id) => {
    expect(read(choice(options, expected))?.key).toEqual({ type: 'choice', correct: id })
  })

  it('loses the letters that the model wrote in front of its options', () => {
    const question = read(choice(['A) red', 'B) green', 'C) blue'], 'B'))
    expect(question?.options?.map(({ text }) => text)).toEqual(['red', 'green', 'blue'])
    expect(question?.expected).toBe('green')
  })

  it('is malformed when its answer is none of its options, or it has none', () => {
    expect(violations(choice(['red', 'blue'], 'green'))).toEqual([
      'question 2: expected_answer is none of the options.',
    ])
    expect(violations({ format: 'multiple_choice' })[0]).toContain('needs options')
    expect(violations(choice(['red', 'Red ', 'blue'], 'blue'))[0]).toContain('say the same')
  })
})

describe('the help that belongs to every question', () => {
  const hints = ['Count on.']
  const solution = 'Three and four: 3 + 4 = 7'
  const mistakes = [{ answer: '12', why: 'That is the product.' }]

  it('is missed where there is none, or none that is sound', () => {
    expect(helpMissing([wire({ hints, solution, mistakes })])).toEqual([])
    expect(helpMissing([wire({ solution, mistakes })])[0]).toContain('question 1 lacks hints')
    const telling = { hints: ['It is 7.'], solution, mistakes }
    expect(helpMissing([wire({ hints, solution, mistakes }), wire(telling)])).toEqual([
      'question 2 lacks hints that do not contain the answer.',
    ])
    expect(helpMissing([wire({ hints, mistakes, solution: '3 + 4 = 8' })])[0]).toContain('solution')
    expect(helpMissing([wire({ hints, solution })])[0]).toContain('mistakes')
  })
})
