/**
 * The process that runs programs: Python in WebAssembly, without files, network, environment or a way to the host. It is
 * started by `interpreter-process.ts`; as `snapshot` it writes the memory of a freshly loaded interpreter and ends.
 */
import { constants, readFileSync, readSync, writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { loadPyodide } from 'pyodide'
import type { CaseRequest } from './interpreter-process.ts'

const STDIN = 0
const STDOUT = 1
/** What a program may use beyond the idle interpreter. */
const PROGRAM_BYTES = 64 * 2 ** 20
const PAGE_BYTES = 65_536

/** JavaScript itself, and what the interpreter uses of the platform while a program runs. */
const KEPT = new Set([
  ...['Object', 'Function', 'Array', 'Number', 'parseFloat', 'parseInt', 'Infinity', 'NaN'],
  ...['undefined', 'Boolean', 'String', 'Symbol', 'Date', 'Promise', 'RegExp', 'Error', 'JSON'],
  ...['AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError'],
  ...['URIError', 'globalThis', 'Math', 'Intl', 'ArrayBuffer', 'Atomics', 'Uint8Array', 'Map'],
  ...['Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array', 'BigUint64Array'],
  ...['BigInt64Array', 'Uint8ClampedArray', 'Float32Array', 'Float64Array', 'DataView', 'BigInt'],
  ...['Set', 'Iterator', 'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'FinalizationRegistry'],
  ...['WeakRef', 'decodeURIComponent', 'encodeURIComponent', 'isFinite', 'isNaN', 'TextEncoder'],
  ...['TextDecoder', 'WebAssembly', 'SharedArrayBuffer', 'performance', 'crypto'],
])

interface WasmMemory {
  buffer: ArrayBuffer
  grow(pages: number): number
}
interface Platform {
  WebAssembly: { Memory: { prototype: WasmMemory } }
}

// Its file systems of the host ask for these numbers when they are set up; the permission model refuses them.
Object.defineProperty(process, 'binding', { value: () => ({ fs: constants }) })

let memoryRefused = false
let mostBytes = Number.POSITIVE_INFINITY
const { prototype: memory } = (globalThis as unknown as Platform).WebAssembly.Memory
const { grow } = memory
memory.grow = function (this: WasmMemory, pages: number) {
  if (this.buffer.byteLength + pages * PAGE_BYTES > mostBytes) {
    memoryRefused = true
    throw new RangeError('no memory')
  }
  return grow.call(this, pages)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const harness = readFileSync(new URL('./harness.py', import.meta.url), 'utf8')
if (process.argv[2] === 'snapshot') await writeSnapshot()
else await serve()

async function writeSnapshot(): Promise<void> {
  const python = await loadPyodide({ ...settings(), _makeSnapshot: true })
  python.runPython(harness)
  write(python.makeMemorySnapshot())
}

function settings() {
  return {
    env: { HOME: '/', PYTHONHASHSEED: '0' },
    jsglobals: Object.freeze(Object.create(null)),
    stdin: () => null,
    stdout: () => {},
    stderr: () => {},
  }
}

/** Announces itself with an empty line; then answers every line, a case to run, with one. */
async function serve(): Promise<void> {
  const length = readBytes(4).readUInt32LE()
  const python = await loadPyodide({ ...settings(), _loadSnapshot: readBytes(length) })
  python.runPython('seal()')
  const run = python.globals.get('run_case') as (...given: string[]) => string
  mostBytes = (python as unknown as { _module: { HEAP8: Int8Array } })._module.HEAP8.length
  mostBytes += PROGRAM_BYTES
  stripHost()
  write(encoder.encode('\n'))
  for (;;) {
    const line = readLine()
    if (line === null) return
    const { program, function: name, input } = JSON.parse(line) as CaseRequest
    write(encoder.encode(`${runCase(run, [program, name, input])}\n`))
  }
}

/** A trap of WebAssembly leaves the interpreter broken: that is told as the case's fault, and the process is not used again. */
function runCase(run: (...given: string[]) => string, given: string[]): string {
  try {
    return run(...given)
  } catch (error) {
    return JSON.stringify({ fault: { kind: trapOf(error), line: null } })
  }
}

function trapOf(error: unknown): 'out-of-memory' | 'too-deep' | 'crashed' {
  if (memoryRefused) return 'out-of-memory'
  return error instanceof RangeError ? 'too-deep' : 'crashed'
}

/** Whatever of the host could be reached from JavaScript, should a program come that far. */
function stripHost(): void {
  const inert = Object.freeze({ __proto__: null, name: 'Object' })
  for (const prototype of prototypes()) {
    Reflect.defineProperty(prototype, 'constructor', { value: inert, configurable: false })
  }
  registerHooks({
    resolve() {
      throw new Error('nothing is imported here')
    },
  })
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!KEPT.has(name)) Reflect.deleteProperty(globalThis, name)
  }
  // A trap is told to a console before it is thrown on.
  const quiet = Object.freeze({ __proto__: null, error: () => {}, warn: () => {}, log: () => {} })
  Object.defineProperty(globalThis, 'console', { value: quiet })
}

/** Those of what JavaScript is made of: from any object their constructors could be come by, and memory with them. */
function prototypes(): object[] {
  const named = globalThis as Record<string, { prototype?: object } | undefined>
  const builtins = Object.getOwnPropertyNames(globalThis).map((name) => named[name]?.prototype)
  const functions = [async () => {}, function* () {}, async function* () {}]
  const unnamed = [Uint8Array.prototype, ...functions].map((each) => Object.getPrototypeOf(each))
  return [...builtins, ...unnamed].filter((prototype) => prototype !== undefined)
}

function readBytes(count: number): Uint8Array & { readUInt32LE(): number } {
  const bytes = Buffer.alloc(count)
  for (let at = 0; at < count; ) {
    const read = readSync(STDIN, bytes, at, count - at, null)
    if (read === 0) throw new Error('the input ended early')
    at += read
  }
  return bytes
}

/** The next line; null when nobody asks any more. */
function readLine(): string | null {
  const chunk = new Uint8Array(PAGE_BYTES)
  let line = ''
  for (;;) {
    const read = readSync(STDIN, chunk, 0, chunk.length, null)
    if (read === 0) return null
    line += decoder.decode(chunk.subarray(0, read), { stream: true })
    if (line.endsWith('\n')) return line
  }
}

function write(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(STDOUT, bytes, at)
}
