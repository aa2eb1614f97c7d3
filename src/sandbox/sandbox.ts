import {
  type CaseRun,
  inputText,
  judgeCase,
  type ProgramKey,
  type ProgramVerdict,
} from '../domain/answers/program.ts'
import { InterpreterProcess } from './interpreter-process.ts'

/** What a program may take for all its tests together. */
const RUN_MS = 2_000
/** An interpreter that nobody has asked for so long is let go. */
const IDLE_MS = 10 * 60_000

/** Runs programs that are not trusted. */
export interface Sandbox {
  /** Runs a program against its question's tests, one program at a time; it never fails, it is `unavailable`. */
  test(program: string, key: ProgramKey): Promise<ProgramVerdict>
  /** Ends its processes. What runs is `unavailable`. */
  stop(): Promise<void>
}

export interface SandboxOptions {
  /**
   * Whether programs are trusted not to spoil the interpreter for the next one, as those of a course's author are. Others
   * get an interpreter of their own.
   */
  trusted?: boolean
  /** Starts an interpreter; its first call is for the one that is kept warm. */
  load?: typeof loadInterpreter
}

let memory: Promise<Buffer> | null = null

/** A warm interpreter: the first one of this process is loaded, the others start from its memory. */
export async function loadInterpreter(): Promise<InterpreterProcess> {
  memory ??= InterpreterProcess.snapshot()
  try {
    return await InterpreterProcess.start(await memory)
  } catch (error) {
    memory = null
    throw error
  }
}

/**
 * A sandbox in a process of its own. It starts at the first program; an interpreter that has run one is replaced, and the
 * next one warms up meanwhile.
 */
export function createSandbox({
  trusted = false,
  load = loadInterpreter,
}: SandboxOptions = {}): Sandbox {
  return new WarmSandbox(trusted, load)
}

class WarmSandbox implements Sandbox {
  readonly #trusted: boolean
  readonly #load: typeof loadInterpreter
  #warm: Promise<InterpreterProcess | null> | null = null
  /** The end of what was asked for last. */
  #queue: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined
  #stopped = false

  constructor(trusted: boolean, load: typeof loadInterpreter) {
    this.#trusted = trusted
    this.#load = load
  }

  test(program: string, key: ProgramKey): Promise<ProgramVerdict> {
    const verdict = this.#queue.then(() => this.#test(program, key))
    this.#queue = verdict
    return verdict
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#idle)
    const interpreter = await this.#warm
    await interpreter?.kill()
    await this.#queue
  }

  async #test(program: string, key: ProgramKey): Promise<ProgramVerdict> {
    clearTimeout(this.#idle)
    const interpreter = await this.#take()
    if (!interpreter) return { verdict: 'unavailable' }
    const { verdict, spoilt } = await runTests(interpreter, program, key)
    if (spoilt || !this.#trusted) await interpreter.kill()
    if (this.#stopped) return { verdict: 'unavailable' }
    if (spoilt || !this.#trusted) this.#warm = this.#start()
    this.#idle = setTimeout(() => this.#rest(), IDLE_MS).unref()
    return verdict
  }

  /** The warm interpreter, or one that is started now; null where none can be. */
  async #take(): Promise<InterpreterProcess | null> {
    for (const isAgain of [false, true]) {
      if (this.#stopped) return null
      this.#warm ??= this.#start()
      const interpreter = await this.#warm
      if (interpreter?.alive) return interpreter
      // One that died while it waited is started once more.
      this.#warm = null
      if (isAgain) break
    }
    return null
  }

  async #start(): Promise<InterpreterProcess | null> {
    try {
      const interpreter = await this.#load()
      if (this.#stopped) await interpreter.kill()
      return interpreter
    } catch {
      return null
    }
  }

  async #rest(): Promise<void> {
    const interpreter = await this.#warm
    this.#warm = null
    await interpreter?.kill()
  }
}

/** After these an interpreter is broken, or still busy. */
const BREAKING: readonly string[] = ['timed-out', 'crashed', 'too-deep', 'out-of-memory']

/** Runs all tests until one fails; `spoilt`: the interpreter is not to be used again. */
async function runTests(
  interpreter: InterpreterProcess,
  program: string,
  key: ProgramKey,
): Promise<{ verdict: ProgramVerdict; spoilt: boolean }> {
  const end = performance.now() + RUN_MS
  for (const test of key.tests) {
    interpreter.ask({ program, function: key.function ?? '', input: inputText(key, test) })
    const line = await interpreter.line(end - performance.now())
    const run = line === null ? { fault: { kind: endOf(interpreter), line: null } } : readRun(line)
    const spoilt = run.fault !== undefined && BREAKING.includes(run.fault.kind)
    if (run.fault?.kind === 'unreadable') {
      const { message, line: at } = run.fault
      return { verdict: { verdict: 'unreadable', message, line: at }, spoilt }
    }
    const failed = judgeCase(key, test, run)
    if (failed) return { verdict: { verdict: 'failed', failed }, spoilt }
  }
  return { verdict: { verdict: 'passed' }, spoilt: false }
}

/** Why no answer came. */
function endOf(interpreter: InterpreterProcess): 'timed-out' | 'out-of-memory' | 'crashed' {
  if (interpreter.overfull) return 'out-of-memory'
  return interpreter.alive ? 'timed-out' : 'crashed'
}

function readRun(line: string): CaseRun {
  try {
    return JSON.parse(line) as CaseRun
  } catch {
    return { fault: { kind: 'crashed', line: null } }
  }
}
