import type { Course, Unit } from '../contracts/course-pack.ts'
import type { ProgramQuestion } from '../contracts/course-programs.ts'
import type { ProgramVerdict } from '../domain/answers/program.ts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import { repeated } from './check-structure.ts'
import { programKey } from './program-key.ts'

/** What is wrong with a course's program questions, in words: each is run with its solution, its starter and its mistakes. */
export async function checkPrograms({ units }: Course): Promise<string[]> {
  const all = units.flatMap((unit) => (unit.programs ?? []).map((question) => ({ unit, question })))
  const ids = units.flatMap((unit) => unit.questions.map(({ id }) => id))
  const problems = repeated([...ids, ...all.map(({ question }) => question.id)]).map(
    (id) => `${id}: the id is used more than once`,
  )
  if (all.length === 0) return problems
  const sandbox = createSandbox({ trusted: true })
  try {
    for (const { unit, question } of all) {
      const found = [...checkForm(question, unit), ...(await checkRuns(question, sandbox))]
      problems.push(...found.map((problem) => `${question.id}: ${problem}`))
    }
  } finally {
    await sandbox.stop()
  }
  return problems
}

function checkForm({ id, tests, mistakes }: ProgramQuestion, unit: Unit): string[] {
  const problems: string[] = []
  const hidden = tests.filter((test) => test.hidden).length
  if (!id.startsWith(unit.unitId)) problems.push("the id does not begin as its unit's")
  if (hidden === 0) problems.push('no test is hidden: a program could print what is shown')
  if (hidden === tests.length) problems.push('all tests are hidden: no example can be shown')
  const tags = unit.misconceptions.map(({ tag }) => tag)
  const unknown = mistakes.filter(({ tag }) => !tags.includes(tag))
  return [...problems, ...unknown.map(({ tag }) => `${tag} is no misconception of the unit`)]
}

async function checkRuns(question: ProgramQuestion, sandbox: Sandbox): Promise<string[]> {
  const key = programKey(question)
  const problems: string[] = []
  const solved = await sandbox.test(question.solution, key)
  if (solved.verdict !== 'passed') problems.push(`the solution is ${told(solved)}`)
  if (question.starter !== undefined) {
    const started = await sandbox.test(question.starter, key)
    if (started.verdict === 'passed') problems.push('the starter passes as it stands')
  }
  for (const [place, { program }] of question.mistakes.entries()) {
    const run = await sandbox.test(program, key)
    if (run.verdict !== 'failed') problems.push(`mistake ${place + 1} is ${told(run)}`)
  }
  return problems
}

const told = (verdict: ProgramVerdict) =>
  verdict.verdict === 'passed' ? 'passed' : JSON.stringify(verdict)
