import type { Course } from '../../src/contracts/course-pack.ts'
import { ProgramQuestion } from '../../src/contracts/course-programs.ts'
import { smallCourse } from './small-course.ts'

/** What a hidden test expects: it must be seen nowhere. */
export const HIDDEN_OUTPUT = 90_817_263

/** The small course with two questions in its first unit that ask for a program. */
export function programCourse(): Course {
  const course = smallCourse()
  const programs = ['one', 'two'].map((name) =>
    ProgramQuestion.parse({
      id: `SUM-00-${name}`,
      level: 'hard',
      question: `Write a function \`add_${name}(a, b)\` that returns the sum.`,
      starter: `def add_${name}(a, b):\n    ...\n`,
      entry: { function: `add_${name}` },
      tests: [
        { input: [1, 2], output: 3 },
        { input: [HIDDEN_OUTPUT - 7, 7], output: HIDDEN_OUTPUT, hidden: true },
      ],
      solution: `def add_${name}(a, b):\n    return a + b  # the solution\n`,
      hints: ['Use a plus sign.'],
      mistakes: [],
    }),
  )
  const [first, ...rest] = course.units
  if (!first) throw new Error('the course has no unit')
  return { ...course, units: [{ ...first, programs }, ...rest] }
}
