import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../src/dev/free-port.ts'

const BOOTSTRAP = path.resolve('src/dev/bootstrap.mjs')
const READY_WITHIN_MS = 120_000

interface Start {
  home: string
  child: ChildProcess
  output: () => string
  /** Resolves when it has written this. */
  says: (text: string) => Promise<void>
  /** Tells the whole process group, as a terminal does. */
  tell: (signal: NodeJS.Signals) => void
  exited: Promise<unknown>
}

/** `npm start` in a process group of its own, on data of its own. */
async function startAll(env: NodeJS.ProcessEnv = {}): Promise<Start> {
  const home = mkdtempSync(path.join(realpathSync(tmpdir()), 'meno-test-'))
  const child = spawn(process.execPath, [BOOTSTRAP, 'start'], {
    // A `.env` of the project's folder is not ours to read.
    cwd: home,
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      MENO_COURSES: path.resolve('courses'),
      BROWSER: 'none',
      PORT: String(await freePort(22_000 + (process.pid % 1000))),
      MENO_HOME: home,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data
    })
  }
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    for (const pid of processesOf(home)) process.kill(pid, 'SIGKILL')
    await exited
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
  return {
    home,
    child,
    exited,
    output: () => output,
    says: (text) => vi.waitUntil(() => output.includes(text), { timeout: READY_WITHIN_MS }).then(),
    tell: (signal) => process.kill(-(child.pid ?? 0), signal),
  }
}

/** Every process that was started for this home: each has it in its environment. */
function processesOf(home: string): number[] {
  const options = { encoding: 'utf8', maxBuffer: 100_000_000 } as const
  return execFileSync('ps', ['axeww', '-o', 'pid=,command='], options)
    .split('\n')
    .filter((line) => line.includes(`MENO_HOME=${home} `) || line.endsWith(`MENO_HOME=${home}`))
    .map((line) => Number.parseInt(line, 10))
}

const addressIn = (output: string): string => /Meno is ready\.\s+(\S+)/.exec(output)?.[1] ?? ''

test('PostgreSQL and Temporal do not outlive a second Ctrl-C, nor is a role started again that was told to end', async () => {
  const meno = await startAll()
  await meno.says('Meno is ready')
  expect(processesOf(meno.home).length).toBeGreaterThan(5)
  meno.tell('SIGINT')
  await meno.says('Stopping')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    await sleep(100)
    if (meno.child.exitCode === null) meno.tell(signal)
  }
  await meno.exited
  expect(processesOf(meno.home)).toEqual([])
  expect(meno.output()).not.toContain('starting it again')
})

test('PostgreSQL and Temporal do not outlive a terminal that is closed, with the tee it wrote through', async () => {
  const meno = await startAll()
  await meno.says('Meno is ready')
  meno.child.stdout?.destroy()
  meno.child.stderr?.destroy()
  meno.tell('SIGHUP')
  await meno.exited
  await vi.waitFor(() => expect(processesOf(meno.home)).toEqual([]), { timeout: 10_000 })
})

test('Meno that can no longer write to its terminal goes on', async () => {
  const meno = await startAll()
  await meno.says('Meno is ready')
  const url = addressIn(meno.output())
  const workers = () =>
    processesOf(meno.home).filter((pid) => commandOf(pid).endsWith('main.ts worker'))
  const [killed = 0] = workers()
  meno.child.stdout?.destroy()
  meno.child.stderr?.destroy()
  // A role that ends is told of, and started again.
  process.kill(killed, 'SIGKILL')
  const again = () => expect(workers().filter((pid) => pid !== killed)).toHaveLength(1)
  await vi.waitFor(again, { timeout: 20_000, interval: 100 })
  expect((await fetch(`${url}/healthz`)).status).toBe(200)

  // Nor do the roles run on, unseen, without the one that looks after them.
  for (const pid of processesOf(meno.home)) {
    if (/main\.ts$/.test(commandOf(pid))) process.kill(pid, 'SIGKILL')
  }
  const roles = () => processesOf(meno.home).filter((pid) => /main\.ts \w+$/.test(commandOf(pid)))
  await vi.waitFor(() => expect(roles()).toEqual([]), { timeout: 10_000 })
})

test('what a start had begun does not outlive a Ctrl-C during the start', async () => {
  const meno = await startAll()
  await meno.says('Starting Temporal')
  const hasServer = () => processesOf(meno.home).some((pid) => /start-dev/.test(commandOf(pid)))
  await vi.waitUntil(hasServer, { timeout: 20_000, interval: 10 })
  meno.tell('SIGINT')
  await meno.exited
  expect(processesOf(meno.home)).toEqual([])
})

/** Empty of a process that has ended meanwhile. */
function commandOf(pid: number): string {
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
}
