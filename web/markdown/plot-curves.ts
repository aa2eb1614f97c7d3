import { scaleLinear } from 'd3-scale'
import { approximate } from '../../src/domain/notation/approximate.ts'
import { readExpression } from '../../src/domain/notation/expression.ts'

const STEPS = 160

/** A place on the x-axis with the height of every curve there; a curve that is not defined has none. */
export type CurvePoint = { x: number } & Record<string, number>

/** The curves of expressions in x, at evenly spaced places from one end of the range to the other; `y0`, `y1`, … */
export function curvePoints(functions: readonly string[], range: readonly [number, number]) {
  const [from, to] = range
  const expressions = functions.map((formula) => readExpression(formula))
  return Array.from({ length: STEPS + 1 }, (_, step): CurvePoint => {
    const x = from + ((to - from) * step) / STEPS
    const point: CurvePoint = { x }
    for (const [index, expression] of expressions.entries()) {
      const { value } = expression ? approximate(expression, new Map([['x', x]])) : { value: NaN }
      if (Number.isFinite(value)) point[`y${index}`] = value
    }
    return point
  })
}

/** Whole places from one end to the other, about a dozen at most, zero among them where it lies between. */
export const ticks = (range: readonly [number, number]): number[] =>
  scaleLinear().domain(range).ticks(8).filter(Number.isInteger)
