import type { ProgramQuestion } from '../contracts/course-programs.ts'
import type { ProgramKey } from '../domain/answers/program.ts'

/** How the answers to a course's program question are tested. */
export function programKey({ entry, starter, tests }: ProgramQuestion): ProgramKey {
  return {
    type: 'program',
    language: 'python',
    function: 'function' in entry ? entry.function : null,
    starter: starter ?? null,
    tests: tests.map(({ input, output, hidden = false }) => ({ input, output, hidden })),
  }
}
