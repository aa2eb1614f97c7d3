import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isRunning, startTimeOf, tryLock, waitForLock } from '../../src/dev/pid-lock.mjs'

const MODULE = new URL('../../src/dev/pid-lock.mjs', import.meta.url).href
let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'))
  file = join(folder, 'a.lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

test('a held lock names its holder and what the holder tells', () => {
  const { lock } = tryLock(file, { web: 'starting' })
  lock?.tell({ web: 'http://127.0.0.1:3000' })
  const second = tryLock(file)
  expect(second.lock).toBeUndefined()
  expect(second.holder).toMatchObject({
    pid: process.pid,
    details: { web: 'http://127.0.0.1:3000' },
  })
  lock?.release()
  expect(existsSync(file)).toBe(false)
  expect(tryLock(file).lock).toBeDefined()
})

test('the lock of a dead process is taken over', async () => {
  writeFileSync(file, JSON.stringify({ pid: await deadPid(), startedAt: '1' }))
  expect(tryLock(file).lock).toBeDefined()
})

test('the lock of a dead process whose pid another one uses now is taken over', () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt: 'long ago' }))
  expect(tryLock(file).lock).toBeDefined()
})

test('a lock file with anything else in it is taken over', () => {
  writeFileSync(file, '')
  expect(tryLock(file).lock).toBeDefined()
})

test('a takeover that was itself killed does not block the next', async () => {
  const dead = JSON.stringify({ pid: await deadPid(), startedAt: '1' })
  writeFileSync(file, dead)
  writeFileSync(`${file}.takeover`, dead)
  expect(tryLock(file).lock).toBeDefined()
})

test('releasing a lock that was taken over leaves the new holder alone', () => {
  const { lock } = tryLock(file)
  const other = { pid: process.ppid, startedAt: startTimeOf(process.ppid) }
  writeFileSync(file, JSON.stringify(other))
  lock?.release()
  expect(tryLock(file).holder).toMatchObject(other)
})

test('of processes that find a stale lock at once exactly one gets it', async () => {
  writeFileSync(file, JSON.stringify({ pid: await deadPid(), startedAt: '1' }))
  const script = `
    const { tryLock } = await import(${JSON.stringify(MODULE)})
    const startAt = Number(process.argv[1])
    while (Date.now() < startAt);
    process.stdout.write(tryLock(${JSON.stringify(file)}).lock ? 'got' : 'refused')
    setTimeout(() => {}, 1500)`
  const startAt = String(Date.now() + 1000)
  const args = ['--input-type=module', '-e', script, startAt]
  const runs = Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, args))
  const answers = (await Promise.all(runs)).map(({ stdout }) => stdout)
  expect(answers.filter((answer) => answer === 'got')).toHaveLength(1)
  expect(readdirSync(folder)).toEqual(['a.lock'])
})

test('waiting for a lock ends when its holder is killed', async () => {
  const script = `
    const { tryLock } = await import(${JSON.stringify(MODULE)})
    tryLock(${JSON.stringify(file)})
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(child.stdout, 'data')
  const holders: number[] = []
  const lock = await waitForLock(file, (holder) => {
    holders.push(holder.pid)
    child.kill('SIGKILL')
  })
  expect(holders[0]).toBe(child.pid)
  lock.release()
})

test('a process is known by its start time and is gone when it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const identity = { pid: child.pid ?? 0, startedAt: startTimeOf(child.pid ?? 0) ?? '' }
  expect(isRunning(identity)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isRunning(identity)).toBe(false)
})
