import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTimeOf } from '../../src/dev/pid-lock.mjs'
import { stopOrphanedPostgres } from '../../src/dev/postgres.ts'

test('a PostgreSQL that was killed and never reaped does not keep the next one from starting', async () => {
  const home = mkdtempSync(join(tmpdir(), 'meno-test-'))
  // Killed together with its parent, where process 1 reaps nobody: a zombie, which PostgreSQL takes for alive.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => {
    parent.kill('SIGKILL')
    rmSync(home, { recursive: true })
  })
  const [zombie] = await once(createInterface(parent.stdout), 'line')
  await vi.waitFor(() => expect(startTimeOf(Number(zombie))).toBeNull())
  const pidFile = join(home, 'postgres', 'postmaster.pid')
  mkdirSync(join(home, 'postgres'))
  writeFileSync(pidFile, `${zombie}\n${join(home, 'postgres')}\n`)
  await stopOrphanedPostgres(home)
  expect(existsSync(pidFile)).toBe(false)
})
