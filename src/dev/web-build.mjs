import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitForLock } from './pid-lock.mjs'

const SOURCES = [
  'web',
  'src/client',
  'src/contracts',
  'src/domain',
  'src/markup',
  'package-lock.json',
]
const LEFT_OUT = new Set(['dist', 'node_modules'])

/**
 * Builds the web app unless `web/dist` was built from just these sources. Two at once wait for each
 * other; a build that was cut off leaves no mark and is done again.
 * @param {string} root the project's folder
 * @param {() => Promise<number>} build resolves to the exit code
 */
export async function ensureWebApp(root, build) {
  if (!existsSync(join(root, 'web', 'vite.config.ts'))) return
  const mark = join(root, 'web', 'dist', '.built-from')
  const isCurrent = (sources) => existsSync(mark) && readFileSync(mark, 'utf8') === sources
  if (isCurrent(fingerprint(root))) return
  const lock = await waitForLock(join(root, '.meno', 'web-build.lock'))
  try {
    const sources = fingerprint(root)
    if (isCurrent(sources)) return
    if ((await build()) !== 0)
      throw new Error('The web app could not be built. See: npm run build:web')
    writeFileSync(mark, sources)
  } finally {
    lock.release()
  }
}

function fingerprint(root) {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((path) => filesUnder(join(root, path)))) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${file}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function filesUnder(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => !LEFT_OUT.has(name))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)))
}
