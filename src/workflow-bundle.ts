import { createHash } from 'node:crypto'
import { promises as fs } from 'node:fs'
import path from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { cacheFolder } from './config.ts'

const SOURCE = import.meta.dirname
const BUNDLED = ['workflows', 'domain', 'contracts']

const UNUSED_MS = 7 * 86_400_000

/**
 * The workflow code in one file, built once for its sources and kept in the user's cache folder for
 * every later start. Two that build it at once write the same.
 * @returns the file's path
 */
export async function workflowBundle(folder = cacheFolder()): Promise<string> {
  const file = path.join(folder, `workflows-${await fingerprint()}.cjs`)
  const now = new Date()
  try {
    await fs.utimes(file, now, now)
    return file
  } catch {
    // not built yet
  }
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(SOURCE, 'workflows/index.ts'),
    logger: new DefaultLogger('WARN'),
  })
  await fs.mkdir(folder, { recursive: true })
  const draft = `${file}.${process.pid}`
  await fs.writeFile(draft, code)
  await fs.rename(draft, file)
  await removeUnused(folder)
  return file
}

/** Bundles of sources that nobody has started for a week. */
async function removeUnused(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    if (!name.startsWith('workflows-')) continue
    const file = path.join(folder, name)
    const { mtimeMs } = await fs.stat(file).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > UNUSED_MS) await fs.rm(file, { force: true })
  }
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of BUNDLED) {
    const names = await fs.readdir(path.join(SOURCE, folder), { recursive: true })
    for (const name of names.sort()) {
      if (!name.endsWith('.ts')) continue
      hash.update(name).update(await fs.readFile(path.join(SOURCE, folder, name)))
    }
  }
  const sdk = await fs.readFile(
    path.join(SOURCE, '../node_modules/@temporalio/worker/package.json'),
    'utf8',
  )
  return hash.update(sdk).digest('hex').slice(0, 16)
}
