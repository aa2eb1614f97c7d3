import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startLocalStack } from '../../src/dev/local-stack.ts'
import { isRunning, readHolder } from '../../src/dev/pid-lock.mjs'
import { findPostgres, stopOrphanedPostgres } from '../../src/dev/postgres.ts'
import { stackLockFile } from '../../src/dev/stack-state.ts'
import { findTemporal, stopOrphanedTemporal } from '../../src/dev/temporal-server.ts'
import { workflowBundle } from '../../src/workflow-bundle.ts'
import { makeTemplate } from './database.ts'
import { findTestServer } from './test-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL of this run, superuser, database `meno`; make your own databases beside it. */
    postgresUrl: string
    /** `host:port` of this run's Temporal development server, set up as `temporal-dev.yml` says. */
    temporalAddress: string
    /** The time-skipping test server, for `executable: { type: 'existing-path', path }`. */
    testServerPath: string
    /** The workflow code, for `workflowBundle: { codePath }`; empty while there is none. */
    workflowBundlePath: string
  }
}

const PREFIX = 'meno-test-'
const log = (line: string) => process.stderr.write(`${line}\n`)

/** Starts, once for all test files that need them, the servers and gives their addresses. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandonedHomes()
  const home = mkdtempSync(join(realpathSync(tmpdir()), PREFIX))
  const killAll = () => removeWithServers(home)
  process.once('exit', killAll)
  const [stack, testServerPath, workflowBundlePath] = await Promise.all([
    startLocalStack({
      menoHome: home,
      env: { ...process.env, DATABASE_URL: '', TEMPORAL_ADDRESS: '' },
      log,
      ports: { postgres: 0, temporal: 0, temporalUi: 0 },
      postgresSettings: { fsync: 'off', max_connections: '200' },
    }),
    findTestServer({ log }).catch(withoutIt('Tests on the time-skipping server will fail')),
    workflowBundle().catch(withoutIt('Tests with workflow code will fail')),
  ])
  await makeTemplate(stack.databaseUrl)
  project.provide('postgresUrl', stack.databaseUrl)
  project.provide('temporalAddress', stack.temporal.address)
  project.provide('testServerPath', testServerPath)
  project.provide('workflowBundlePath', workflowBundlePath)
  return async () => {
    await stack.stop()
    process.off('exit', killAll)
    rmSync(home, { recursive: true, force: true })
  }
}

/** Most tests can do without: the ones that cannot fail by themselves, on an empty path. */
function withoutIt(consequence: string): (reason: unknown) => string {
  return (reason) => {
    log(`${consequence}: ${reason}`)
    return ''
  }
}

/** The last resort of a run that crashes: what has not been stopped in good order is killed. */
function removeWithServers(home: string): void {
  for (const { pid } of [...findTemporal(home), ...findPostgres(home)]) process.kill(pid, 'SIGKILL')
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}

/** A run that was killed with -9 could not clean up: the next one does. */
async function removeAbandonedHomes(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const home = realpathSync(join(tmpdir(), name))
    const holder = readHolder(stackLockFile(home))
    // A test may have killed the holder on purpose, to start on the same home again.
    const isInUse = (holder && isRunning(holder)) || Date.now() - statSync(home).mtimeMs < 60_000
    if (isInUse) continue
    await stopOrphanedPostgres(home)
    await stopOrphanedTemporal(home)
    rmSync(home, { recursive: true, force: true })
  }
}
