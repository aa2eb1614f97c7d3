/**
 * School notation as a tree that can hold nothing but numbers, letters, pi, e, + - * / ^ and eight functions.
 * What does not fit is refused while it is read, so nothing else can ever reach an evaluator.
 */
import { MAX_ANSWER_LENGTH, plainMath } from './plain-math.ts'
import { FUNCTIONS, type Token, tokenise, Unreadable } from './tokens.ts'

export type FunctionName = 'sqrt' | 'abs' | 'sin' | 'cos' | 'tan' | 'log' | 'ln' | 'exp'
export type Operation = 'add' | 'subtract' | 'multiply' | 'divide' | 'power'

/** A number is the exact fraction n/d; a symbol is one letter, or `pi`, or `e`. `log` has base 10. */
export type Expression =
  | { kind: 'number'; n: bigint; d: bigint }
  | { kind: 'symbol'; name: string }
  | { kind: 'negate'; of: Expression }
  | { kind: Operation; left: Expression; right: Expression }
  | { kind: 'call'; name: FunctionName; of: Expression }

export interface ReadingOptions {
  /** Reads "1/2x" as 1/(2x); by the order of operations, and by default, it is (1/2)x. */
  tight?: boolean
  /** The letters of the key. A run of letters with a foreign one is then a word, not a product: "no" is not n · o. */
  letters?: ReadonlySet<string>
}

const MAX_DEPTH = 30
const MAX_EXPONENT = 1000n
/** Functions whose argument may stand without brackets: "sin 2x". */
const BARE_ARGUMENT = new Set<FunctionName>(['sin', 'cos', 'tan', 'log', 'ln'])

/** The tree of `text`, or null when it is not an expression of this notation (or too long, too deep, too large). */
export function readExpression(text: string, options: ReadingOptions = {}): Expression | null {
  if (text.length > MAX_ANSWER_LENGTH) return null
  try {
    const tokens = tokenise(plainMath(text), options.letters)
    const tight = options.tight ?? false
    return whole({ tokens, at: 0, depth: 0, insideBars: false, tight })
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

/** The letters of an expression, `pi` and `e` left out. */
export function lettersOf(expression: Expression): Set<string> {
  const letters = new Set<string>()
  for (const node of nodesOf(expression)) {
    if (node.kind === 'symbol' && node.name !== 'pi' && node.name !== 'e') letters.add(node.name)
  }
  return letters
}

/** Every node of the tree, the root first. */
export function* nodesOf(expression: Expression): Generator<Expression> {
  yield expression
  for (const part of partsOf(expression)) yield* nodesOf(part)
}

export function partsOf(expression: Expression): Expression[] {
  if ('left' in expression) return [expression.left, expression.right]
  return 'of' in expression ? [expression.of] : []
}

/** One writing per tree, brackets everywhere: "3(x+2)" and "3*(x + 2)" are written alike. */
export function written(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return expression.d === 1n ? `${expression.n}` : `${expression.n}/${expression.d}`
    case 'symbol':
      return expression.name
    default: {
      const name = expression.kind === 'call' ? expression.name : expression.kind
      return `${name}(${partsOf(expression).map(written).join(' ')})`
    }
  }
}

type Signed = '+' | '-' | '*' | '/' | '^' | '(' | ')' | '|'

/** Where the parser stands. */
interface Reader {
  tokens: Token[]
  at: number
  depth: number
  insideBars: boolean
  tight: boolean
}

function whole(reader: Reader): Expression {
  const expression = sum(reader)
  if (reader.at < reader.tokens.length) throw new Unreadable()
  return expression
}

function sum(reader: Reader): Expression {
  let left = product(reader)
  for (let sign = take(reader, '+', '-'); sign; sign = take(reader, '+', '-')) {
    left = { kind: sign === '+' ? 'add' : 'subtract', left, right: product(reader) }
  }
  return left
}

function product(reader: Reader): Expression {
  const operand = reader.tight ? juxtaposition : factor
  let left = operand(reader)
  for (;;) {
    const sign = take(reader, '*', '/')
    if (sign) {
      left = { kind: sign === '*' ? 'multiply' : 'divide', left, right: operand(reader) }
    } else if (isJuxtaposed(reader)) {
      left = { kind: 'multiply', left, right: power(reader) }
    } else return left
  }
}

function juxtaposition(reader: Reader): Expression {
  let left = factor(reader)
  while (isJuxtaposed(reader)) left = { kind: 'multiply', left, right: power(reader) }
  return left
}

/** A factor that follows without a sign; a number never does: "x2" and "2 3" are refused. */
function isJuxtaposed(reader: Reader): boolean {
  if (reader.tokens[reader.at]?.type === 'name' || isAhead(reader, '(')) return true
  return !reader.insideBars && isAhead(reader, '|')
}

function factor(reader: Reader): Expression {
  const sign = take(reader, '+', '-')
  if (!sign) return power(reader)
  const of = nested(reader, factor)
  return sign === '-' ? { kind: 'negate', of } : of
}

function power(reader: Reader): Expression {
  const left = atom(reader)
  if (!take(reader, '^')) return left
  const right = nested(reader, exponent)
  if (isTooLarge(right)) throw new Unreadable()
  return { kind: 'power', left, right }
}

function exponent(reader: Reader): Expression {
  return take(reader, '-') ? { kind: 'negate', of: nested(reader, exponent) } : power(reader)
}

function atom(reader: Reader): Expression {
  const token = reader.tokens[reader.at++]
  if (token?.type === 'number') return { kind: 'number', n: token.n, d: token.d }
  if (token?.type === 'name') {
    return isFunctionName(token.text)
      ? call(reader, token.text)
      : { kind: 'symbol', name: token.text }
  }
  if (token?.text === '(') return bracketed(reader)
  if (token?.text === '|' && !reader.insideBars) return bars(reader)
  throw new Unreadable()
}

function bracketed(reader: Reader): Expression {
  const outside = reader.insideBars
  reader.insideBars = false
  const inner = nested(reader, sum)
  reader.insideBars = outside
  need(reader, ')')
  return inner
}

function bars(reader: Reader): Expression {
  reader.insideBars = true
  const of = nested(reader, sum)
  reader.insideBars = false
  need(reader, '|')
  return { kind: 'call', name: 'abs', of }
}

/** "sin(x)", "sin 2x", "sin^2 x"; the power must be a number, and "sin^-1" is refused: it has two meanings. */
function call(reader: Reader, name: FunctionName): Expression {
  const right = take(reader, '^') ? atom(reader) : null
  if (right && (right.kind !== 'number' || isTooLarge(right))) throw new Unreadable()
  const of = take(reader, '(') ? bracketed(reader) : bareArgument(reader, name)
  const left: Expression = { kind: 'call', name, of }
  return right ? { kind: 'power', left, right } : left
}

function bareArgument(reader: Reader, name: FunctionName): Expression {
  const next = reader.tokens[reader.at]
  if (!BARE_ARGUMENT.has(name) || !next || next.type === 'sign') throw new Unreadable()
  let argument = nested(reader, power)
  while (isLetterAhead(reader)) {
    argument = { kind: 'multiply', left: argument, right: power(reader) }
  }
  return argument
}

function isLetterAhead(reader: Reader): boolean {
  const token = reader.tokens[reader.at]
  return token?.type === 'name' && !isFunctionName(token.text)
}

function nested(reader: Reader, read: (reader: Reader) => Expression): Expression {
  if (++reader.depth > MAX_DEPTH) throw new Unreadable()
  const expression = read(reader)
  reader.depth--
  return expression
}

function isAhead(reader: Reader, sign: Signed): boolean {
  const token = reader.tokens[reader.at]
  return token?.type === 'sign' && token.text === sign
}

function take(reader: Reader, ...signs: Signed[]): Signed | null {
  const found = signs.find((sign) => isAhead(reader, sign)) ?? null
  if (found) reader.at++
  return found
}

function need(reader: Reader, sign: Signed): void {
  if (!take(reader, sign)) throw new Unreadable()
}

function isFunctionName(name: string): name is FunctionName {
  return FUNCTIONS.includes(name)
}

function isTooLarge(exponent: Expression): boolean {
  if (exponent.kind === 'negate') return isTooLarge(exponent.of)
  return exponent.kind === 'number' && exponent.n > MAX_EXPONENT * exponent.d
}
