import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBrowser } from '../../src/dev/browser.ts'
import { findChromium } from '../support/chromium.ts'

let bin = ''
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'browser-'))
})
afterEach(() => rmSync(bin, { recursive: true }))

function program(name: string): string {
  writeFileSync(join(bin, name), `#!/bin/sh\necho "$*" > ${bin}/opened\n`)
  chmodSync(join(bin, name), 0o755)
  return join(bin, name)
}

test('CHROMIUM_PATH goes before a browser on PATH', async () => {
  const found = program('chromium')
  expect(await findChromium({ env: { PATH: bin } })).toBe(found)
  expect(await findChromium({ env: { PATH: bin, CHROMIUM_PATH: '/opt/chrome' } })).toBe(
    '/opt/chrome',
  )
})

test('a person at a screen gets the page opened', async () => {
  program('xdg-open')
  program('open')
  expect(openBrowser('http://127.0.0.1:3000', { PATH: bin, DISPLAY: ':0' })).toBe(true)
  await vi.waitFor(() => expect(readFileSync(`${bin}/opened`, 'utf8')).toContain('3000'))
})

test.each([
  ['under CI', { CI: 'true', DISPLAY: ':0' }],
  ['with BROWSER=none', { BROWSER: 'none', DISPLAY: ':0' }],
])('no page is opened %s', (_, env) => {
  program('xdg-open')
  program('open')
  expect(openBrowser('http://127.0.0.1:3000', { PATH: bin, ...env })).toBe(false)
  expect(existsSync(`${bin}/opened`)).toBe(false)
})

test.runIf(process.platform === 'linux')('no page is opened without a display', () => {
  program('xdg-open')
  expect(openBrowser('http://127.0.0.1:3000', { PATH: bin })).toBe(false)
})
