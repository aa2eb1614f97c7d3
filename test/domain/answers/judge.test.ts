import { describe, expect, it } from 'vitest'
import type { AnswerKey, AskedQuestion, Verdict } from '../../../src/domain/answers/answer-key.ts'
import { judgeAnswer } from '../../../src/domain/answers/judge.ts'

type Case = [answer: string, verdict: Verdict, reason?: string]

function judged(name: string, key: AnswerKey, question: AskedQuestion | string, cases: Case[]) {
  const asked = typeof question === 'string' ? { text: question } : question
  describe(name, () => {
    it.each(cases)('%j is %s', (answer, verdict, reason) => {
      const judgement = judgeAnswer(answer, key, asked)
      expect(judgement).toMatchObject(reason ? { verdict, reason } : { verdict })
    })
  })
}

judged('a number', { type: 'number', value: '-2' }, 'What is $-7 + 5$?', [
  ['-2', 'correct', 'equal'],
  ['−2', 'correct'],
  ['minus two', 'correct'],
  ['x = -2', 'correct'],
  ['the answer is -2', 'correct'],
  ['-7 + 5 = -2', 'correct'],
  ['$-2$', 'correct'],
  ['-4/2', 'correct'],
  ['-2.0009', 'correct', 'within-tolerance'],
  ['-2.001', 'close', 'near'],
  ['-2.4', 'close'],
  ['-2.41', 'wrong'],
  ['2', 'wrong', 'different'],
  ['12', 'wrong'],
  ['-7 + 5', 'unjudged', 'pasted-question'],
  ['What is -7 + 5', 'unjudged', 'pasted-question'],
  ['-1 - 1', 'unjudged', 'unreadable'],
  ['-2?', 'correct'],
  ['why?', 'unjudged', 'question'],
  ['not -2', 'unjudged', 'unreadable'],
  ['-2 or 3', 'unjudged', 'unreadable'],
  ['3 = -2', 'unjudged', 'unreadable'],
  ['', 'unjudged', 'empty'],
  ['skip', 'unjudged'],
  ['1'.repeat(501), 'unjudged', 'too-long'],
])

judged('a small number', { type: 'number', value: '0.001' }, 'How long?', [
  ['0.001', 'correct'],
  ['0.0005', 'close'],
  ['0.001005', 'correct'],
  ['0', 'close'],
])

judged('a third', { type: 'number', value: '1/3' }, 'Divide one by three.', [
  ['1/3', 'correct', 'equal'],
  ['0.333', 'correct', 'within-tolerance'],
  ['0,333', 'correct'],
  ['0.33', 'close'],
  ['2/6', 'correct'],
  ['\\frac{1}{3}', 'correct'],
  ['one third', 'correct'],
  ['33%', 'close'],
  ['1 : 3', 'correct'],
])

judged(
  'a number that is also in the question',
  { type: 'number', value: '1/2' },
  'Which is larger, 1/2 or 1/3?',
  [
    ['1/2', 'correct'],
    ['1/3', 'unjudged', 'pasted-question'],
    ['0.5', 'correct'],
  ],
)

judged(
  'a decimal to be turned into a fraction',
  { type: 'number', value: '1/2' },
  'Write $0.5$ as a fraction.',
  [
    ['0.5', 'unjudged', 'pasted-question'],
    ['1/2', 'correct'],
  ],
)

judged('a quotient', { type: 'number', value: '3' }, 'What is 12/4?', [
  ['12/4', 'unjudged', 'pasted-question'],
  ['12÷4', 'unjudged'],
  ['3', 'correct'],
])

judged('a tolerance', { type: 'number', value: '9.81', tolerance: 0.05 }, 'How large is g?', [
  ['9.8', 'correct', 'within-tolerance'],
  ['9.86', 'correct'],
  ['9.87', 'close'],
  ['981', 'wrong'],
])

judged('a narrow tolerance', { type: 'number', value: '2', tolerance: 1e-6 }, 'How much?', [
  ['2', 'correct'],
  ['2.0005', 'close'],
])

judged('a percentage', { type: 'number', value: '25%' }, 'What share of 80 is 20?', [
  ['25%', 'correct'],
  ['25 percent', 'correct'],
  ['0.25', 'correct'],
  ['1/4', 'correct'],
  ['25', 'close', 'percent-sign-missing'],
])

judged('a unit', { type: 'number', value: '5', unit: 'cm' }, 'How long is the side?', [
  ['5 cm', 'correct'],
  ['5cm', 'correct'],
  ['5', 'correct'],
  ['x = 5 cm', 'correct'],
  ['5 centimetres', 'correct'],
  ['five centimeters', 'correct'],
  ['5,0 cm.', 'correct'],
  ['5 m', 'wrong', 'other-unit'],
  ['50 mm', 'wrong', 'other-unit'],
  ['5 cm^2', 'wrong', 'other-unit'],
  ['5 cm²', 'wrong', 'other-unit'],
  ['5%', 'wrong', 'other-unit'],
  ['5 apples', 'unjudged', 'unreadable'],
  ['5.5 cm', 'close'],
  ['7 cm', 'wrong', 'different'],
])

judged('an area', { type: 'number', value: '12', unit: 'cm²' }, 'What is the area?', [
  ['12 cm^2', 'correct'],
  ['12 square centimetres', 'correct'],
  ['12 sq cm', 'correct'],
  ['12 cm2', 'correct'],
  ['12 cm', 'wrong', 'other-unit'],
])

judged('money', { type: 'number', value: '4.50', unit: '$' }, 'What does it cost?', [
  ['$4.50', 'correct'],
  ['4.5', 'correct'],
  ['4.50 dollars', 'correct'],
  ['€4.50', 'wrong', 'other-unit'],
])

judged('an angle', { type: 'number', value: '30', unit: '°' }, 'Which angle?', [
  ['30°', 'correct'],
  ['$30^\\circ$', 'correct'],
  ['30 degrees', 'correct'],
  ['30 rad', 'wrong', 'other-unit'],
])

judged('a unit of the course', { type: 'number', value: '3', unit: 'apples' }, 'How many apples?', [
  ['3 apples', 'correct'],
  ['3 apple', 'correct'],
  ['3', 'correct'],
  ['3 pears', 'unjudged'],
])

judged('a percent as the unit', { type: 'number', value: '25', unit: '%' }, 'How many percent?', [
  ['25', 'correct'],
  ['25%', 'correct'],
  ['25 percent', 'correct'],
  ['0.25', 'wrong'],
])

judged('thousands', { type: 'number', value: '1234' }, 'How many?', [
  ['1234', 'correct'],
  ['1,234', 'correct'],
  ['1 234', 'correct'],
  ['1.234', 'correct'],
])

judged('a root', { type: 'number', value: 'sqrt(2)' }, 'How long is the diagonal?', [
  ['\\sqrt{2}', 'correct', 'equal'],
  ['√2', 'correct'],
  ['1.414', 'correct', 'within-tolerance'],
  ['1.4', 'close'],
])

judged('an expression', { type: 'expression', value: '3x + 6' }, 'Expand $3(x+2)$.', [
  ['3x+6', 'correct', 'equivalent'],
  ['6 + 3x', 'correct'],
  ['6+x*3', 'correct'],
  ['3X + 6', 'correct'],
  ['$3x + 6$', 'correct'],
  ['3(x+2) = 3x + 6', 'correct'],
  ['y = 3x+6', 'correct'],
  ['3(x+2)', 'unjudged', 'pasted-question'],
  ['3*(x + 2)', 'unjudged', 'pasted-question'],
  ['Expand 3(x+2)', 'unjudged', 'pasted-question'],
  ['3x+2', 'wrong', 'not-equivalent'],
  ['3y+6', 'wrong'],
  ['3x+6.0000000001', 'wrong'],
  ['3x + 6 or so', 'unjudged', 'unreadable'],
  ['no', 'unjudged', 'unreadable'],
  ['no idea', 'unjudged', 'unreadable'],
  ['x=3x+6', 'unjudged', 'unreadable'],
  ['3x+6; 2', 'unjudged', 'unreadable'],
])

judged(
  'an expanded form',
  { type: 'expression', value: 'x^2 + 5x + 6', form: 'expanded' },
  'Expand $(x+2)(x+3)$.',
  [
    ['x^2+5x+6', 'correct'],
    ['x²+5x+6', 'correct'],
    ['x^2+2x+3x+6', 'close', 'wrong-form'],
    ['(x+2)(x+3)', 'close', 'wrong-form'],
    ['(x+3)(x+2)', 'close', 'wrong-form'],
    ['x(x+5)+6', 'close', 'wrong-form'],
    ['x^2 - (-5x - 6)', 'close', 'wrong-form'],
    ['x^2+6', 'wrong'],
  ],
)

judged(
  'a factored form',
  { type: 'expression', value: '(x-2)(x+3)', form: 'factored' },
  'Factorise $x^2 + x - 6$.',
  [
    ['(x-2)(x+3)', 'correct'],
    ['(x+3)(x-2)', 'correct'],
    ['(x + 3) * (x - 2)', 'correct'],
    ['(2-x)(-x-3)', 'correct'],
    ['x^2+x-6', 'close', 'wrong-form'],
    ['1(x^2+x-6)', 'close', 'wrong-form'],
    ['x(x+1)-6', 'close', 'wrong-form'],
    ['(x-3)(x+2)', 'wrong'],
  ],
)

judged(
  'a common factor',
  { type: 'expression', value: '3(x+2)', form: 'factored' },
  'Factorise $3x+6$.',
  [
    ['3(x+2)', 'correct'],
    ['(x+2)*3', 'correct'],
    ['1(3x+6)', 'close', 'wrong-form'],
    ['3x+6', 'close', 'wrong-form'],
  ],
)

judged(
  'a power as a factor',
  { type: 'expression', value: '(x+1)^2', form: 'factored' },
  'Factorise.',
  [
    ['(x+1)^2', 'correct'],
    ['(x+1)(x+1)', 'correct'],
    ['x^2+2x+1', 'close', 'wrong-form'],
  ],
)

judged(
  'a simplified form',
  { type: 'expression', value: '3x', form: 'simplified' },
  'Simplify $6x^2/(2x)$.',
  [
    ['3x', 'correct'],
    ['x*3', 'correct'],
    ['6x^2/(2x)', 'close', 'wrong-form'],
    ['6x/2', 'close', 'wrong-form'],
    ['2x+x', 'close', 'wrong-form'],
    ['2*1.5x', 'close', 'wrong-form'],
    ['4x', 'wrong'],
  ],
)

judged(
  'a simplified root',
  { type: 'expression', value: '2sqrt(3)', form: 'simplified' },
  'Simplify $\\sqrt{12}$.',
  [
    ['2√3', 'correct'],
    ['sqrt(12)', 'close', 'wrong-form'],
    ['sqrt(4*3)', 'close', 'wrong-form'],
  ],
)

judged(
  'a form that the question already has',
  { type: 'expression', value: 'sin(2x)', form: 'simplified' },
  'Simplify $2 \\sin x \\cos x$.',
  [
    ['sin 2x', 'correct'],
    ['2 sin x cos x', 'unjudged', 'pasted-question'],
  ],
)

judged(
  'a simplified fraction',
  { type: 'expression', value: 'x^2/3', form: 'simplified' },
  'Simplify.',
  [
    ['x^2/3', 'correct'],
    ['(1/3)x^2', 'correct'],
    ['\\frac{x^2}{3}', 'correct'],
    ['x*x/3', 'close', 'wrong-form'],
    ['2x^2/6', 'close', 'wrong-form'],
  ],
)

judged('a surd', { type: 'expression', value: '2sqrt(3)' }, 'Simplify $\\sqrt{12}$.', [
  ['2√3', 'correct'],
  ['2\\sqrt{3}', 'correct'],
  ['\\sqrt{12}', 'unjudged', 'pasted-question'],
  ['3.464', 'close', 'rounded'],
  ['2sqrt(2)', 'close', 'near'],
  ['6', 'wrong'],
])

judged('an ambiguous fraction', { type: 'expression', value: '1/(2x)' }, 'Invert.', [
  ['1/(2x)', 'correct'],
  ['1/2x', 'unjudged', 'ambiguous'],
  ['\\frac{1}{2x}', 'correct'],
])

judged('half of x', { type: 'expression', value: 'x/2' }, 'Halve.', [
  ['1/2x', 'correct'],
  ['0.5x', 'correct'],
  ['½x', 'correct'],
  ['1/2 x', 'correct'],
])

judged('a domain trap', { type: 'expression', value: '|x|' }, 'Simplify the root.', [
  ['sqrt(x^2)', 'correct'],
  ['x', 'wrong'],
  ['sqrt(x)^2', 'unjudged', 'undecided'],
])

judged('an equation', { type: 'equation', value: 'y = 2x + 1' }, 'Give the line.', [
  ['y = 2x+1', 'correct', 'equivalent'],
  ['2x + 1 = y', 'correct'],
  ['y - 2x = 1', 'correct'],
  ['2y = 4x + 2', 'correct'],
  ['-y = -2x - 1', 'correct'],
  ['Y=2X+1', 'correct'],
  ['y = 2x', 'wrong'],
  ['y = -2x + 1', 'wrong'],
  ['0 = 0', 'wrong'],
  ['y = y', 'wrong'],
  ['2x + 1', 'close', 'not-an-equation'],
  ['3x', 'unjudged', 'not-an-equation'],
  ['(y-1)/x = 2', 'unjudged', 'undecided'],
  ['(y-2x-1)^2 = 0', 'wrong'],
  ['(y-2x-1)(x^2+1) = 0', 'wrong'],
  ['y = 2x + 1 = z', 'unjudged'],
  ['a line', 'unjudged'],
])

judged('a half as slope', { type: 'equation', value: 'y = x/2 + 3' }, 'Give the line.', [
  ['y = 1/2x + 3', 'correct'],
  ['2y = x + 6', 'correct'],
])

judged(
  'an equation to rearrange',
  { type: 'equation', value: 'y = 2x + 1' },
  'Solve $y - 2x = 1$ for $y$.',
  [
    ['y - 2x = 1', 'unjudged', 'pasted-question'],
    ['y=2x+1', 'correct'],
  ],
)

judged('a solution set', { type: 'set', values: ['2', '-3'] }, 'Solve $(x-2)(x+3)=0$.', [
  ['x = 2 or x = -3', 'correct', 'same-set'],
  ['{2, -3}', 'correct'],
  ['2, -3', 'correct'],
  ['-3, 2', 'correct'],
  ['-3,2', 'correct'],
  ['2 and -3', 'correct'],
  ['2;-3', 'correct'],
  ['x=2, x=-3', 'correct'],
  ['x_1 = 2, x_2 = -3', 'correct'],
  ['x₁ = 2 and x₂ = −3', 'correct'],
  ['x ∈ {2, -3}', 'correct'],
  ['x = 2, -3', 'correct'],
  ['\\{2, -3\\}', 'correct'],
  ['$x = 2$ or $x = -3$', 'correct'],
  ['two and minus three', 'correct'],
  ['2', 'close', 'solution-missing'],
  ['2, -3, 5', 'wrong', 'solution-extra'],
  ['-2, 3', 'wrong', 'different'],
  ['2 and 3', 'wrong', 'solution-extra'],
  ['no solution', 'wrong'],
  ['(2, -3)', 'unjudged', 'unreadable'],
  ['x = 2, y = -3', 'unjudged', 'unreadable'],
  ['(x-2)(x+3)=0', 'unjudged', 'pasted-question'],
  ['dunno', 'unjudged'],
  ['x', 'unjudged'],
])

judged('a set with decimals', { type: 'set', values: ['2.5', '3'] }, 'Solve.', [
  ['2.5, 3', 'correct'],
  ['2,5; 3', 'correct'],
  ['2,5 and 3', 'correct'],
  ['2,5', 'unjudged', 'ambiguous'],
])

judged('a set without spaces', { type: 'set', values: ['2', '5'] }, 'Solve.', [
  ['2,5', 'correct'],
  ['5,2', 'correct'],
])

judged('both signs', { type: 'set', values: ['±2'] }, 'Solve $x^2 = 4$.', [
  ['±2', 'correct'],
  ['x = ±2', 'correct'],
  ['2, -2', 'correct'],
  ['2', 'close'],
])

judged('surds as solutions', { type: 'set', values: ['1 + sqrt(2)', '1 - sqrt(2)'] }, 'Solve.', [
  ['1±√2', 'correct'],
  ['1-\\sqrt{2}, 1+\\sqrt{2}', 'correct'],
  ['1+√3, 1-√3', 'wrong'],
])

judged('a system', { type: 'set', values: ['x = 2', 'y = 3'] }, 'Solve the system.', [
  ['x = 2, y = 3', 'correct'],
  ['y = 3 and x = 2', 'correct'],
  ['x = 3, y = 2', 'wrong'],
  ['2, 3', 'unjudged'],
])

judged(
  'a letter with another name',
  { type: 'number', value: '5' },
  'The axis of $y = (x - 2)(x - 8)$ is the line $x = k$. Give the value of $k$.',
  [
    ['k = 5', 'correct'],
    ['x = 5', 'correct'],
    ['y = 5', 'unjudged', 'other-letter'],
  ],
)

judged('a point', { type: 'set', values: ['(1, 2)'] }, 'Where do the lines meet?', [
  ['(1, 2)', 'correct'],
  ['(1,2)', 'correct'],
  ['(2, 1)', 'wrong'],
  ['1, 2', 'unjudged'],
])

judged('no solution', { type: 'set', values: ['no solution'] }, 'Solve $x = x + 1$.', [
  ['no solution', 'correct'],
  ['there are no solutions', 'correct'],
  ['∅', 'correct'],
  ['{}', 'correct'],
  ['0', 'wrong'],
])

judged('words as a set', { type: 'set', values: ['red', 'blue'] }, 'Name the colours.', [
  ['blue and red', 'correct'],
  ['der, blue', 'wrong'],
])

judged('an inequality', { type: 'inequality', value: 'x < 3' }, 'Solve $2x + 1 < 7$.', [
  ['x < 3', 'correct', 'equivalent'],
  ['3 > x', 'correct'],
  ['x \\lt 3', 'correct'],
  ['x is less than 3', 'correct'],
  ['(-∞, 3)', 'correct'],
  ['x <= 3', 'close', 'boundary'],
  ['x ≤ 3', 'close', 'boundary'],
  ['2x < 6', 'close', 'wrong-form'],
  ['-x > -3', 'close', 'wrong-form'],
  ['x > 3', 'wrong'],
  ['x < 4', 'wrong'],
  ['y < 3', 'unjudged', 'other-letter'],
  ['2x > 6', 'wrong'],
  ['2x + 1 < 7', 'unjudged', 'pasted-question'],
  ['x = 3', 'unjudged', 'unreadable'],
  ['3', 'unjudged', 'unreadable'],
  ['small', 'unjudged', 'unreadable'],
])

judged('a double inequality', { type: 'inequality', value: '1 < x <= 5' }, 'Solve.', [
  ['1 < x ≤ 5', 'correct'],
  ['5 >= x > 1', 'correct'],
  ['x > 1 and x <= 5', 'correct'],
  ['x > 1, x <= 5', 'correct'],
  ['(1, 5]', 'correct'],
  ['x in (1, 5]', 'correct'],
  ['[1, 5]', 'close', 'boundary'],
  ['x > 1 or x <= 5', 'wrong'],
  ['x > 1', 'wrong'],
])

judged('two half-lines', { type: 'inequality', value: 'x < 1 or x > 5' }, 'Solve.', [
  ['x > 5 or x < 1', 'correct'],
  ['(-inf, 1) ∪ (5, inf)', 'correct'],
  ['1 < x < 5', 'wrong'],
])

judged('a half-plane', { type: 'inequality', value: 'y > 2x + 1' }, 'Which points?', [
  ['y > 2x+1', 'correct'],
  ['2x + 1 < y', 'correct'],
  ['y - 2x > 1', 'correct'],
  ['2y > 4x + 2', 'correct'],
  ['-y < -2x - 1', 'correct'],
  ['y >= 2x + 1', 'close', 'boundary'],
  ['y < 2x + 1', 'wrong'],
  ['-y > -2x - 1', 'wrong'],
])

const options = [
  { id: 'a', text: '$3x + 2$' },
  { id: 'b', text: '$3x + 6$' },
  { id: 'c', text: '$3x - 6$' },
]
judged('a choice', { type: 'choice', correct: 'b' }, { text: 'Expand $3(x+2)$.', options }, [
  ['b', 'correct'],
  ['B', 'correct'],
  ['B)', 'correct'],
  ['(b)', 'correct'],
  ['b.', 'correct'],
  ['option b', 'correct'],
  ['Answer B', 'correct'],
  ['the answer is b', 'correct'],
  ['3x + 6', 'correct'],
  ['3x+6', 'correct'],
  ['b) 3x+6', 'correct'],
  ['a', 'wrong', 'other-option'],
  ['3x-6', 'wrong', 'other-option'],
  ['b) 3x+2', 'unjudged'],
  ['d', 'unjudged', 'no-such-option'],
  ['a or b', 'unjudged'],
  ['6 + 3x', 'unjudged'],
  ['not b', 'unjudged'],
  ['b?', 'correct'],
  ['which one is it?', 'unjudged', 'question'],
])

const numbers = [
  { id: 'a', text: '1/2' },
  { id: 'b', text: '2' },
  { id: 'c', text: '-2' },
  { id: 'd', text: '2.0' },
]
judged(
  'a choice of numbers',
  { type: 'choice', correct: 'a' },
  { text: 'Choose.', options: numbers },
  [
    ['0.5', 'correct'],
    ['one half', 'correct'],
    ['-2', 'wrong'],
    ['two', 'unjudged'],
    ['2', 'wrong'],
  ],
)

judged('a choice without its options', { type: 'choice', correct: 'b' }, 'Choose.', [
  ['b', 'correct'],
  ['c', 'wrong'],
  ['seven', 'unjudged'],
])

judged(
  'words',
  { type: 'text', accepted: ['the numerator', 'x-axis'] },
  'What is the top of a fraction called?',
  [
    ['numerator', 'correct'],
    ['The Numerator.', 'correct'],
    ['it is the numerator', 'correct'],
    ['“numerator”', 'correct'],
    ['x axis', 'correct'],
    ['numerater', 'close', 'spelling'],
    ['numertaor', 'close', 'spelling'],
    ['denominator', 'wrong'],
    ['What is the top of a fraction called', 'unjudged', 'pasted-question'],
    ['the part that stands above the line of it', 'unjudged', 'prose'],
  ],
)

judged(
  'words with a pattern',
  { type: 'text', accepted: ['commutative'], pattern: 'commut\\w+( (law|property))?' },
  'Which law?',
  [
    ['the commutative law', 'correct'],
    ['commutativity', 'correct'],
    ['not commutative', 'wrong'],
    ['associative', 'wrong'],
  ],
)

judged(
  'a pattern that could take for ever',
  { type: 'text', accepted: ['b'], pattern: '(a+)+b' },
  'Which?',
  [[`${'a'.repeat(60)}`, 'unjudged', 'bad-key']],
)

judged('a whole number exactly', { type: 'number', value: '3', exact: true }, 'How many?', [
  ['3', 'correct'],
  ['three', 'correct'],
  ['3.0', 'close', 'wrong-form'],
  ['6/2', 'close', 'wrong-form'],
  ['3.0005', 'wrong', 'different'],
  ['2', 'wrong'],
])

judged(
  'a written form',
  { type: 'number', value: '0.5', exact: true },
  'Write $1/2$ as a decimal.',
  [
    ['0.5', 'correct'],
    ['0,50', 'correct'],
    ['.5', 'correct'],
    ['1/2', 'unjudged', 'pasted-question'],
    ['50%', 'close', 'wrong-form'],
    ['0.5001', 'wrong'],
  ],
)

judged(
  'a fraction in lowest terms',
  { type: 'number', value: '3/4', exact: true },
  'Reduce $6/8$.',
  [
    ['3/4', 'correct'],
    ['\\frac{3}{4}', 'correct'],
    ['¾', 'correct'],
    ['12/16', 'close', 'wrong-form'],
    ['0.75', 'close', 'wrong-form'],
  ],
)

judged('a unit of the question', { type: 'number', value: '3000' }, 'How many metres are $3$ km?', [
  ['3000 m', 'correct'],
  ['3000 metres', 'correct'],
  ['3000 km', 'unjudged', 'unreadable'],
  ['3000 apples', 'unjudged', 'unreadable'],
])

judged('a letter asked for', { type: 'number', value: '4' }, 'Solve $3x = 12$.', [
  ['X = 4', 'correct'],
  ['y = 4', 'unjudged', 'other-letter'],
  ['3x = 12, so x = 4', 'correct'],
  ['3x = 12', 'unjudged', 'pasted-question'],
  ['x = 4, x = 5', 'unjudged'],
  ['x = 3 or x = 4', 'unjudged'],
  ['not 4', 'unjudged'],
])

judged('a point', { type: 'pair', value: '(3, -2)' }, 'Where do the lines meet?', [
  ['(3, -2)', 'correct', 'equal'],
  ['3; -2', 'correct'],
  ['(3|−2)', 'correct'],
  ['S(3 | -2)', 'correct'],
  ['\\left(3, -2\\right)', 'correct'],
  ['y = -2 and x = 3', 'correct'],
  ['(6/2, -2.0)', 'correct'],
  ['(-2, 3)', 'wrong', 'different'],
  ['x = 3', 'wrong', 'half'],
  ['(3, -2, 1)', 'wrong'],
  ['a = 3, b = -2', 'unjudged', 'other-letter'],
  ['(3, -2', 'unjudged', 'unreadable'],
  ['3', 'unjudged', 'unreadable'],
  ['(2.5.1, x)', 'unjudged', 'unreadable'],
])

judged('named unknowns', { type: 'pair', value: 't = 3; s = 6', names: ['t', 's'] }, 'Solve.', [
  ['s = 6, t = 3', 'correct'],
  ['(3, 6)', 'correct'],
  ['s = 3, t = 6', 'wrong'],
  ['x = 3, y = 6', 'unjudged', 'other-letter'],
])

judged('what a program prints', { type: 'code', value: "['a b', 2]" }, 'What does this print?', [
  ["['a b', 2]", 'correct', 'equal'],
  ["[ 'a b',2 ]", 'correct'],
  ['`[‘a b’, 2]`', 'correct'],
  ["['ab', 2]", 'wrong', 'different'],
  ["['A b', 2]", 'wrong'],
  ['["a b", 2]', 'wrong'],
  ['[a b, 2]', 'wrong'],
])

judged('printed words', { type: 'code', value: '3 3.5' }, 'What does this print?', [
  ['3  3.5', 'correct'],
  ["'3 3.5'", 'wrong', 'quotes-not-printed'],
  ['33.5', 'wrong', 'different'],
  ['I do not know how this works', 'unjudged', 'prose'],
])

describe('the value of a judgement', () => {
  const number: AnswerKey = { type: 'number', value: '-2' }
  it.each([
    ['minus two', number, '-2'],
    ['x = −2', number, '-2'],
    ['2,5', number, '2.5'],
    ['\\frac{3}{4}', number, '3/4'],
    ['1e3', number, '1000'],
    ['B)', { type: 'choice', correct: 'a' } as AnswerKey, 'b'],
    ['x = -3 or x = 2', { type: 'set', values: ['2'] } as AnswerKey, '{-3, 2}'],
    ['The Mean!', { type: 'text', accepted: ['mean'] } as AnswerKey, 'mean'],
  ])('%j was read as said', (answer, key, value) => {
    expect(judgeAnswer(answer, key, { text: 'A question.' }).value).toBe(value)
  })
})

describe('a key that cannot be read', () => {
  const keys: AnswerKey[] = [
    { type: 'number', value: 'many' },
    { type: 'expression', value: '3x +' },
    { type: 'equation', value: '3x' },
    { type: 'inequality', value: '3x' },
    { type: 'pair', value: '3' },
    { type: 'pair', value: '(1, 2)', names: ['a', 'b', 'c'] },
    { type: 'text', accepted: ['a'], pattern: '(' },
  ]
  it.each(keys)('judges nothing: %j', (key) => {
    expect(judgeAnswer('zzz', key, { text: 'A question.' })).toMatchObject({
      verdict: 'unjudged',
      reason: 'bad-key',
    })
  })
})
