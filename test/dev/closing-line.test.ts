import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runTests } from '../../src/dev/test-run.mjs'

const REPORTER = fileURLToPath(new URL('../support/closing-line-reporter.ts', import.meta.url))
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'closing-line-'))
  const config = `import { ClosingLineReporter } from ${JSON.stringify(REPORTER)}
    export default { test: { globals: true, reporters: ['default', new ClosingLineReporter()] } }`
  writeFileSync(join(root, 'vitest.config.mjs'), config)
  writeFileSync(join(root, 'good.test.js'), `test('one', () => {}); test('two', () => {})`)
})
afterEach(() => rmSync(root, { recursive: true }))

function lastLine(failedChecks = ''): string | undefined {
  const env = { ...process.env, MENO_FAILED_CHECKS: failedChecks }
  const run = spawnSync(process.execPath, [VITEST, 'run', '--root', root], {
    env,
    encoding: 'utf8',
  })
  return run.stdout.trimEnd().split('\n').at(-1)
}

test('the last line counts what passed', () => {
  expect(lastLine()).toBe('2 passed, 0 failed')
})

test('the last line counts failed and skipped tests, files and checks', () => {
  writeFileSync(join(root, 'bad.test.js'), `test('no', () => expect(1).toBe(2)); test.skip('s')`)
  writeFileSync(join(root, 'broken.test.js'), `throw new Error('cannot be loaded')`)
  expect(lastLine('tsc -p tsconfig.json')).toBe('2 passed, 3 failed, 1 skipped')
})

test('a run without any test has failed', () => {
  rmSync(join(root, 'good.test.js'))
  expect(lastLine()).toBe('0 passed, 1 failed')
})

const UNSTEADY = `import { existsSync, writeFileSync } from 'node:fs'
  test('now and then', () => {
    const isFirst = !existsSync('tried')
    writeFileSync('tried', '')
    expect(isFirst).toBe(false)
  })`

async function runAllTwice(): Promise<{ code: number; lines: string[] }> {
  let lines: string[] = []
  const code = await runTests(
    async (files, env) => {
      const run = spawnSync(process.execPath, [VITEST, 'run', '--root', root, ...files], {
        cwd: root,
        env: { ...process.env, MENO_FAILED_CHECKS: '', ...env },
        encoding: 'utf8',
      })
      lines = run.stdout.trimEnd().split('\n')
      return run.status ?? 1
    },
    () => {},
  )
  return { code, lines }
}

test('what fails once and passes by itself is named, and does not fail the run', async () => {
  writeFileSync(join(root, 'unsteady.test.js'), UNSTEADY)
  const { code, lines } = await runAllTwice()
  expect(code).toBe(0)
  expect(lines.slice(-3)).toEqual([
    expect.stringMatching(/^Failed in the whole run: unsteady\.test\.js > now and then: expected/),
    expect.stringContaining('unsteady'),
    '3 passed, 0 failed',
  ])
})

test('what fails twice has failed', async () => {
  writeFileSync(join(root, 'bad.test.js'), `test('no', () => expect(1).toBe(2))`)
  const { code, lines } = await runAllTwice()
  expect(code).toBe(1)
  expect(lines.at(-1)).toBe('2 passed, 1 failed')
})

test('an error outside any test fails the run', async () => {
  writeFileSync(
    join(root, 'stray.test.js'),
    `test('fine', () => { setTimeout(() => { throw new Error('stray') }, 0); return new Promise((r) => setTimeout(r, 50)) })`,
  )
  const { code, lines } = await runAllTwice()
  expect(code).toBe(1)
  expect(lines.at(-1)).toBe('3 passed, 1 failed')
})
