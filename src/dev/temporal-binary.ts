import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../config.ts'
import { makeOnce } from './cache-folder.ts'
import { downloadTemporalProgram } from './download.ts'
import { findOnPath, type Log, runCommand } from './run-command.ts'

/** The last version of the command that can be built with `go install`. */
export const TEMPORAL_CLI_VERSION = 'v1.5.1'
const GO_PACKAGE = `github.com/temporalio/cli/cmd/temporal@${TEMPORAL_CLI_VERSION}`
const BUILD_LIMIT_MS = 20 * 60_000

export interface TemporalBinaryOptions {
  env?: NodeJS.ProcessEnv
  log?: Log
  /** Tried in this order after PATH and cache; the tests leave some out. */
  sources?: ('download' | 'go')[]
}

/**
 * The path of a `temporal` command that runs: from PATH, else from the user's cache, else
 * downloaded, else built with Go (two to three minutes, once). Throws with the command that would
 * mend it when none of these succeeds.
 */
export async function findTemporalBinary(options: TemporalBinaryOptions = {}): Promise<string> {
  const { env = process.env, log = console.log, sources = ['download', 'go'] } = options
  const installed = findOnPath('temporal', env.PATH)
  if (installed && (await answersVersion(installed))) return installed
  const entry = `temporal-${TEMPORAL_CLI_VERSION}`
  const path = join(cacheFolder(env), entry, 'temporal')
  const find = async () => ((await answersVersion(path)) ? path : null)
  const cached = await find()
  if (cached) return cached
  log(`No Temporal on this machine yet: fetching the temporal command ${TEMPORAL_CLI_VERSION}`)
  return makeOnce(cacheFolder(env), entry, log, find, async (workFolder, finalFolder) => {
    const program = await fetchOrBuild(workFolder, sources, env, log)
    if (!(await answersVersion(program))) throw new Error(`${program} does not run`)
    const whole = join(workFolder, 'whole')
    mkdirSync(whole)
    renameSync(program, join(whole, 'temporal'))
    renameSync(whole, finalFolder)
    log(`Temporal is ready, kept in ${finalFolder}`)
  })
}

async function fetchOrBuild(
  folder: string,
  sources: readonly string[],
  env: NodeJS.ProcessEnv,
  log: Log,
): Promise<string> {
  const failures: string[] = []
  if (sources.includes('download')) {
    try {
      const program = await downloadTemporalProgram('cli', TEMPORAL_CLI_VERSION, folder, log)
      chmodSync(program, 0o755)
      return program
    } catch (error) {
      failures.push(`download: ${reasonOf(error)}`)
    }
  }
  const go = findOnPath('go', env.PATH)
  if (sources.includes('go') && go) {
    log(
      `It cannot be downloaded (${failures.join('; ') || 'not tried'}): building it with Go, once`,
    )
    try {
      await runCommand(go, ['install', GO_PACKAGE], {
        label: 'Building Temporal',
        log,
        env: { ...env, GOBIN: folder },
        cwd: folder,
        timeoutMs: BUILD_LIMIT_MS,
      })
      return join(folder, basename(GO_PACKAGE).replace(/@.*/, ''))
    } catch (error) {
      failures.push(`go install: ${reasonOf(error)}`)
    }
  } else {
    failures.push('go install: no Go on PATH')
  }
  throw new Error(
    `Temporal could not be fetched (${failures.join('; ')}). ` +
      `Install its command with: go install ${GO_PACKAGE}\n` +
      'or: curl -sSf https://temporal.download/cli.sh | sh\n' +
      'or name a running server: TEMPORAL_ADDRESS=host:7233 npm start',
  )
}

async function answersVersion(program: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 10_000 })
    return stdout.startsWith('temporal version')
  } catch {
    return false
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
