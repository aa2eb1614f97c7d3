import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const ENTRY = fileURLToPath(new URL('./interpreter.ts', import.meta.url))
const PYODIDE = dirname(fileURLToPath(import.meta.resolve('pyodide')))
/** Loading takes a second; on a machine that is very busy, many. */
const START_MS = 60_000
/** A process whose parent was killed ends by this, whatever it runs: seconds of computing. */
const MOST_CPU_SECONDS = 60
/** More than the output of every case can come to is no answer. */
const MOST_ANSWER = 4 * 2 ** 20

/**
 * What the process may take beyond what it takes while idle: the 64 MB that its WebAssembly memory may grow, and what
 * JavaScript needs beside it. Whoever comes by a JavaScript object could allocate without growing that memory.
 */
const PROGRAM_BYTES = 96 * 2 ** 20
const WATCH_MS = 15

const OPTIONS = [
  '--permission',
  `--allow-fs-read=${PYODIDE}/`,
  `--allow-fs-read=${dirname(ENTRY)}/`,
  '--disallow-code-generation-from-strings',
  '--no-warnings',
]

/** A program to be run for one case. */
export interface CaseRequest {
  program: string
  /** The function that is called with `input`, a list in JSON; empty where the program reads its input. */
  function: string
  input: string
}

/** The process is gone, or did not start. */
export class InterpreterGone extends Error {}

/** One process that runs programs, with an empty environment and nothing but a pipe in and a pipe out. */
export class InterpreterProcess {
  readonly #child: ChildProcess
  #buffered = ''
  #wake: () => void = () => {}
  #over = false
  #mostBytes = Number.POSITIVE_INFINITY
  #overfull = false

  private constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#buffered += text
      if (this.#buffered.length > MOST_ANSWER) this.kill()
      this.#wake()
    })
    for (const ends of [child, child.stdout]) {
      ends?.once('close', () => {
        this.#over = true
        this.#wake()
      })
    }
  }

  /**
   * The memory of an interpreter that has just loaded, from which others start in a fraction of the time.
   * @throws InterpreterGone
   */
  static async snapshot(): Promise<Buffer> {
    const child = start(['snapshot'])
    const timer = setTimeout(() => child.kill('SIGKILL'), START_MS)
    const parts: Buffer[] = []
    child.stdout?.on('data', (part: Buffer) => parts.push(part))
    const [code] = (await once(child, 'close')) as [number | null]
    clearTimeout(timer)
    if (code !== 0) throw new InterpreterGone('the interpreter could not be loaded')
    return Buffer.concat(parts)
  }

  /**
   * A process that waits for programs.
   * @throws InterpreterGone
   */
  static async start(snapshot: Buffer): Promise<InterpreterProcess> {
    const child = start([])
    const interpreter = new InterpreterProcess(child)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(snapshot.length)
    child.stdin?.write(length)
    child.stdin?.write(snapshot)
    const ready = await interpreter.line(START_MS)
    if (ready === '') {
      interpreter.#mostBytes = residentBytes(child.pid) + PROGRAM_BYTES
      return interpreter
    }
    await interpreter.kill()
    throw new InterpreterGone('the interpreter did not start')
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether it can be asked. */
  get alive(): boolean {
    return !this.#over && !this.#child.killed
  }

  /** Whether it was ended because it took more memory than a program may. */
  get overfull(): boolean {
    return this.#overfull
  }

  /** Has a program run for one case; the answer is the next line. */
  ask(request: CaseRequest): void {
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`)
  }

  /** The next line of an answer; null when none has come in that time, or the process has ended. */
  async line(withinMs: number): Promise<string | null> {
    const end = performance.now() + withinMs
    const watch = setInterval(() => this.#endIfOverfull(), WATCH_MS)
    try {
      return await this.#lineBefore(end)
    } finally {
      clearInterval(watch)
    }
  }

  #endIfOverfull(): void {
    if (this.#over || residentBytes(this.#child.pid) <= this.#mostBytes) return
    this.#overfull = true
    this.#child.kill('SIGKILL')
  }

  async #lineBefore(end: number): Promise<string | null> {
    for (;;) {
      const at = this.#buffered.indexOf('\n')
      if (at >= 0) {
        const line = this.#buffered.slice(0, at)
        this.#buffered = this.#buffered.slice(at + 1)
        return line
      }
      const left = end - performance.now()
      if (this.#over || left <= 0) return null
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** Ends it, whatever it does. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const closed = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await closed
  }
}

/** Bytes of a process that are in memory; 0 where the platform does not tell. */
function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

function start(args: string[]): ChildProcess {
  const command = [process.execPath, ...OPTIONS, ENTRY, ...args]
  const limits = `ulimit -t ${MOST_CPU_SECONDS} && ulimit -c 0 && exec "$0" "$@"`
  const [file = '', ...rest] =
    process.platform === 'win32' ? command : ['/bin/sh', '-c', limits, ...command]
  const child = spawn(file, rest, { env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
  // What cannot be started or written to ends: `close` tells.
  child.on('error', () => child.emit('close', null))
  ;(child.stdin as Writable).on('error', () => {})
  return child
}
