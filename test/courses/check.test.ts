import { expect, test } from 'vitest'
import type {
  BankQuestion,
  Course,
  ExamQuestion,
  Misconception,
  QuestionTemplate,
  Unit,
} from '../../src/contracts/course-pack.ts'
import { checkCourse } from '../../src/courses/check.ts'
import { sampleCourse, sampleUnit } from './sample-course.ts'

test('the sample course has no fault', async () => {
  expect(await checkCourse(sampleCourse())).toEqual([])
})

/** Breaks a copy of the sample course and gives what the check says about it. */
async function faultsAfter(breakIt: (course: Course) => void): Promise<string[]> {
  const course = sampleCourse()
  breakIt(course)
  return checkCourse(course)
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new Error(`nothing at ${index}`)
  return item
}

const inUnit = (breakIt: (unit: Unit) => void) => (course: Course) => breakIt(at(course.units, 1))

const inChoice = (breakIt: (question: BankQuestion) => void) =>
  inUnit((unit) => breakIt(at(unit.questions, 0)))

const inShortAnswer = (breakIt: (question: BankQuestion) => void) =>
  inUnit((unit) => breakIt(at(unit.questions, 7)))

const inTemplate = (breakIt: (template: QuestionTemplate) => void) =>
  inUnit((unit) => breakIt(at(unit.templates, 0)))

const inExam = (breakIt: (exam: ExamQuestion) => void) =>
  inUnit((unit) => breakIt(at(unit.exams, 0)))

/** Gives the question a key and one mistake, of a misconception with an effect. */
function withEffect(
  effect: NonNullable<Misconception['effect']>,
  answer: BankQuestion['answer'],
  mistake: string,
) {
  return inUnit((unit) => {
    at(unit.misconceptions, 1).effect = effect
    Object.assign(at(unit.questions, 7), {
      answer,
      mistakes: [{ answer: mistake, tag: 'one_off' }],
    })
  })
}

function chain(course: Course, length: number) {
  for (let index = 3; index <= length; index++) {
    const unit = sampleUnit(`SUM-0${index}`, `Unit ${index}`, [`SUM-0${index - 1}`])
    course.units.push(unit)
    course.prereqEdges.push([`SUM-0${index - 1}`, `SUM-0${index}`])
  }
}

test.each<[string, (course: Course) => void]>([
  [
    'SUM-01-Q1: the id is used more than once',
    inUnit((u) => (at(u.questions, 1).id = 'SUM-01-Q1')),
  ],
  ['SUM-00: the id is used more than once', inUnit((u) => (u.unitId = 'SUM-00'))],
  ["SUM-02-T9: the id does not begin as its unit's", inTemplate((t) => (t.id = 'SUM-02-T9'))],
  [
    "EX-SUM-02-X: the id does not begin as its unit's",
    inExam((e) => (e.questionId = 'EX-SUM-02-X')),
  ],
  ['two units are called "adding numbers"', inUnit((u) => (u.title = 'Adding Numbers '))],
  [
    'SUM-01: the prerequisite SUM-44 does not exist',
    (c) => c.prereqEdges.push(['SUM-44', 'SUM-01']),
  ],
  ['the entry unit SUM-44 does not exist', (c) => (c.entryUnitId = 'SUM-44')],
  ['SUM-00: the entry unit has prerequisites', (c) => c.prereqEdges.push(['SUM-02', 'SUM-00'])],
  [
    'prerequisites in a circle, SUM-01 → SUM-02 → SUM-01',
    (c) => c.prereqEdges.push(['SUM-02', 'SUM-01']),
  ],
  ['SUM-01: no prerequisites lead here from SUM-00', (c) => c.prereqEdges.shift()],
  ['SUM-06: 6 prerequisites deep, at most 5', (c) => chain(c, 6)],
])('structure: %s', async (message, breakIt) => {
  expect(await faultsAfter(breakIt)).toContainEqual(expect.stringContaining(message))
})

test('five prerequisites deep is allowed', async () => {
  expect(await faultsAfter((course) => chain(course, 5))).toEqual([])
})

test.each<[string, (course: Course) => void]>([
  ['SUM-01: 1 hard questions, at least 2', inShortAnswer((q) => (q.difficulty = 'easy'))],
  ['more than half of the questions are multiple choice', inUnit((u) => u.questions.splice(3, 5))],
  [
    'two misconceptions have the tag subtracts',
    inUnit((u) => (at(u.misconceptions, 1).tag = 'subtracts')),
  ],
  ['SUM-01-Q1: two options have the id a', inChoice((q) => (at(q.options ?? [], 2).id = 'a'))],
  ['SUM-01-Q1: two options read "$99$"', inChoice((q) => (at(q.options ?? [], 2).text = '$99$'))],
  ['SUM-01-Q1: a multiple choice has no options', inChoice((q) => delete q.options)],
  [
    'a multiple choice needs the key of a choice',
    inChoice((q) => (q.answer = { type: 'number', value: '101' })),
  ],
  [
    'SUM-01-Q1: "e" is none of the options',
    inChoice((q) => (q.answer = { type: 'choice', correct: 'e' })),
  ],
  ['SUM-01-Q1: "f" is none of the options', inChoice((q) => (at(q.mistakes, 0).answer = 'f'))],
  [
    'SUM-01-Q8: a short answer has options',
    inShortAnswer((q) => (q.options = [{ id: 'a', text: 'A' }])),
  ],
  [
    'a short answer has the key of a choice',
    inShortAnswer((q) => (q.answer = { type: 'choice', correct: 'a' })),
  ],
  [
    'SUM-01-Q8: guesses is no misconception',
    inShortAnswer((q) => (at(q.mistakes, 0).tag = 'guesses')),
  ],
  [
    'SUM-01-Q8: "about 108 or so, I think" should be right',
    inShortAnswer((q) => q.accepted.push('about 108 or so, I think')),
  ],
  [
    'SUM-01-Q8: "109" should be right and is judged close',
    inShortAnswer((q) => q.accepted.push('109')),
  ],
  [
    '"twelvety" should be right',
    inShortAnswer((q) => (q.answer = { type: 'number', value: 'twelvety' })),
  ],
  [
    'SUM-01-Q8: the mistake "108.0" is judged correct',
    inShortAnswer((q) => (at(q.mistakes, 0).answer = '108.0')),
  ],
  [
    'SUM-01-Q8: hint 2 gives the answer "108" away',
    inShortAnswer((q) => (q.hints = ['Add.', 'It is $108$.'])),
  ],
  [
    'SUM-01-Q1: hint 1 gives the answer "$101$" away',
    inChoice((q) => (q.hints = ['Take 101.', 'Count.'])),
  ],
  ['SUM-01-T1#3: hint 1 gives the answer', inTemplate((t) => (t.hints = ['{{sum}}', 'Count.']))],
  [
    'SUM-01-Q8: the mistake "92" is named twice',
    inShortAnswer((q) => q.mistakes.push(at(q.mistakes, 0))),
  ],
  [
    'SUM-01-Q8: the mistake "92" is not the key negated, as subtracts is',
    inUnit((u) => (at(u.misconceptions, 0).effect = 'negated')),
  ],
  [
    'SUM-01-Q8: the mistake "x > 3" is not the key boundary, as one_off is',
    withEffect('boundary', { type: 'inequality', value: 'x < 3' }, 'x > 3'),
  ],
  [
    'SUM-01-Q8: the mistake "x > 4" is not the key reversed, as one_off is',
    withEffect('reversed', { type: 'inequality', value: 'x < 3' }, 'x > 4'),
  ],
  [
    'SUM-01-Q8: the mistake "2, 4" is not the key incomplete, as one_off is',
    withEffect('incomplete', { type: 'set', values: ['2', '3'] }, '2, 4'),
  ],
  [
    'SUM-01-Q8: the key "2sqrt(3)" is shown as it is: write it as a formula',
    inShortAnswer((q) => (q.answer = { type: 'expression', value: '2sqrt(3)' })),
  ],
  [
    'SUM-01 faded example: "4 apples" should be right',
    inUnit((u) => {
      u.fadedExample = {
        problem: 'Add $1$ and $3$.',
        steps: ['Count on.'],
        question: 'Where do you stop?',
        answer: { type: 'number', value: '4 apples' },
        solution: 'At four.',
      }
    }),
  ],
])('questions: %s', async (message, breakIt) => {
  expect(await faultsAfter(breakIt)).toContainEqual(expect.stringContaining(message))
})

test.each<[string, (course: Course) => void]>([
  ['a sign', withEffect('negated', { type: 'number', value: '-8' }, '8')],
  ['every sign', withEffect('negated', { type: 'set', values: ['-8', '3'] }, '-3, 8')],
  ['the direction', withEffect('reversed', { type: 'inequality', value: 'x <= 3' }, '3 <= x')],
  ['a boundary', withEffect('boundary', { type: 'inequality', value: '1 < x <= 3' }, '1 < x < 3')],
  ['a solution', withEffect('incomplete', { type: 'set', values: ['0', '4'] }, '4')],
  ['no meaning', withEffect('incomplete', { type: 'number', value: '4' }, '5')],
])('a mistake may be what its effect says: %s', async (_, breakIt) => {
  expect(await faultsAfter(breakIt)).toEqual([])
})

test('a hint may repeat a number of the question or hold the answer inside another number', async () => {
  const breakIt = inShortAnswer((question) => {
    question.hints = ['Start at $100$.', 'It is more than $1080$ tenths and not 108.5.']
  })
  expect(await faultsAfter(breakIt)).toEqual([])
})

test.each<[string, (course: Course) => void]>([
  ['SUM-01-T1: cannot be drawn: SUM-01-T1: no draw', inTemplate((t) => (t.where = ['a > 50']))],
  ['SUM-01-T1: cannot be drawn: "c" is no parameter', inTemplate((t) => (t.where = ['c > 1']))],
  [
    'SUM-01-T1: cannot be drawn: {{c}} names no parameter',
    inTemplate((t) => (t.solution = '{{c}}')),
  ],
  ['SUM-01-T1: 8 different questions, at least 30', inTemplate((t) => (t.text = 'Add {{a}}.'))],
  ['should be right and is judged', inTemplate((t) => (t.accepted = ['{{difference}}']))],
  ['is judged correct', inTemplate((t) => (t.params.b = { from: -2, to: 9, not: [] }))],
  ['is not how it is written', inTemplate((t) => (t.text = 'What is $1 + {{b}}$ and {{a}}?'))],
  ['SUM-01-T1#1: ', inTemplate((t) => (t.answer = { type: 'number', value: ' ' }))],
  [
    'SUM-01-T1#1: the key does not fulfil "key == a - b"',
    inTemplate((t) => (t.check = 'key == a - b')),
  ],
  ['"key == a -" cannot be worked out', inTemplate((t) => (t.check = 'key == a -'))],
])('templates: %s', async (message, breakIt) => {
  expect(await faultsAfter(breakIt)).toContainEqual(expect.stringContaining(message))
})

test.each<[string, (course: Course) => void]>([
  ['SUM-01: 1 bronze exam questions, at least 2', inExam((e) => (e.tier = 'silver'))],
  ['EX-SUM-01-0A: "e" is none of the options', inExam((e) => (e.correct = 'e'))],
  ['EX-SUM-01-0A: two options have the id a', inExam((e) => (at(e.options, 1).id = 'a'))],
  ['EX-SUM-01-0A: two options read "$5$"', inExam((e) => (at(e.options, 1).text = '$5$'))],
  [
    'the correct option of every exam question is the same',
    inUnit((u) => {
      for (const exam of u.exams) exam.correct = 'a'
    }),
  ],
])('exams: %s', async (message, breakIt) => {
  expect(await faultsAfter(breakIt)).toContainEqual(expect.stringContaining(message))
})

const BROKEN = '$\\frac{1}{$'

test.each<[string, (course: Course) => void]>([
  ['SUM-01 lesson: "\\frac{1}{" does not render', inUnit((u) => (u.lesson = BROKEN))],
  ['SUM-01 lesson: "\\nothing" does not render', inUnit((u) => (u.lesson = '$$\n\\nothing\n$$'))],
  ['SUM-01 lesson: a $ has no partner', inUnit((u) => (u.lesson = 'It costs 3 $.'))],
  ['SUM-01: "\\frac{1}{" does not render', inUnit((u) => (u.keyIdeas[0] = BROKEN))],
  ['SUM-01 example: ', inUnit((u) => (u.workedExample.steps[0] = BROKEN))],
  [
    'SUM-01 example: ',
    inUnit((u) =>
      u.workedExamples.push({ problem: 'Add.', steps: ['So.', 'On.'], answer: BROKEN }),
    ),
  ],
  ['SUM-01 misconceptions: ', inUnit((u) => (at(u.misconceptions, 0).remedy = BROKEN))],
  ['SUM-01-Q1: ', inChoice((q) => (at(q.options ?? [], 2).text = BROKEN))],
  ['SUM-01-Q8: ', inShortAnswer((q) => (q.solution = BROKEN))],
  ['SUM-01-T1#1: ', inTemplate((t) => (t.solution = BROKEN))],
  ['EX-SUM-01-0A: ', inExam((e) => (e.memo = BROKEN))],
])('formulas: %s', async (message, breakIt) => {
  expect(await faultsAfter(breakIt)).toContainEqual(expect.stringContaining(message))
})

const picture = (block: string) =>
  inUnit((u) => (u.lesson = `Look:\n\n\`\`\`plot\n${block}\n\`\`\`\n\nSo.`))

test.each<[string, (course: Course) => void]>([
  ['SUM-01 lesson, picture 1: kind: ', picture('kind: pie\ntext: A pie.')],
  ['SUM-01 lesson, picture 1: text: ', picture('kind: numberline\nrange: [0, 5]')],
  ['text: the text is read out', picture('kind: numberline\nrange: [0, 5]\ntext: From $x$.')],
  ['range: the first number is', picture('kind: numberline\nrange: [5, 0]\ntext: A line.')],
  [
    '7 is outside the range',
    picture('kind: numberline\nrange: [0, 5]\npieces: [{ from: 7 }]\ntext: A line.'),
  ],
  [
    'nothing lies between 3 and 2',
    picture('kind: numberline\nrange: [0, 5]\npieces: [{ from: 3, to: 2 }]\ntext: A line.'),
  ],
  [
    '(3, 9) is outside the window',
    picture('kind: points\nx: [0, 5]\ny: [0, 5]\npoints: [{ at: [3, 9] }]\ntext: A point.'),
  ],
  [
    '"2t + 1" is no expression in x',
    picture("kind: function\nx: [0, 5]\ny: [0, 5]\nfunctions: ['2t + 1']\ntext: A line."),
  ],
  ['SUM-01 lesson, picture 1: ', picture('kind: [')],
])('pictures: %s', async (message, breakIt) => {
  expect(await faultsAfter(breakIt)).toContainEqual(expect.stringContaining(message))
})

const IMAGE = '![Two cells](/api/courses/sums/pictures/cells.svg)'

/** Shows a picture of its own in a lesson. */
const file = (inside: string, lesson = `Look:\n\n${IMAGE}\n\nSo.`, name = 'cells.svg') =>
  drawn(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`, lesson, name)

function drawn(svg: string, lesson = IMAGE, name = 'cells.svg') {
  return (course: Course) => {
    course.pictures = [{ name, svg }]
    at(course.units, 1).lesson = lesson
  }
}

test('a picture that is drawn and nothing else has no fault', async () => {
  const arrow =
    '<defs><marker id="tip"><path d="M0 0"/></marker></defs><!-- an arrow --><g><path d="M0 0" marker-end="url(#tip)"/></g>'
  expect(await faultsAfter(file(`${arrow}<text x="1" fill="#36c">a &amp; b</text>`))).toEqual([])
})

test.each<[string, (course: Course) => void]>([
  ['pictures/others.svg: no lesson shows it', file('', IMAGE, 'others.svg')],
  ['the course has no such picture', file('', IMAGE, 'others.svg')],
  ['the course has no such picture', file('', '![Cells](https://example.org/cells.svg)')],
  ['it does not say what is to be seen', file('', IMAGE.replace('Two cells', ' '))],
  ['the text is read out', file('', IMAGE.replace('Two', '$2$'))],
  ['a picture is a paragraph of its own', file('', `See ${IMAGE} here.`)],
  ['a name is of small letters', file('', '', 'My cells.svg')],
  ['more than 8000 characters', file('<g/>'.repeat(2_000))],
  ['<script> is not allowed', file('<script>1</script>')],
  ['<foreignObject> is not allowed', file('<g><foreignObject/></g>')],
  ['<image> is not allowed', file('<image/>')],
  ['<style> is not allowed', file('<style>@import "x"</style>')],
  ['<x:a> is not allowed', file('<x:a xmlns:x="http://www.w3.org/1999/xhtml"/>')],
  ['onload of <svg> is not allowed', drawn('<svg onload="f()"/>')],
  ['href of <g> is not allowed', file('<g href="https://example.org"/>')],
  ['fill of <g> is not allowed', file('<g fill="url(https://example.org/a#b)"/>')],
  ['style of <g> is not allowed', file('<g style="fill: red"/>')],
  ['xml-stylesheet is not allowed', drawn('<?xml-stylesheet href="a"?><svg/>')],
  ['svg is not allowed', drawn('<!DOCTYPE svg SYSTEM "a"><svg/>')],
  ['no SVG with a viewBox', drawn('<svg viewBox="0 0 9 9"/>')],
  ['no SVG with a viewBox', drawn('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['pictures/cells.svg: ', file('<g>')],
])('files of pictures: %s', async (message, breakIt) => {
  expect(await faultsAfter(breakIt)).toContainEqual(expect.stringContaining(message))
})

test('dollars in code and escaped dollars are no formulas', async () => {
  const breakIt = inUnit((unit) => {
    unit.lesson = 'It costs 3 \\$. Write `$x` or\n\n```\nprice = "$" \n```\n\nand $x$.'
  })
  expect(await faultsAfter(breakIt)).toEqual([])
})
