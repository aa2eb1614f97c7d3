import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../config.ts'
import { makeOnce } from './cache-folder.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { Log } from './run-command.ts'
import { commandAs, serverUser } from './server-user.ts'

/** The superuser, who owns the data. */
export const POSTGRES_USER = 'meno'
const INITDB_ARGS = [
  ...['-U', POSTGRES_USER, '--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale'],
  ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
]

export const dataFolder = (home: string): string => join(home, 'postgres')

const passwordFile = (home: string): string => join(home, 'postgres-password')

/** The superuser's password for the data of this home. */
export const readPassword = (home: string): string =>
  readFileSync(passwordFile(home), 'utf8').trim()

/**
 * Makes the data of a home: a copy of the one empty database that is made for this user and version,
 * with its password. It is made beside its place and moved there when whole, because a first start
 * may be killed at any moment.
 * @param isLasting written to disk before it is used, so that it survives a power cut
 */
export async function makeData(
  home: string,
  binaries: PostgresBinaries,
  { isLasting, log }: { isLasting: boolean; log: Log },
): Promise<void> {
  const template = await emptyDatabase(binaries, log)
  const fresh = join(home, `postgres.new-${process.pid}`)
  await promisify(execFile)('cp', ['-a', join(template, 'data'), fresh])
  if (isLasting) await initdb(binaries, fresh, ['--sync-only'])
  const password = readFileSync(join(template, 'password'), 'utf8')
  writeFileSync(`${passwordFile(home)}.new`, password, { mode: 0o600 })
  renameSync(`${passwordFile(home)}.new`, passwordFile(home))
  renameSync(fresh, dataFolder(home))
}

/** The folder, in the user's cache, of `data` and its `password`. */
async function emptyDatabase(binaries: PostgresBinaries, log: Log): Promise<string> {
  const key = createHash('sha256').update(INITDB_ARGS.join()).digest('hex').slice(0, 8)
  const entry = `postgres-${binaries.version}-${key}`
  const folder = join(cacheFolder(), entry)
  const find = async () => (existsSync(join(folder, 'data', 'PG_VERSION')) ? folder : null)
  const make = async (workFolder: string, finalFolder: string) => {
    const whole = join(workFolder, 'whole')
    const [data, password] = [join(whole, 'data'), join(whole, 'password')]
    mkdirSync(data, { recursive: true, mode: 0o700 })
    writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 })
    const user = serverUser(data)
    if (user) for (const path of [data, password]) chownSync(path, user.uid, user.gid)
    await initdb(binaries, data, [...INITDB_ARGS, '--pwfile', password])
    renameSync(whole, finalFolder)
  }
  return (await find()) ?? makeOnce(cacheFolder(), entry, log, find, make)
}

async function initdb(binaries: PostgresBinaries, data: string, args: string[]): Promise<void> {
  const command = commandAs(serverUser(data), binaries.initdb, ['-D', data, ...args], [data])
  await promisify(execFile)(command.file, command.args, { ...command.options, cwd: '/' })
}
