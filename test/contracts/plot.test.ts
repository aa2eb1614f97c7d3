import { resolve } from 'node:path'
import { evaluate } from 'mathjs'
import { expect, test } from 'vitest'
import { picturesInWords, plotSources, readPlot } from '../../src/contracts/plot.ts'
import { loadCourse } from '../../src/courses/load.ts'
import { curvePoints, ticks } from '../../web/markdown/plot-curves.ts'

const course = await loadCourse(resolve(import.meta.dirname, '../../courses/algebra-basics'))

const LINE = 'kind: numberline\nrange: [-8, 4]\npieces: [{ from: -4 }]\ntext: All above -4.'

test('a block is a picture with what it leaves out filled in', () => {
  expect(readPlot(LINE)).toEqual({
    kind: 'numberline',
    range: [-8, 4],
    pieces: [{ from: -4, fromIncluded: false, toIncluded: false }],
    points: [],
    text: 'All above -4.',
  })
})

test.each(['', 'kind: [', 'kind: pie\ntext: A pie.', LINE.slice(0, 30), 'just words'])(
  'a block that is none, or not written to its end, is no picture: %j',
  (source) => expect(readPlot(source)).toBeNull(),
)

test('in words a picture reads as its text, and all else stays', () => {
  const markdown = `Before\n\n\`\`\`plot\n${LINE}\n\`\`\`\n\n\`\`\`python\nprint(1)\n\`\`\``
  expect(plotSources(markdown)).toEqual([`${LINE}\n`])
  expect(picturesInWords(markdown)).toBe('Before\n\nAll above -4.\n\n```python\nprint(1)\n```')
  expect(picturesInWords('A list:\n\n![[3, 5] in cells](pictures/list.svg)\n\nSo.')).toBe(
    'A list:\n\n[3, 5] in cells\n\nSo.',
  )
})

test('the lines and parabolas of algebra are drawn where another evaluator puts them, through their points', () => {
  const plots = course.units
    .flatMap(({ lesson }) => plotSources(lesson).map(readPlot))
    .filter((plot) => plot?.kind === 'function')
  expect(plots.length).toBeGreaterThanOrEqual(4)
  for (const plot of plots) {
    for (const [index, formula] of plot.functions.entries()) {
      for (const { x, ...heights } of curvePoints(plot.functions, plot.x)) {
        expect(heights[`y${index}`]).toBeCloseTo(evaluate(formula, { x }), 9)
      }
    }
    for (const { at } of plot.points) {
      const [x, y] = at
      expect(plot.functions.map((formula) => evaluate(formula, { x }))).toContain(y)
    }
  }
})

test('a curve has no height where it is not defined', () => {
  const [first, ...rest] = curvePoints(['sqrt(x)'], [-1, 3])
  expect(first).toEqual({ x: -1 })
  expect(rest.at(-1)?.y0).toBeCloseTo(Math.sqrt(3), 9)
})

test.each([
  [
    [-1, 7],
    [-1, 0, 1, 2, 3, 4, 5, 6, 7],
  ],
  [
    [-4, 24],
    [0, 5, 10, 15, 20],
  ],
  [
    [-0.5, 2.5],
    [0, 1, 2],
  ],
] as [[number, number], number[]][])('the ticks of %j are %j', (range, expected) => {
  expect(ticks(range).map((tick) => tick + 0)).toEqual(expected)
})
