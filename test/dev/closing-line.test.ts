import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

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
