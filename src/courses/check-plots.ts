import { parse } from 'yaml'
import type { Unit } from '../contracts/course-pack.ts'
import { Plot, plotSources } from '../contracts/plot.ts'
import { lettersOf, readExpression } from '../domain/notation/expression.ts'

/** What is wrong with the pictures of a unit's lesson, in words. */
export function checkPlots({ unitId, lesson }: Unit): string[] {
  return plotSources(lesson).flatMap((source, index) =>
    faultsOf(source).map((fault) => `${unitId} lesson, picture ${index + 1}: ${fault}`),
  )
}

function faultsOf(source: string): string[] {
  try {
    const { success, data, error } = Plot.safeParse(parse(source))
    if (success) return contentFaults(data)
    return error.issues.map((issue) => `${issue.path.join('.') || 'the block'}: ${issue.message}`)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function contentFaults(plot: Plot): string[] {
  if (plot.kind === 'numberline') {
    const { range, pieces, points } = plot
    const bounds = pieces
      .flatMap(({ from, to }) => [from, to])
      .filter((bound) => bound !== undefined)
    return [
      ...[...bounds, ...points.map(({ at }) => at)]
        .filter((place) => !lies(place, range))
        .map((place) => `${place} is outside the range`),
      ...pieces
        .filter(({ from, to }) => from !== undefined && to !== undefined && from >= to)
        .map(({ from, to }) => `nothing lies between ${from} and ${to}`),
    ]
  }
  return [
    ...plot.points
      .filter(({ at: [x, y] }) => !lies(x, plot.x) || !lies(y, plot.y))
      .map(({ at }) => `(${at.join(', ')}) is outside the window`),
    ...(plot.kind === 'function' ? plot.functions : [])
      .filter((formula) => !isInX(formula))
      .map((formula) => `"${formula}" is no expression in x`),
  ]
}

const lies = (place: number, [from, to]: readonly [number, number]) => from <= place && place <= to

function isInX(formula: string): boolean {
  const expression = readExpression(formula)
  return expression !== null && [...lettersOf(expression)].every((letter) => letter === 'x')
}
