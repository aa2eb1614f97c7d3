/**
 * A model server for tests: it speaks the Messages API over HTTP, answers every step sensibly, and fails on cue.
 *
 *     node test/support/scripted-model.ts --port 4010 [--pace 20]
 *     ANTHROPIC_BASE_URL=http://127.0.0.1:4010 ANTHROPIC_API_KEY=any npm start
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type AskedOfModel, type JsonSchema, stepOfSchema, worldAnswer } from './scripted-world.ts'

/** What goes wrong with a call; `after` counts the pieces of text that still arrive before it. */
export type Fault =
  /** Answers with an HTTP error; `retryAfter` is in seconds. */
  | { kind: 'status'; status: number; message?: string; retryAfter?: number; retryAfterMs?: number }
  /** An error event in the middle of the stream. */
  | { kind: 'error-event'; type?: string; after?: number }
  /** The connection is cut in the middle of the stream. */
  | { kind: 'cut'; after?: number }
  /** The stream ends properly, but in the middle of the answer. */
  | { kind: 'end'; after?: number }
  /** No fault: the model thinks aloud before it answers. */
  | { kind: 'thinking'; text: string }
  /** No fault: the server says that it read and wrote so many tokens of its cache. */
  | { kind: 'cache'; read: number; written: number }
  /** The answer stops half-way, as if the tokens had run out. */
  | { kind: 'truncated' }
  /** Half of the JSON, as if it were all. */
  | { kind: 'half' }
  /** The model declines to answer. */
  | { kind: 'refusal' }
  /** This text in place of the answer. */
  | { kind: 'text'; text: string }
  /** This value, sent as JSON, in place of the answer. */
  | { kind: 'json'; value: unknown }
  /** An answer of that many characters. */
  | { kind: 'huge'; length?: number }
  /** Nothing for so many milliseconds, before the response or in its middle; then it goes on. */
  | { kind: 'silence'; ms: number; after?: number }

export interface RecordedCall {
  step: string
  model: string
  maxTokens: number
  system: string
  messages: { role: string; text: string }[]
  schema: JsonSchema | null
  /** The whole request body. */
  body: Record<string, unknown>
  startedAt: number
  /** When the last of a whole answer was written. */
  answeredAt: number | null
  endedAt: number | null
  /** Whether the caller went away before the end. */
  aborted: boolean
}

/** An answer of your own: text, or a value to be sent as JSON; undefined leaves it to the world. */
export type Answerer = (asked: AskedOfModel) => unknown

export interface ScriptedModel {
  /** The base URL, for `ANTHROPIC_BASE_URL`. */
  readonly url: string
  readonly calls: RecordedCall[]
  /** Lines up a fault for the next call, or for so many calls; calls without one are answered. */
  script(fault: Fault, times?: number): void
  /** Lets a function say what goes wrong with each call that has no fault lined up; null: nothing does. */
  fail(chooser: (call: RecordedCall) => Fault | null): void
  /** Answers a step by a function; steps are named as in `scripted-world.ts`, `*` stands for all. */
  answer(step: string, answerer: Answerer): void
  /** Milliseconds between the pieces of an answer; 0 sends it at once. */
  pace(ms: number): void
  /** Refuses connections from now on, and cuts those that are open. */
  down(): Promise<void>
  /** Listens again on the same port. */
  up(): Promise<void>
  close(): Promise<void>
}

export interface ScriptedModelOptions {
  port?: number
  paceMs?: number
  /** Concepts below the root of a map; 8 when it is not given. */
  concepts?: number
}

const PIECE_LENGTH = 24
const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** Starts the server on a free port of the loopback interface, or on the port given. */
export async function startScriptedModel(
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const world = { concepts: options.concepts ?? 8 }
  const calls: RecordedCall[] = []
  const faults: Fault[] = []
  const answerers = new Map<string, Answerer>()
  let chooser: (call: RecordedCall) => Fault | null = () => null
  let paceMs = options.paceMs ?? 0

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages')) {
      return sendError(response, { kind: 'status', status: 404 })
    }
    const call = record(body)
    response.on('close', () => {
      call.endedAt = Date.now()
      call.aborted = !response.writableEnded
    })
    const earlier = calls.filter(({ step }) => step === call.step).length
    calls.push(call)
    const fault = faults.shift() ?? chooser(call) ?? undefined
    if (fault?.kind === 'status') return sendError(response, fault)
    if (fault?.kind === 'silence' && fault.after === undefined) await sleep(fault.ms)
    const { step, schema, system } = call
    const asked = { step, schema, system, prompt: call.messages[0]?.text ?? '', earlier }
    const custom = (answerers.get(step) ?? answerers.get('*'))?.(asked)
    const said = custom === undefined ? worldAnswer(asked, world) : custom
    const reply = replyOf(typeof said === 'string' ? said : JSON.stringify(said), fault)
    if (body.stream === true) await sendStream(response, call, reply, fault, paceMs)
    else sendMessage(response, call, reply)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  await listen(server, options.port ?? 0)
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    script(fault, times = 1) {
      for (let time = 0; time < times; time += 1) faults.push(fault)
    },
    fail(given) {
      chooser = given
    },
    answer(step, answerer) {
      answerers.set(step, answerer)
    },
    pace(ms) {
      paceMs = ms
    },
    down: () => stop(server),
    up: () => listen(server, port),
    close: () => stop(server),
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function stop(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

function record(body: Record<string, unknown>): RecordedCall {
  const output = body.output_config as { format?: { schema?: JsonSchema } } | undefined
  const schema = output?.format?.schema ?? null
  const messages = (body.messages as { role: string; content: unknown }[]) ?? []
  return {
    step: stepOfSchema(schema),
    model: String(body.model),
    maxTokens: Number(body.max_tokens),
    system: textOf(body.system),
    messages: messages.map(({ role, content }) => ({ role, text: textOf(content) })),
    schema,
    body,
    startedAt: Date.now(),
    answeredAt: null,
    endedAt: null,
    aborted: false,
  }
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '')
  return content.map((block: { text?: string }) => block.text ?? '').join('')
}

interface Reply {
  text: string
  stopReason: string
}

function replyOf(text: string, fault: Fault | undefined): Reply {
  const half = text.slice(0, Math.ceil(text.length / 2))
  switch (fault?.kind) {
    case 'truncated':
      return { text: half, stopReason: 'max_tokens' }
    case 'half':
      return { text: half, stopReason: 'end_turn' }
    case 'refusal':
      return { text: '', stopReason: 'refusal' }
    case 'text':
      return { text: fault.text, stopReason: 'end_turn' }
    case 'json':
      return { text: JSON.stringify(fault.value), stopReason: 'end_turn' }
    case 'huge':
      return { text: 'x'.repeat(fault.length ?? 200_000), stopReason: 'end_turn' }
    default:
      return { text, stopReason: 'end_turn' }
  }
}

function sendError(response: ServerResponse, fault: Extract<Fault, { kind: 'status' }>): void {
  const { status, message = `scripted ${status}`, retryAfter, retryAfterMs } = fault
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) }),
  })
  const type = ERROR_TYPES[status] ?? 'api_error'
  response.end(JSON.stringify({ type: 'error', error: { type, message } }))
}

const tokens = (text: string): number => Math.ceil(text.length / 4)

function messageOf(call: RecordedCall, content: unknown[], stopReason: string | null, out: number) {
  const input = tokens(call.system) + tokens(call.messages.map(({ text }) => text).join(''))
  return {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model: call.model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: out },
  }
}

function sendMessage(response: ServerResponse, call: RecordedCall, { text, stopReason }: Reply) {
  response.writeHead(200, { 'content-type': 'application/json' })
  const content = [{ type: 'text', text }]
  call.answeredAt = Date.now()
  response.end(JSON.stringify(messageOf(call, content, stopReason, tokens(text))))
}

async function sendStream(
  response: ServerResponse,
  call: RecordedCall,
  { text, stopReason }: Reply,
  fault: Fault | undefined,
  paceMs: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send: Send = (type, fields = {}) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  const message = messageOf(call, [], null, 1)
  if (fault?.kind === 'cache') {
    Object.assign(message.usage, {
      cache_read_input_tokens: fault.read,
      cache_creation_input_tokens: fault.written,
    })
  }
  send('message_start', { message })
  const index = fault?.kind === 'thinking' ? 1 : 0
  if (fault?.kind === 'thinking') sendThinking(send, fault.text)
  send('content_block_start', { index, content_block: { type: 'text', text: '' } })
  send('ping')
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${PIECE_LENGTH}}`, 'g')) ?? []
  for (const [count, piece] of pieces.entries()) {
    if (response.destroyed) return
    if (count === faultyPiece(fault) && (await breakStream(response, fault, send))) return
    send('content_block_delta', { index, delta: { type: 'text_delta', text: piece } })
    if (paceMs > 0) await sleep(paceMs)
  }
  send('content_block_stop', { index })
  const usage = { output_tokens: tokens(text) }
  send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage })
  call.answeredAt = Date.now()
  send('message_stop')
  response.end()
}

type Send = (type: string, fields?: object) => unknown

function sendThinking(send: Send, thinking: string): void {
  send('content_block_start', {
    index: 0,
    content_block: { type: 'thinking', thinking: '', signature: '' },
  })
  send('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking } })
  send('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'x' } })
  send('content_block_stop', { index: 0 })
}

/** The piece before which a fault of the stream strikes. */
function faultyPiece(fault: Fault | undefined): number | null {
  switch (fault?.kind) {
    case 'cut':
    case 'end':
    case 'error-event':
      return fault.after ?? 1
    case 'silence':
      return fault.after ?? null
    default:
      return null
  }
}

/** Lets a fault strike; true when nothing comes after it. */
async function breakStream(
  response: ServerResponse,
  fault: Fault | undefined,
  send: Send,
): Promise<boolean> {
  switch (fault?.kind) {
    case 'error-event':
      send('error', { error: { type: fault.type ?? 'overloaded_error', message: 'scripted' } })
      response.end()
      return true
    case 'end':
      response.end()
      return true
    case 'cut':
      // What was written is still in the socket's buffer.
      await sleep(20)
      response.destroy()
      return true
    case 'silence':
      await sleep(fault.ms)
      return false
    default:
      return false
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '4010' }, pace: { type: 'string', default: '0' } },
  })
  const model = await startScriptedModel({ port: Number(values.port), paceMs: Number(values.pace) })
  process.stdout.write(`scripted model at ${model.url}\n`)
}
