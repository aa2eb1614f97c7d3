import { existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const LARGEST_BYTES = 10_000_000

/** Opens a server's log for appending; one that has grown past 10 MB becomes `<name>.old` first. */
export function openLogFile(path: string): number {
  if (existsSync(path) && statSync(path).size > LARGEST_BYTES) renameSync(path, `${path}.old`)
  return openSync(path, 'a')
}

/** The last ten lines of a log, for an error message. */
export function tailOf(path: string): string {
  return existsSync(path)
    ? readFileSync(path, 'utf8').trimEnd().split('\n').slice(-10).join('\n')
    : ''
}
