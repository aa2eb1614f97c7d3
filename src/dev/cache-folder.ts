import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { waitForLock } from './pid-lock.mjs'
import type { Log } from './run-command.ts'

/**
 * Makes one entry of the cache, once, although several processes may ask for it: `make` fills a
 * fresh folder beside the final one and has it renamed into place when it is whole, so a build that
 * was cut off is never used. `find` returns the finished program or null.
 */
export async function makeOnce(
  cache: string,
  entry: string,
  log: Log,
  find: () => Promise<string | null>,
  make: (workFolder: string, finalFolder: string) => Promise<void>,
): Promise<string> {
  mkdirSync(cache, { recursive: true })
  let told = false
  const lock = await waitForLock(join(cache, `${entry}.lock`), (holder, waitedMs) => {
    if (told || waitedMs < 2000) return
    told = true
    log(`Waiting for process ${holder.pid}, which is making ${entry} already`)
  })
  try {
    const existing = await find()
    if (existing) return existing
    removeUnfinished(cache, entry)
    const workFolder = join(cache, `${entry}.making-${process.pid}`)
    mkdirSync(workFolder)
    try {
      await make(workFolder, join(cache, entry))
    } finally {
      rmSync(workFolder, { recursive: true, force: true })
    }
    const made = await find()
    if (!made) throw new Error(`${entry} was made, but does not run`)
    return made
  } finally {
    lock.release()
  }
}

function removeUnfinished(cache: string, entry: string): void {
  for (const name of readdirSync(cache)) {
    if (name === entry || name.startsWith(`${entry}.making-`)) {
      rmSync(join(cache, name), { recursive: true, force: true })
    }
  }
}
