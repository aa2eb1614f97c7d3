import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTimeOf } from '../../src/dev/pid-lock.mjs'

const DEV = fileURLToPath(new URL('../../src/dev', import.meta.url))
const MAIN = `
const main: { pid: number; args: string[]; node: string } = {
  pid: process.pid, args: process.argv.slice(2), node: process.versions.node,
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(7))
setInterval(() => {}, 1000)
console.log(JSON.stringify(main))
`
let root = ''

/** A project with nothing to install and a main program that waits for a signal. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bootstrap-'))
  cpSync(DEV, join(root, 'src', 'dev'), { recursive: true })
  writeFileSync(join(root, 'src', 'main.ts'), MAIN)
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'package-lock.json'), '{ "packages": { "": {} } }')
  mkdirSync(join(root, 'node_modules'))
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{ "packages": {} }')
})
afterEach(() => rmSync(root, { recursive: true }))

function run(...args: string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const { npm_lifecycle_event: _, ...env } = process.env
  const child = spawn(process.execPath, [join(root, 'src/dev/bootstrap.mjs'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return child as ChildProcess & { stdout: NodeJS.ReadableStream }
}

async function mainOf(child: { stdout: NodeJS.ReadableStream }) {
  const [line] = await once(createInterface(child.stdout), 'line')
  return JSON.parse(line) as { pid: number; args: string[] }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s reaches the program, its exit code comes back',
  async (signal) => {
    const child = run('worker', '--verbose')
    expect((await mainOf(child)).args).toEqual(['worker', '--verbose'])
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([7, null])
  },
)

test('the program ends when bootstrap is killed with -9', async () => {
  const child = run('start')
  const main = await mainOf(child)
  expect(startTimeOf(main.pid)).not.toBeNull()
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(startTimeOf(main.pid)).toBeNull(), { timeout: 5000 })
})

test('an unknown command is answered with the known ones', async () => {
  const child = run('strat')
  const [text] = await once(child.stderr as NodeJS.ReadableStream, 'data')
  expect(String(text)).toContain('start | worker')
  expect(await once(child, 'exit')).toEqual([1, null])
})
