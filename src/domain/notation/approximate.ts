/** Floating-point evaluation that carries a bound of its own rounding error, so that noise is never read as a result. */
import type { Expression, FunctionName, Operation } from './expression.ts'

/** `value` is NaN where the expression is undefined over the reals, and infinite where it is out of range. */
export interface Approximation {
  value: number
  error: number
}

const NOWHERE: ReadonlyMap<string, number> = new Map()
const ROUNDING = Number.EPSILON
const UNDEFINED: Approximation = { value: Number.NaN, error: 0 }
const OUT_OF_RANGE: Approximation = { value: Number.POSITIVE_INFINITY, error: 0 }

/** The value of `expression` with every letter taken from `point`; a constant needs none. */
export function approximate(
  expression: Expression,
  point: ReadonlyMap<string, number> = NOWHERE,
): Approximation {
  switch (expression.kind) {
    case 'number':
      return rounded(Number(expression.n) / Number(expression.d), 0)
    case 'symbol':
      return symbolValue(expression.name, point)
    case 'negate': {
      const of = approximate(expression.of, point)
      return { value: -of.value, error: of.error }
    }
    case 'call': {
      const of = approximate(expression.of, point)
      return Number.isFinite(of.value) ? called(expression.name, of) : of
    }
    default: {
      const left = approximate(expression.left, point)
      const right = approximate(expression.right, point)
      if (Number.isNaN(left.value) || Number.isNaN(right.value)) return UNDEFINED
      if (!Number.isFinite(left.value) || !Number.isFinite(right.value)) return OUT_OF_RANGE
      return operated(expression.kind, left, right)
    }
  }
}

function symbolValue(name: string, point: ReadonlyMap<string, number>): Approximation {
  if (name === 'pi') return rounded(Math.PI, 0)
  if (name === 'e') return rounded(Math.E, 0)
  return { value: point.get(name) ?? Number.NaN, error: 0 }
}

function rounded(value: number, error: number): Approximation {
  if (!Number.isFinite(value) || !Number.isFinite(error)) return OUT_OF_RANGE
  return { value, error: error + ROUNDING * Math.abs(value) }
}

function operated(kind: Operation, a: Approximation, b: Approximation): Approximation {
  switch (kind) {
    case 'add':
      return rounded(a.value + b.value, a.error + b.error)
    case 'subtract':
      return rounded(a.value - b.value, a.error + b.error)
    case 'multiply':
      return rounded(
        a.value * b.value,
        Math.abs(a.value) * b.error + Math.abs(b.value) * a.error + a.error * b.error,
      )
    case 'divide':
      return divided(a, b)
    case 'power':
      return raised(a, b)
  }
}

function divided(a: Approximation, b: Approximation): Approximation {
  if (b.value === 0 && b.error === 0) return UNDEFINED
  const safe = Math.abs(b.value) - b.error
  if (safe <= 0) return OUT_OF_RANGE
  const value = a.value / b.value
  return rounded(value, (a.error + Math.abs(value) * b.error) / safe)
}

function raised(base: Approximation, exponent: Approximation): Approximation {
  const whole = Math.round(exponent.value)
  if (Math.abs(exponent.value - whole) <= exponent.error) return raisedToWhole(base, whole)
  if (base.value < -base.error) return UNDEFINED
  if (base.value <= base.error) return OUT_OF_RANGE
  const value = base.value ** exponent.value
  const relative =
    (Math.abs(exponent.value) * base.error) / (base.value - base.error) +
    Math.abs(Math.log(base.value)) * exponent.error
  return rounded(value, Math.abs(value) * relative)
}

function raisedToWhole(base: Approximation, n: number): Approximation {
  const size = Math.abs(base.value)
  if (n <= 0 && base.value === 0 && base.error === 0) return UNDEFINED
  if (n > 0) {
    return rounded(base.value ** n, n * (size + base.error) ** (n - 1) * base.error)
  }
  if (size <= base.error) return OUT_OF_RANGE
  return rounded(base.value ** n, -n * (size - base.error) ** (n - 1) * base.error)
}

function called(name: FunctionName, { value, error }: Approximation): Approximation {
  switch (name) {
    case 'sqrt':
      if (value < -error) return UNDEFINED
      if (value <= error) return { value: 0, error: Math.sqrt(2 * error) }
      return rounded(Math.sqrt(value), error / Math.sqrt(value - error))
    case 'abs':
      return { value: Math.abs(value), error }
    case 'sin':
      return rounded(Math.sin(value), error)
    case 'cos':
      return rounded(Math.cos(value), error)
    case 'tan':
      return divided(rounded(Math.sin(value), error), rounded(Math.cos(value), error))
    case 'exp':
      return error < 1 ? rounded(Math.exp(value), 2 * Math.exp(value) * error) : OUT_OF_RANGE
    case 'ln':
    case 'log':
      if (value < -error || (value === 0 && error === 0)) return UNDEFINED
      if (value <= error) return OUT_OF_RANGE
      return rounded(name === 'ln' ? Math.log(value) : Math.log10(value), error / (value - error))
  }
}
