import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The editor that the environment names; null where it names none. */
export const editorCommand = (env: NodeJS.ProcessEnv): string | null =>
  [env.VISUAL, env.EDITOR].find((command) => command?.trim()) ?? null

/**
 * Has an editor open on a text, in the place of this program, until it is closed.
 * @param command as `$EDITOR` has it, with options
 * @returns the text as it was left; null where the editor could not be started, or says that it failed
 */
export async function editText(command: string, text: string): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'meno-'))
  const file = join(folder, 'program.py')
  try {
    await writeFile(file, text)
    const editor = spawn(`${command} ${JSON.stringify(file)}`, { shell: true, stdio: 'inherit' })
    const [code] = (await once(editor, 'exit')) as [number | null]
    return code === 0 ? await readFile(file, 'utf8') : null
  } catch {
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
