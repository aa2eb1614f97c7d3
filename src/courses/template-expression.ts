import { createRequire } from 'node:module'
import type { FunctionNode, MathNode, OperatorNode } from 'mathjs'

export type ParamValue = number | string

const parsed = new Map<string, MathNode>()

const require = createRequire(import.meta.url)
let library: typeof import('mathjs') | null = null

/** The library takes half a second to load: processes start without it, and most turns do. */
function mathjs(): typeof import('mathjs') {
  library ??= require('mathjs') as typeof import('mathjs')
  return library
}

/**
 * The value of an expression over parameters: + - * / ^, parentheses, `abs`, `floor`,
 * `mod(a, b)` (with the sign of `b`), `min`, `max`, and `a < b ? x : y`. A name or a constant in
 * quotes may stand for a text; of texts there are `concat(a, …)`, `slice(s, from, to)` (indices from
 * 0, negative ones from the end), `length`, `upper`, `lower`, `repeat(s, n)`, `replace(s, old, new)`,
 * `count(s, part)`, `find(s, part)` (-1 if it is not there) and `fixed(x, digits)`.
 * @throws Error for an unknown name and for anything else that may stand in an expression
 */
export function evaluate(expression: string, values: Readonly<Record<string, ParamValue>>) {
  return resolve(parsedOnce(expression), values)
}

/**
 * Whether a comparison (`==`, `!=`, `<`, `<=`, `>`, `>=`) of two expressions holds; texts may be
 * compared for equality.
 * @throws Error when it is no comparison, or as `evaluate` does
 */
export function holds(condition: string, values: Readonly<Record<string, ParamValue>>): boolean {
  return comparisonHolds(parsedOnce(condition), values)
}

/** A number as a learner would write it, without the noise of binary fractions; a text as it is. */
export function plain(value: ParamValue): string {
  return typeof value === 'string' ? value : String(Number(value.toFixed(10)) + 0)
}

function comparisonHolds(node: MathNode, values: Readonly<Record<string, ParamValue>>): boolean {
  if (mathjs().isParenthesisNode(node)) return comparisonHolds(node.content, values)
  const compare = mathjs().isOperatorNode(node) ? comparisons[node.op] : undefined
  if (!compare || !mathjs().isOperatorNode(node)) throw new Error(`"${node}" is not a comparison`)
  const [left, right] = node.args.map((side) => resolve(side, values))
  if (left === undefined || right === undefined) throw new Error(`"${node}" lacks a side`)
  return compare(left, right)
}

const comparisons: Record<string, (a: ParamValue, b: ParamValue) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => number(a) < number(b),
  '<=': (a, b) => number(a) <= number(b),
  '>': (a, b) => number(a) > number(b),
  '>=': (a, b) => number(a) >= number(b),
}

const operators: Record<string, (...args: number[]) => number> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  pow: (a, b) => a ** b,
  unaryMinus: (a) => -a,
  unaryPlus: (a) => a,
}

const functions: Record<string, (...args: number[]) => number> = {
  abs: Math.abs,
  floor: Math.floor,
  min: Math.min,
  max: Math.max,
  mod: (a, b) => a - b * Math.floor(a / b),
}

const textFunctions: Record<string, (...args: ParamValue[]) => ParamValue> = {
  concat: (...parts) => parts.map(plain).join(''),
  slice: (s, from, to) => text(s).slice(number(from), to === undefined ? undefined : number(to)),
  length: (s) => text(s).length,
  upper: (s) => text(s).toUpperCase(),
  lower: (s) => text(s).toLowerCase(),
  repeat: (s, times) => text(s).repeat(number(times)),
  replace: (s, old, by) => text(s).replaceAll(text(old), () => text(by)),
  count: (s, part) => text(s).split(text(part)).length - 1,
  find: (s, part) => text(s).indexOf(text(part)),
  fixed: (x, digits) => number(x).toFixed(number(digits)),
}

function parsedOnce(expression: string): MathNode {
  const known = parsed.get(expression)
  if (known) return known
  const node = mathjs().parse(expression)
  parsed.set(expression, node)
  return node
}

function resolve(node: MathNode, values: Readonly<Record<string, ParamValue>>): ParamValue {
  if (mathjs().isParenthesisNode(node)) return resolve(node.content, values)
  if (mathjs().isConstantNode(node)) return constant(node.value)
  if (mathjs().isSymbolNode(node)) {
    const value = Object.hasOwn(values, node.name) ? values[node.name] : undefined
    if (value === undefined) throw new Error(`"${node.name}" is no parameter`)
    return value
  }
  if (mathjs().isConditionalNode(node)) {
    const chosen = comparisonHolds(node.condition, values) ? node.trueExpr : node.falseExpr
    return resolve(chosen, values)
  }
  const ofTexts = mathjs().isFunctionNode(node) && entry(textFunctions, node.fn.name)
  if (ofTexts) return ofTexts(...node.args.map((argument) => resolve(argument, values)))
  const operation = mathjs().isOperatorNode(node)
    ? entry(operators, node.fn)
    : mathjs().isFunctionNode(node) && entry(functions, node.fn.name)
  if (!operation) throw new Error(`"${node.toString()}" may not stand in an expression`)
  const { args } = node as OperatorNode | FunctionNode
  return operation(...args.map((argument) => number(resolve(argument, values))))
}

function entry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function constant(value: unknown): ParamValue {
  if (typeof value === 'number' || typeof value === 'string') return value
  throw new Error(`"${String(value)}" is neither a number nor a text`)
}

function number(value: ParamValue | undefined): number {
  if (typeof value === 'number') return value
  throw new Error(`"${value}" is not a number`)
}

function text(value: ParamValue | undefined): string {
  if (value === undefined) throw new Error('a text is missing')
  return plain(value)
}
