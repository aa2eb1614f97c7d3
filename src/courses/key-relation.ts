import { all, create, type EvalFunction, type FactoryFunctionMap } from 'mathjs'
import type { QuestionTemplate } from '../contracts/course-pack.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import { plainMath } from '../domain/notation/plain-math.ts'
import type { DrawnQuestion } from './templates.ts'

const math = create(all as FactoryFunctionMap)
const { equal, compile } = math
const areEqual = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' || typeof b === 'string'
    ? a === b
    : Boolean(equal(a as number, b as number))
// As in a template's own expressions, texts may be compared as well; mathjs compares numbers only.
math.import(
  { equal: areEqual, unequal: (a: unknown, b: unknown) => !areEqual(a, b) },
  { override: true },
)

const FUNCTIONS = new Set(['sqrt', 'abs'])
const SAMPLES = [0.6, 2.3, 5.9]

/**
 * Whether the key of a drawn question fulfils its template's `check`; true without one. Letters that are no parameters
 * take three sample values, and `key` is the key's value there.
 * @throws Error when the relation or the key cannot be read
 */
export function fulfilsCheck(template: QuestionTemplate, drawn: DrawnQuestion): boolean {
  if (template.check === undefined) return true
  const check = template.check
  const relation = compiledOnce(check)
  return SAMPLES.every((sample) =>
    keyValues(drawn.answer, sample).every((key) => {
      const scope = new Map<string, unknown>(Object.entries({ ...drawn.params, key }))
      for (const [letter] of check.matchAll(/\b[a-zA-Z]\b/g)) {
        if (!scope.has(letter)) scope.set(letter, sample)
      }
      return relation.evaluate(scope) === true
    }),
  )
}

const compiled = new Map<string, EvalFunction>()

/** A template's relation is asked about thousands of questions. */
function compiledOnce(relation: string): EvalFunction {
  const known = compiled.get(relation) ?? compile(relation)
  compiled.set(relation, known)
  return known
}

/** What the key says, as numbers where it is one: each value of a set, an expression where its letters are `sample`. */
function keyValues(key: AnswerKey, sample: number): (number | string)[] {
  switch (key.type) {
    case 'number':
      return [valueAt(key.value, sample)]
    case 'set':
      return key.values.map((value) => valueAt(value, sample))
    case 'expression':
      return [valueAt(key.value, sample)]
    case 'equation':
      return [valueAt(key.value.replace(/^[^=]*=/, ''), sample)]
    case 'choice':
      return [key.correct]
    case 'inequality':
    case 'pair':
    case 'code':
      return [key.value]
    case 'text':
      return key.accepted
  }
}

function valueAt(formula: string, sample: number): number {
  const source = inMathjs(formula)
  const letters = source.match(/\b[a-zA-Z]\b/g) ?? []
  return Number(
    compile(source).evaluate(Object.fromEntries(letters.map((letter) => [letter, sample]))),
  )
}

/** A formula in LaTeX or plain signs as mathjs reads it: one letter is one variable, and every product is written. */
export function inMathjs(formula: string): string {
  return plainMath(formula)
    .replace(/[a-zA-Z]+/g, (word) => (FUNCTIONS.has(word) ? word : `${[...word].join(' * ')} `))
    .replace(/([\d)]|[a-zA-Z] )\s*(?=\(|[a-zA-Z])/g, '$1* ')
}
