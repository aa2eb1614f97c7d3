import { parse } from 'yaml'
import { z } from 'zod'
import { filesInWords } from './picture.ts'

const text = z.string().trim().min(1)
const range = z
  .tuple([z.number(), z.number()])
  .refine(([from, to]) => from < to, 'the first number is the smaller one')
const label = text.optional()
const points = z.array(z.strictObject({ at: z.tuple([z.number(), z.number()]), label }))

/** What the picture shows, in words: for whoever cannot see it, and for the terminal. Without formulas in dollars. */
const twin = text.refine((words) => !words.includes('$'), 'the text is read out: no formulas')

/**
 * A picture in a lesson: YAML in a fenced block whose language is `plot`.
 * `function`: curves y = f(x) in a window of x and y; `points`: points in such a window; `numberline`: what of a line
 * of numbers is meant, each piece from, to or between bounds.
 */
export const Plot = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('function'),
    x: range,
    y: range,
    /** Expressions in x. */
    functions: z.array(text).min(1).max(3),
    points: points.default([]),
    text: twin,
  }),
  z.strictObject({
    kind: z.literal('points'),
    x: range,
    y: range,
    points: points.min(1),
    text: twin,
  }),
  z.strictObject({
    kind: z.literal('numberline'),
    range,
    /** A bound that is left out lies beyond the range. */
    pieces: z
      .array(
        z.strictObject({
          from: z.number().optional(),
          to: z.number().optional(),
          fromIncluded: z.boolean().default(false),
          toIncluded: z.boolean().default(false),
        }),
      )
      .default([]),
    points: z.array(z.strictObject({ at: z.number(), label })).default([]),
    text: twin,
  }),
])

export type Plot = z.infer<typeof Plot>

const BLOCK = /^```plot[ \t]*\n([\s\S]*?)^```[ \t]*$/gm

/** What stands in the plot blocks of a Markdown text, as it is written. */
export function plotSources(markdown: string): string[] {
  return [...markdown.matchAll(BLOCK)].map(([, source = '']) => source)
}

/** The picture that a block describes; null where it is none, as in a text that is still being written. */
export function readPlot(source: string): Plot | null {
  try {
    return Plot.safeParse(parse(source)).data ?? null
  } catch {
    return null
  }
}

/** The same Markdown with each picture's words in its place, drawn or a file. */
export function picturesInWords(markdown: string): string {
  const words = (block: string, source: string) => readPlot(source)?.text ?? block
  return filesInWords(markdown.replace(BLOCK, words))
}
