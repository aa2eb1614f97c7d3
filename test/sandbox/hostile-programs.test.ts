import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import type { ProgramKey } from '../../src/domain/answers/program.ts'
import type { InterpreterProcess } from '../../src/sandbox/interpreter-process.ts'
import { createSandbox, loadInterpreter } from '../../src/sandbox/sandbox.ts'
import { programFailed, programUnreadable } from '../../src/tutor/program-phrases.ts'
import { DOZEN, HUNDRED } from './hostile-programs.ts'

const programs = process.env.MENO_CAMPAIGN_ROUNDS ? HUNDRED : DOZEN
const SECRET = 'the-secret-of-the-host'
const KEY: ProgramKey = {
  type: 'program',
  language: 'python',
  function: null,
  starter: null,
  tests: [{ input: 'a line\n', output: 'a line', hidden: false }],
}
const HONEST = 'print(input())'
const LONGEST_MS = 3_000

let warm: Promise<InterpreterProcess>
const sandbox = createSandbox({
  load: () => {
    warm = loadInterpreter()
    return warm
  },
})
afterAll(() => sandbox.stop())

/** What a process takes, in MB; null where there is no way to tell. */
function memoryOf(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  } catch {
    return null
  }
}

describe(`${programs.length} hostile programs`, () => {
  const seconds: { name: string; ms: number }[] = []
  let before = 0

  test('an honest one first', { timeout: 120_000 }, async () => {
    process.env.MENO_SECRET = SECRET
    expect(await sandbox.test(HONEST, KEY)).toEqual({ verdict: 'passed' })
    await warm
    before = process.memoryUsage().rss
  })

  test.each(programs.map((hostile) => [hostile.name, hostile] as const))(
    '%s',
    async (name, { program, outcomes }) => {
      await warm
      const startedAt = performance.now()
      const verdict = await sandbox.test(program, KEY)
      const ms = performance.now() - startedAt
      seconds.push({ name, ms })
      expect(ms).toBeLessThan(LONGEST_MS)
      if (verdict.verdict === 'unreadable') {
        expect(outcomes).toContain('unreadable')
        const { message: reason, line } = verdict
        expect(programUnreadable({ reason, line }, 'en')).toMatch(
          /^Python cannot read this program: .+/,
        )
        return
      }
      if (verdict.verdict !== 'failed') throw new Error(`it is ${verdict.verdict}`)
      expect(outcomes).toContain(verdict.failed.fault.kind)
      const words = programFailed(verdict.failed, 'en')
      expect(words).toMatch(/^[A-Z`].+[.?]\n/)
      expect(words).not.toMatch(/undefined|\[object|NaN|wasm|pyodide\.asm/)
      expect(words).not.toContain(SECRET)
      expect(words.length).toBeLessThan(2_000)
    },
  )

  test('leave nothing behind: an honest one passes, and memory is flat', async (context) => {
    const interpreter = await warm
    const idle = memoryOf(interpreter.pid)
    expect(await sandbox.test(HONEST, KEY)).toEqual({ verdict: 'passed' })
    const grown = Math.round((process.memoryUsage().rss - before) / 2 ** 20)
    const longest = seconds.reduce((most, one) => (one.ms > most.ms ? one : most))
    console.log(
      `longest: ${longest.name}, ${Math.round(longest.ms)} ms; this process grew by ${grown} MB;`,
      `an idle interpreter takes ${idle ?? '?'} MB`,
    )
    context.task.meta.counted = { programs: seconds.length }
    expect(grown).toBeLessThan(60)
  })
})
