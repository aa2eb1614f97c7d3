import { describe, expect, it } from 'vitest'
import type { QuizQuestion } from '../../../src/contracts/llm.ts'
import { questionFaults, tutorQuestions } from '../../../src/tutor/steps/arc/questions.ts'

const short = (question_text: string, expected_answer: string): QuizQuestion => ({
  concept_name: 'Numbers',
  question_text,
  format: 'short_answer',
  expected_answer,
  scoring_criteria: '',
  difficulty: 'easy',
})

const choice = (
  question_text: string,
  options: string[],
  expected_answer: string,
): QuizQuestion => ({
  ...short(question_text, expected_answer),
  format: 'multiple_choice',
  options,
})

const help = (wire: QuizQuestion) => {
  expect(questionFaults([wire])).toEqual([])
  const [question] = tutorQuestions([wire], 'Numbers')
  return question
}

describe('the key of a question that code can compute', () => {
  it.each([
    ['What is 3 + 4?', '8'],
    ['What is 20 + 21?', '42'],
    ['Calculate $-7 + 3$.', '-10'],
    ['Work out $\\frac{1}{2} + \\frac{1}{4}$', '2/6'],
    ['Evaluate 2 * (3 + 4)', '10'],
    ['What is the value of $2^3$?', '6'],
    ['Solve for x: 2x + 3 = 11', '7'],
    ['Solve the equation $3(x - 1) = 12$.', 'x = 4'],
    ['Find x if x/5 = -3', '15'],
    ['Berechne 7 - 12', '5'],
    ['Löse die Gleichung 2x = 9', '4'],
    ['What is 10 / 3?', '3.34'],
  ])('is refused where it is wrong: %s is not %s', (text, expected) => {
    expect(questionFaults([short(text, expected)])[0]).toContain('is wrong')
  })

  it.each([
    ['What is 3 + 4?', '7'],
    ['Calculate $-7 + 3$.', '-4'],
    ['Work out $\\frac{1}{2} + \\frac{1}{4}$', '3/4'],
    ['What is 10 / 3?', '3.33'],
    ['What is $\\sqrt{2}$?', '1.41'],
    ['Solve for x: 2x + 3 = 11', '4'],
    ['Solve the equation $3(x - 1) = 12$.', 'x = 5'],
    ['Löse die Gleichung 2x = 9', '4.5'],
  ])('is taken where it is right: %s is %s', (text, expected) => {
    expect(questionFaults([short(text, expected)])).toEqual([])
  })

  it.each([
    ['What is 7 // 2 in Python?', '3'],
    ['What is half of 12?', '6'],
    ['What is 17 rounded to the nearest ten?', '20'],
    ['What is 17 / 5? Give the remainder.', '2'],
    ['How many prime numbers lie between 2 + 3 and 20?', '6'],
    ['What is the next number: 2, 4, 8?', '16'],
    ['What is 7?', '7'],
    ['What is 15% of 80?', '12'],
    ['Find the slope of y = 3x + 1', '3'],
    ['What is the derivative of x^2 at x = 3?', '6'],
    ['Simplify 2x + 3x', '5x'],
    ['What is 12 in binary?', '1100'],
  ])('is left to the model where the question says more: %s', (text, expected) => {
    expect(questionFaults([short(text, expected)])).toEqual([])
  })

  it('is refused where another option is the right one, or two are', () => {
    expect(questionFaults([choice('Which of these is 3 + 4?', ['6', '7', '8'], '8')])[0]).toContain(
      'is wrong',
    )
    const twice = choice('What is 1/2 + 1/4?', ['3/4', '0.75', '2/6'], '3/4')
    expect(questionFaults([twice])[0]).toContain('more than one option')
  })
})

describe('options', () => {
  it.each([
    [['1/2', '0.5', '2']],
    [['$\\frac{2}{4}$', '$\\frac{1}{2}$', '4']],
    [['2(x + 1)', '2x + 2', 'x + 2']],
    [['fifty', '50', '51']],
  ])('that are equal are refused: %j', (options) => {
    const [faults] = questionFaults([choice('Which one fits?', options, options[2] ?? '')])
    expect(faults).toContain('are equal')
  })

  it.each([
    ['Which fraction is in lowest terms?', ['2/4', '1/2', '3/6'], '1/2'],
    [
      'Which is the factorised form of $x^2 + 5x + 6$?',
      ['(x+2)(x+3)', 'x(x+5)+6', 'x^2'],
      '(x+2)(x+3)',
    ],
    ['Which word is a colour?', ['red', 'der', 'erd'], 'red'],
    ['Which one is a list?', ['[1, 2]', '(1, 2)', '{1, 2}'], '[1, 2]'],
  ])('that differ in what is asked are taken: %s', (text, options, expected) => {
    expect(questionFaults([choice(text, options, expected)])).toEqual([])
  })
})

describe('the help of a question', () => {
  it('is carried into the question', () => {
    const wire = {
      ...short('What is half of 12?', '6'),
      hints: ['Share it between two people.', 'Which number, taken twice, makes it?'],
      solution: 'Two equal parts make 12.\n\n$12 : 2 = 6$',
      mistakes: [{ answer: '24', why: 'That is twice 12, not half of it.' }],
    }
    expect(help(wire)).toMatchObject({
      hints: wire.hints,
      solution: wire.solution,
      mistakes: [{ answer: '24', remedy: 'That is twice 12, not half of it.' }],
    })
  })

  it.each([
    [short('What is half of 12?', '6'), 'The answer is 6.'],
    [short('What is half of 12?', '6'), 'Think of six.'],
    [short('Which gas do plants take up?', 'carbon dioxide'), 'It is Carbon Dioxide, of course.'],
    [
      choice('Which planet is largest?', ['Mars', 'Jupiter', 'Venus'], 'Jupiter'),
      'Jupiter is huge.',
    ],
    [choice('How many legs has a spider?', ['6', '8', '10'], '8'), 'More than six: 8.'],
  ])('loses a hint that tells the answer, and that alone (%#)', (wire, telling) => {
    const sound = 'Look at what is given first.'
    expect(help({ ...wire, hints: [telling, sound] })?.hints).toEqual([sound])
  })

  it.each([
    ['6', 'Halving 12 gives 12 : 2 = 5.'],
    ['6', 'Take 12, share it, and you have 7'],
    ['-2', 'Four steps back from 2: 2 - 4 = 2'],
  ])('loses a solution that ends elsewhere than the key %s: %s', (expected, solution) => {
    expect(help({ ...short('Which number is meant?', expected), solution })?.solution).toBeNull()
  })

  it.each([
    ['6', 'Halving 12 gives $12 : 2 = 6$.'],
    ['4', 'So $x = 4$, which is 2 squared.'],
    ['-2', '2 - 4 = −2'],
    ['2.5', '5 / 2 = 2,5'],
    ['1/3', '2/6 = 1/3'],
    ['6', 'Share them between two people.'],
    ['carbon dioxide', 'Plants need it for step 2.'],
  ])('keeps a solution that ends with the key %s: %s', (expected, solution) => {
    expect(help({ ...short('Which one is meant?', expected), solution })?.solution).toBe(solution)
  })

  it('loses a foreseen mistake that is right, and that alone', () => {
    const wrong = { answer: '24', why: 'That is twice 12.' }
    const wire = { ...short('What is half of 12?', '6'), mistakes: [] }
    const mistakes = [{ answer: '6.0', why: 'no' }, wrong, { answer: 'six', why: 'no' }]
    expect(help({ ...wire, mistakes })?.mistakes).toEqual([
      { answer: '24', remedy: 'That is twice 12.' },
    ])
    const planets = choice('Which planet is largest?', ['Mars', 'Jupiter'], 'Jupiter')
    const foreseen = [
      { answer: 'jupiter', why: 'no' },
      { answer: 'Mars', why: 'Mars is small.' },
    ]
    expect(help({ ...planets, mistakes: foreseen })?.mistakes).toEqual([
      { answer: 'a', remedy: 'Mars is small.' },
    ])
  })
})
