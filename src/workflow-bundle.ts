import { createHash } from 'node:crypto'
import { promises as fs } from 'node:fs'
import path from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

const SOURCE = import.meta.dirname
const BUNDLED = ['workflows', 'domain', 'contracts']

/**
 * The workflow code in one file, built once for its sources and kept in `folder`: a worker that is started
 * again after a crash does not build it again.
 * @returns the file's path
 */
export async function workflowBundle(folder: string): Promise<string> {
  const file = path.join(folder, `workflows-${await fingerprint()}.cjs`)
  try {
    await fs.access(file)
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
  return file
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
