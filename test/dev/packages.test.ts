import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isNewEnough, matchesLock } from '../../src/dev/packages.mjs'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'packages-'))
  for (const name of ['one', 'two']) {
    mkdirSync(join(root, 'node_modules', name), { recursive: true })
    writeFileSync(join(root, 'node_modules', name, 'package.json'), '{}')
  }
  writeLock('package-lock.json', {
    '': { version: '0.1.0' },
    'node_modules/one': { version: '1.0.0' },
    'node_modules/two': { version: '2.0.0' },
    'node_modules/for-another-platform': { version: '1.0.0', optional: true },
  })
  writeLock('node_modules/.package-lock.json', {
    'node_modules/one': { version: '1.0.0' },
    'node_modules/two': { version: '2.0.0' },
  })
})
afterEach(() => rmSync(root, { recursive: true }))

function writeLock(file: string, packages: Record<string, object>): void {
  writeFileSync(join(root, file), JSON.stringify({ packages }))
}

test('an installation that is whole is left alone', () => {
  expect(matchesLock(root)).toBe(true)
})

test('an installation is not whole without the list npm writes at its end', () => {
  rmSync(join(root, 'node_modules/.package-lock.json'))
  expect(matchesLock(root)).toBe(false)
})

test('an installation is not whole when a folder is missing', () => {
  rmSync(join(root, 'node_modules/two'), { recursive: true })
  expect(matchesLock(root)).toBe(false)
})

test.each([
  ['another version', { 'node_modules/one': { version: '1.0.1' } }],
  ['a package fewer', {}],
])('an installation with %s than the lock file says is done again', (_, one) => {
  writeLock('node_modules/.package-lock.json', { ...one, 'node_modules/two': { version: '2.0.0' } })
  expect(matchesLock(root)).toBe(false)
})

test.each([
  ['20.20.2', false],
  ['22.17.9', false],
  ['22.18.0', true],
  ['23.11.0', false],
  ['24.0.0', true],
  ['26.1.0', true],
])('Node %s runs TypeScript as it is and is supported: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})
