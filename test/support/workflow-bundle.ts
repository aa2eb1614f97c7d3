import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

const WORKFLOWS = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url))

/**
 * Bundles the workflow code once for a whole test run and returns the file's path, to be given to
 * workers as `workflowBundle: { codePath }`.
 */
export async function bundleWorkflows(folder: string): Promise<string> {
  if (!existsSync(WORKFLOWS)) throw new Error(`There is no workflow code at ${WORKFLOWS}`)
  const logger = new DefaultLogger('WARN')
  const { code } = await bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger })
  const path = join(folder, 'workflow-bundle.js')
  writeFileSync(path, code)
  return path
}
