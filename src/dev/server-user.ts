import { execFileSync, type SpawnOptions } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { findOnPath } from './run-command.ts'

/** Whom PostgreSQL runs as: it refuses root. Null = the user who runs us. */
export interface ServerUser {
  uid: number
  gid: number
}

const NOBODY: ServerUser = { uid: 65_534, gid: 65_534 }

export interface PreparedCommand {
  file: string
  args: string[]
  options: Pick<SpawnOptions, 'uid' | 'gid'>
}

/**
 * The user PostgreSQL runs as when we are root: the owner of the data if there is some, else
 * `postgres` where there is one, else nobody. Null when we are not root.
 */
export function serverUser(dataFolder: string): ServerUser | null {
  if (process.getuid?.() !== 0) return null
  try {
    const { uid, gid } = statSync(dataFolder)
    if (uid !== 0) return { uid, gid }
  } catch {
    // no data yet
  }
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return NOBODY
  }
}

/**
 * A command to be run as that user. Where the program or its data lie in a folder closed to other
 * users (/root, a temporary folder), the user is allowed past the doors for this command only.
 */
export function commandAs(
  user: ServerUser | null,
  file: string,
  args: string[],
  paths: string[],
): PreparedCommand {
  if (!user) return { file, args, options: {} }
  if ([file, ...paths].every((path) => isOpenToOthers(dirname(path)))) {
    return { file, args, options: { uid: user.uid, gid: user.gid } }
  }
  const setpriv = findOnPath('setpriv')
  if (!setpriv) {
    throw new Error(
      'PostgreSQL does not run as root, and its own user may not enter this folder. ' +
        'Choose one that every user may enter: MENO_HOME=/var/lib/meno npm start',
    )
  }
  // Without the fix-up `access()`, by which PostgreSQL checks its programs, honours the right as well.
  const fixUp = ['--securebits', '+no_setuid_fixup']
  const rights = [...fixUp, '--inh-caps', '+dac_override', '--ambient-caps', '+dac_override']
  const identity = ['--reuid', `${user.uid}`, '--regid', `${user.gid}`, '--clear-groups']
  return { file: setpriv, args: [...identity, ...rights, '--', file, ...args], options: {} }
}

function isOpenToOthers(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false
  const parent = dirname(folder)
  return parent === folder || isOpenToOthers(parent)
}
