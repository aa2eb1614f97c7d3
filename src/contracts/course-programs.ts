/** Questions of a course pack that ask for a program: `units/<unitId>/programs.yml`, a list; a unit may have none. */
import { z } from 'zod'

const text = z.string().trim().min(1)
const source = z.string().regex(/\S/, 'a program is needed')
const NAME = /^[A-Za-z_]\w*$/

const Entry = z.union([
  z.strictObject({ function: z.string().regex(NAME, 'the name of a function') }),
  z.strictObject({ stdin: z.literal(true) }),
])

/**
 * `input` and `output` are texts for a program that reads its input; for a function, the list of its arguments and the
 * value that it returns, as JSON has them.
 */
const Test = z.strictObject({
  input: z.json(),
  output: z.json(),
  /** What it expects is never shown. */
  hidden: z.literal(true).optional(),
})

export const ProgramQuestion = z
  .strictObject({
    id: text,
    level: z.enum(['easy', 'medium', 'hard']),
    /** Markdown. */
    question: text,
    /** What stands in the editor at first. */
    starter: source.optional(),
    entry: Entry,
    tests: z.array(Test).min(2).max(20),
    solution: source,
    /** From a nudge to nearly the method. */
    hints: z.array(text).min(1).max(4),
    /** Wrong programs that give a misconception away, with its tag. */
    mistakes: z.array(z.strictObject({ program: source, tag: text })).default([]),
  })
  .superRefine(({ entry, tests }, context) => {
    for (const [place, { input }] of tests.entries()) {
      const fits = 'function' in entry ? Array.isArray(input) : typeof input === 'string'
      if (fits) continue
      const message =
        'function' in entry ? 'it is not a list of arguments' : 'it is no text for the input'
      context.addIssue({ code: 'custom', path: ['tests', place, 'input'], message })
    }
  })

export const ProgramBank = z.array(ProgramQuestion)

export type ProgramQuestion = z.infer<typeof ProgramQuestion>
