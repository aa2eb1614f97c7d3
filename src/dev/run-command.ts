import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

export type Log = (line: string) => void

export interface CommandOptions {
  /** What the command does, as the start of a sentence: "Building Temporal". */
  label: string
  log: Log
  env?: NodeJS.ProcessEnv
  cwd?: string
  timeoutMs?: number
}

/**
 * Runs a command to its end and returns what it printed. From the third second on it reports every
 * five seconds that it is still at work. Throws with the last lines printed when it fails.
 */
export function runCommand(file: string, args: string[], options: CommandOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    const stopReporting = reportProgress(options.label, options.log, () => lastLines(output, 1))
    child.once('error', (error) => {
      stopReporting()
      reject(error)
    })
    child.once('close', (code, signal) => {
      stopReporting()
      if (code === 0) resolve(output)
      else reject(new Error(`${file} ended with ${signal ?? code}: ${lastLines(output, 5)}`))
    })
  })
}

/** Says after two seconds, and every five from then on, that something is still at work. */
export function reportProgress(
  label: string,
  log: Log,
  detail: () => string = () => '',
): () => void {
  const since = Date.now()
  const report = () => {
    const seconds = Math.round((Date.now() - since) / 1000)
    const last = detail().slice(0, 100)
    log(`${label} … ${seconds} s${last ? ` (${last})` : ''}`)
  }
  let timer = setTimeout(function first() {
    report()
    timer = setInterval(report, 5000)
  }, 2000)
  return () => clearTimeout(timer)
}

/** The first executable file of that name in the folders of PATH, or null. */
export function findOnPath(name: string, path = process.env.PATH ?? ''): string | null {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, name)
    if (folder && isExecutable(candidate)) return candidate
  }
  return null
}

/** Whether the path is a file this process may execute. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function lastLines(text: string, count: number): string {
  return stripVTControlCharacters(text).trimEnd().split('\n').slice(-count).join('\n').trim()
}
