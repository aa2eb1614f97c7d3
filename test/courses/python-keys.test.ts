import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { BankQuestion } from '../../src/contracts/course-pack.ts'
import { adviseCourse } from '../../src/courses/check-richness.ts'
import { loadCourse } from '../../src/courses/load.ts'
import { type DrawnQuestion, drawQuestion } from '../../src/courses/templates.ts'
import { loadPython, type Ran, type Run } from './python-interpreter.ts'

/**
 * Every key of the Python course computed a second way: what a question shows is run by CPython.
 * What is asked is read off the question's words.
 */
const course = await loadCourse(resolve(import.meta.dirname, '../../courses/python-fundamentals'))
const python = await loadPython()
const DRAWS = 200

type Question = BankQuestion | DrawnQuestion

interface Check {
  run: Run
  /** The right answer, from what the program did. */
  found: (ran: Ran) => string
}

/** Questions whose key cannot be run: which name is allowed, which of several lines does a thing. */
const NOT_RUN = new Set(['PY-01-Q3', 'PY-05-Q10', 'PY-13-Q12'])

const printed = (ran: Ran) => ran.out.trim().split(/\s*\n/).join(' ').replace(/ +/g, ' ')
const lines = (ran: Ran) => ran.out.split('\n').length - 1
const lastLine = (ran: Ran) => ran.out.trim().split('\n').at(-1) ?? ''

const ASKED: [RegExp, (question: Question, match: RegExpExecArray) => Check | null][] = [
  [/In which line is the mistake\?/, mended],
  [/this (?:program )?prints? last\?/, (q) => shown(q, lastLine)],
  [/last number this prints/, (q) => shown(q, lastLine)],
  [/does this print first\?/, (q) => shown(q, (ran) => ran.out.split('\n')[0] ?? '')],
  [/How many lines does (?:this|the) (?:program )?print/, (q) => shown(q, (r) => String(lines(r)))],
  [/How many characters does this print/, (q) => shown(q, (r) => String(printed(r).length))],
  [/Which error does this program stop with/, (q) => shown(q, (ran) => ran.error ?? 'none')],
  [
    /[Ww]hich line (?:stops with an error|does it stop)|stops with an error. In which line/,
    (q) => shown(q, (ran) => String(ran.line)),
  ],
  [
    /(?:Which value has|What is the value of) `(\w+)` at the end/,
    (q, [, name]) => looked(q, name ?? ''),
  ],
  [
    /How many (?:entries|items) has (?:the list )?`(\w+)` at the end/,
    (q, [, name]) => looked(q, `len(${name})`),
  ],
  [/How many items has this list/, (q) => computed(`len(${inline(q)})`)],
  [/What is the type of the value `(.+?)`/, (_, [, value]) => computed(`type(${value}).__name__`)],
  [/Fill in .*(?:program|line) (?:prints|shows) (.+)\./, filledIn],
  [/For how many whole numbers `n` is this `True`/, (q) => countedIn(q, -100, 100)],
  [/How many of these \w+ comparisons are `True`/, comparisons],
  [
    /For how many of the whole numbers (.+?)(?: in place of `n` does this print `(\w+)`| is this `True`)\?/,
    counted,
  ],
  [
    /(?:What|Which number .*) (?:does this|does this program|does it really) print/,
    (q) => shown(q, printed),
  ],
]

function check(question: Question): Check | null {
  for (const [asked, make] of ASKED) {
    const match = asked.exec(question.text)
    if (match) return make(question, match)
  }
  return null
}

function snippet(text: string): string | null {
  return /```python\n([\s\S]*?)```/.exec(text)?.[1] ?? null
}

function inline(question: Question): string {
  const code = /^`(.+)`$/m.exec(question.text)?.[1]
  if (code === undefined) throw new Error(`${question.id} shows no expression`)
  return code
}

function shown(question: Question, found: Check['found']): Check | null {
  const code = snippet(question.text) ?? /`(print\(.+?\))`/.exec(question.text)?.[1]
  return code === undefined ? null : { run: { code, ...typed(question.text) }, found }
}

/** What is typed, where the question says so: "Somebody types `3` and then `5`." */
function typed(text: string) {
  const typed = /types ((?:`[^`]+`(?:, | and then | and )?)+)/.exec(text)?.[1]
  return typed === undefined ? {} : { stdin: `${quoted(typed).join('\n')}\n` }
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, part]) => part ?? '')
}

function looked(question: Question, after: string): Check | null {
  const code = snippet(question.text)
  return code === null ? null : { run: { code, after }, found: (ran) => ran.after ?? '' }
}

function computed(after: string): Check {
  return { run: { code: '', after }, found: (ran) => ran.after ?? '' }
}

/** The key put into the gap; the key is right when the program then prints what it should. */
function filledIn(question: Question, [, wanted]: RegExpExecArray): Check | null {
  const code = snippet(question.text)
  const key = keyText(question)
  if (code === null) return null
  return {
    run: { code: code.replaceAll('____', key) },
    found: (ran) =>
      printed(ran) === quoted(wanted ?? '').join(' ') ? key : `prints ${printed(ran)}`,
  }
}

/** The line mended as the solution says; the key is right when only then what is meant is printed. */
function mended(question: Question): Check | null {
  const code = snippet(question.text)
  const meant = /(?:shall|should|meant to) print ((?:`[^`]+`(?:, | and |, and )?)+)/.exec(
    question.text,
  )
  const [, line, by] = /Line (\d) has to read `(.+?)`/.exec(question.solution) ?? []
  if (code === null || !meant || line === undefined || by === undefined) return null
  const all = code.split('\n')
  const indent = /^ */.exec(all[Number(line) - 1] ?? '')?.[0] ?? ''
  const right = all.with(Number(line) - 1, indent + by).join('\n')
  const wanted = quoted(meant[1] ?? '').join(' ')
  const before = `${PRINTED}\nbefore = printed(${JSON.stringify(code)})\n`
  const after = `printed(${JSON.stringify(right)})`
  return {
    run: { code: before, after: `(before, ${after})[1] if before != ${after} else 'the same'` },
    found: (ran) => (ran.after === wanted ? line : `${ran.after} where ${wanted} is meant`),
  }
}

const PRINTED = `
def printed(code):
    import io, contextlib
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(code, {})
        except Exception as fault:
            print(type(fault).__name__)
    return ' '.join(out.getvalue().split())`

function counted(question: Question, [, range, letter]: RegExpExecArray): Check {
  const numbers = [...(range ?? '').matchAll(/-?\d+/g)].map(([number]) => Number(number))
  const [from, to] = [numbers[0] ?? 0, numbers.at(-1) ?? 0]
  if (letter !== undefined) {
    const code = JSON.stringify(snippet(question.text))
    const test = `printed(${code}.replace('n = 0', '').join(['n = %d\\n' % n, ''])) == '${letter}'`
    return {
      run: { code: PRINTED, after: `sum(${test} for n in range(${from}, ${to + 1}))` },
      found: (ran) => ran.after ?? '',
    }
  }
  return countedIn(question, from, to)
}

function countedIn(question: Question, from: number, to: number): Check {
  const code = inline(question)
  const name = /\b([a-z])\b/.exec(code)?.[1] ?? 'n'
  return computed(`sum(bool(${code}) for ${name} in range(${from}, ${to + 1}))`)
}

/** "Let `x` be 7. How many of these four comparisons are `True`?", one on each line. */
function comparisons(question: Question): Check | null {
  const code = snippet(question.text)?.trim().split('\n')
  const [, name, value] = /Let `(\w)` be (-?\d+)/.exec(question.text) ?? []
  if (code === undefined || name === undefined) return null
  const after = `sum(bool(part) for part in [${code.join(', ')}])`
  return { run: { code: `${name} = ${value}`, after }, found: (ran) => ran.after ?? '' }
}

function keyText({ answer, options = [] }: Question): string {
  switch (answer.type) {
    case 'choice': {
      const option = options.find(({ id }) => id === answer.correct)?.text ?? ''
      return option.replace(/`/g, '').replace(/, then /g, ' ')
    }
    case 'number':
    case 'code':
      return answer.value
    case 'text':
      return answer.accepted[0] ?? ''
    default:
      throw new Error(`no key of a Python question is of type ${answer.type}`)
  }
}

const questions: Question[] = course.units.flatMap((unit) => [
  ...unit.questions,
  ...unit.templates.flatMap((template) =>
    Array.from({ length: DRAWS }, (_, seed) => drawQuestion(template, seed + 1)),
  ),
])

test('every question that shows a program, and every drawn one, can be run', () => {
  const left = questions.filter(
    (question) =>
      ('params' in question || snippet(question.text) !== null) &&
      !NOT_RUN.has(question.id) &&
      check(question) === null,
  )
  expect([...new Set(left.map(({ id }) => id.replace(/#.*/, '')))]).toEqual([])
})

test('the keys are what Python says', { timeout: 60_000 }, () => {
  const checks = questions
    .filter(({ id }) => !NOT_RUN.has(id))
    .flatMap((question) => {
      const made = check(question)
      return made ? [{ question, ...made }] : []
    })
  const ran = python.run(checks.map(({ run }) => run))
  const wrong = checks.flatMap(({ question, found }, index) => {
    const python = found(ran[index] as Ran)
    const key = keyText(question)
    return python === key ? [] : [`${question.id}: the key is ${key}, Python says ${python}`]
  })
  expect(wrong.slice(0, 40)).toEqual([])
})

test('a wrong key is told from a right one', () => {
  const question = { ...questions[1], answer: { type: 'number', value: '14' } } as BankQuestion
  const { run, found } = check(question) as Check
  expect(found(python.run([run])[0] as Ran)).not.toBe(keyText(question))
})

test('nothing is missing that would make the course richer', () => {
  expect(adviseCourse(course)).toEqual([])
})

test.each(course.units)('$unitId works its examples out as Python does', (unit) => {
  for (const { problem, answer } of [unit.workedExample, ...unit.workedExamples]) {
    const [ran] = python.run([{ code: snippet(problem) ?? '', ...typed(problem) }])
    const printed = ran?.out.split('\n').filter((line) => line !== '') ?? []
    expect(quoted(answer)).toEqual(expect.arrayContaining(printed))
  }
  const { problem, question, answer } = unit.fadedExample ?? expect.fail('no faded example')
  const asked = { ...unit.questions[0], text: problem, answer } as BankQuestion
  expect(question).toMatch(/What does the last line print\?$/)
  const [ran] = python.run([{ code: snippet(problem) ?? '' }])
  expect(lastLine(ran as Ran)).toBe(keyText(asked))
})
