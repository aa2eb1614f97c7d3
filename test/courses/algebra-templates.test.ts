import { resolve } from 'node:path'
import { evaluate, parse } from 'mathjs'
import { describe, expect, test } from 'vitest'
import type { QuestionTemplate } from '../../src/contracts/course-pack.ts'
import { adviseCourse } from '../../src/courses/check-richness.ts'
import { fulfilsCheck, inMathjs } from '../../src/courses/key-relation.ts'
import { loadCourse } from '../../src/courses/load.ts'
import { type DrawnQuestion, drawQuestion } from '../../src/courses/templates.ts'

const DRAWS = 200
const course = await loadCourse(resolve(import.meta.dirname, '../../courses/algebra-basics'))
const templates = course.units.flatMap((unit) => unit.templates)

test('algebra carries a learner who comes back: templates, kinds, different questions, examples', () => {
  expect(adviseCourse(course)).toEqual([])
})

describe('every key is right by another way than its own formula', () => {
  test.each(templates.map((template) => [template.id, template] as const))('%s', (_, template) => {
    for (let seed = 1; seed <= DRAWS; seed++) {
      const drawn = drawQuestion(template, seed)
      const fault = faultOf(template, drawn)
      expect(fault, `${drawn.id}: ${drawn.text} ${JSON.stringify(drawn.answer)}`).toBeNull()
    }
  })

  test('and a wrong key is found, whichever way it is checked', () => {
    for (const template of templates) {
      const drawn = drawQuestion(template, 7)
      const [mistake] = drawn.mistakes
      if (!mistake || drawn.answer.type === 'text') continue
      const wrong = { ...drawn, answer: { ...drawn.answer, ...keyed(drawn, mistake.answer) } }
      expect(isRefused(template, wrong as DrawnQuestion), drawn.id).toBe(true)
    }
  })
})

/** A key with a letter that the question lacks cannot be worked out at all. */
function isRefused(template: QuestionTemplate, drawn: DrawnQuestion): boolean {
  try {
    return faultOf(template, drawn) !== null
  } catch {
    return true
  }
}

function keyed({ answer }: DrawnQuestion, value: string) {
  return answer.type === 'set' ? { values: value.split(', ') } : { value }
}

/** What is wrong with the key, from the relation of the template or else from the text of the question alone. */
function faultOf(template: QuestionTemplate, drawn: DrawnQuestion): string | null {
  if (template.check) return fulfilsCheck(template, drawn) ? null : 'the relation does not hold'
  const reader = READERS.find(({ task }) => task.test(drawn.text))
  const match = reader?.task.exec(drawn.text)
  if (!reader || !match) return 'nothing checks this template'
  return reader.holds(match.slice(1), drawn) ? null : 'the key does not fit the text'
}

/** How the questions are put, and what must hold of the key by the formulas printed in them. */
const READERS: {
  task: RegExp
  holds: (formulas: string[], drawn: DrawnQuestion) => boolean
}[] = [
  {
    task: /^Work out \$(.+?)\$/,
    holds: ([formula = ''], drawn) => near(at(formula, {}), at(oneKey(drawn), {})),
  },
  {
    task: /^Solve \$([^$]+)\$ and \$([^$]+)\$\. (?:Give the value of \$(.+?)\$|Write your answer)/,
    holds: ([first = '', second = '', wanted], drawn) => {
      const solution = crossing(first, second)
      if (wanted) return near(at(wanted, solution), at(oneKey(drawn), {}))
      const [x, y] = pairOf(drawn)
      return near(solution.x, x) && near(solution.y, y)
    },
  },
  {
    task: /^What is the vertex of \$y = (.+?)\$/,
    holds: ([formula = ''], drawn) => {
      const [x, y] = pairOf(drawn)
      const before = at(formula, { x: x - 1 })
      return at(formula, { x }) === y && y < before && before === at(formula, { x: x + 1 })
    },
  },
  {
    task: /^Solve \$([^$]*(?:<|>|\\[lg]e)[^$]*)\$/,
    holds: ([inequality = ''], drawn) =>
      range(-60, 60, 0.5).every((x) => isTrue(inequality, x) === isTrue(oneKey(drawn), x)),
  },
  {
    task: /^Solve \$([^$]+)\$(?: with the formula)?\./,
    holds: ([equation = ''], drawn) => {
      const { answer } = drawn
      const keys = answer.type === 'set' ? answer.values : [oneKey(drawn)]
      const values = keys.map((key) => at(key, {}))
      const gap = (x: number) => gapOf(equation, { x })
      return (
        values.every((x) => Math.abs(gap(x)) < 1e-7) &&
        new Set(values.map((x) => x.toFixed(9))).size === countRoots(gap)
      )
    },
  },
  {
    task: /^Fill in the bracket: \$(.+?) = (.+?)\(\\ldots\)\$/,
    holds: ([whole = '', factor = ''], drawn) =>
      isSame(whole, `${factor} \\cdot (${oneKey(drawn)})`),
  },
  {
    task: /^Make \$x\$ the subject of \$(.+?)\$/,
    holds: ([formula = ''], drawn) =>
      [0.7, 1.9, 3.3].every((y) => {
        const others = { y, a: 11.3 }
        return Math.abs(gapOf(formula, { ...others, x: at(oneKey(drawn), others) })) < 1e-7
      }),
  },
  {
    task: /^Make \$y\$ the subject of \$(.+?)\$/,
    holds: ([formula = ''], drawn) =>
      [0.7, 1.9, 3.3].every(
        (x) => Math.abs(gapOf(formula, { x, y: at(oneKey(drawn), { x }) })) < 1e-7,
      ),
  },
  {
    task: /^(?:Simplify|Expand|Expand and simplify|Factor|Write) \$(.+?)\$(?: fully| as far as possible| without .+)?\.$/,
    holds: ([formula = ''], drawn) => isSame(formula, oneKey(drawn)),
  },
]

function oneKey({ answer }: DrawnQuestion): string {
  if ('value' in answer) return answer.value
  throw new Error(`a ${answer.type} is not one formula`)
}

/** The first two numbers of the key: a pair. */
function pairOf({ answer }: DrawnQuestion): [number, number] {
  const [x, y] = JSON.stringify(answer).match(/-?\d+/g) ?? []
  return [Number(x), Number(y)]
}

function at(formula: string, letters: Record<string, number>): number {
  return Number(evaluate(inMathjs(formula), letters))
}

/** Left side less right side. */
function gapOf(equation: string, letters: Record<string, number>): number {
  const [left = '', right = ''] = equation.split('=')
  return at(left, letters) - at(right, letters)
}

function isTrue(inequality: string, x: number): boolean {
  return parse(inMathjs(inequality)).evaluate({ x }) === true
}

function isSame(left: string, right: string): boolean {
  return [0.6, 1.3, 2.7].every((value) => {
    const letters = Object.fromEntries([...'xyant'].map((letter, i) => [letter, value + i / 7]))
    return near(at(left, letters), at(right, letters))
  })
}

/** The point where two lines meet, by Cramer's rule on the coefficients read off three points. */
function crossing(first: string, second: string): { x: number; y: number } {
  const [a1, b1, c1] = coefficients(first)
  const [a2, b2, c2] = coefficients(second)
  const determinant = a1 * b2 - a2 * b1
  return { x: (c2 * b1 - c1 * b2) / determinant, y: (a2 * c1 - a1 * c2) / determinant }
}

function coefficients(equation: string): [number, number, number] {
  const c = gapOf(equation, { x: 0, y: 0 })
  return [gapOf(equation, { x: 1, y: 0 }) - c, gapOf(equation, { x: 0, y: 1 }) - c, c]
}

/** How many real zeros a polynomial of degree 1 or 2 has, from three of its values. */
function countRoots(f: (x: number) => number): number {
  const c = f(0)
  const a = (f(1) + f(-1)) / 2 - c
  const b = (f(1) - f(-1)) / 2
  if (Math.abs(a) < 1e-9) return Math.abs(b) < 1e-9 ? 0 : 1
  const discriminant = b * b - 4 * a * c
  if (Math.abs(discriminant) < 1e-9) return 1
  return discriminant > 0 ? 2 : 0
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
}

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step)
}
