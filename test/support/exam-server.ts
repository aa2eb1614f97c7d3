import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What it says about a question. */
interface Word {
  status: 'available' | 'locked' | 'passed'
  lockedUntil?: string
}

/** A customer's exam API over HTTP, with one student: it takes a call of the same key once, and fails on cue. */
export interface ExamServer {
  readonly url: string
  /** The keys of attempts it has carried out. */
  readonly attempts: string[]
  /** How many of the next calls of a path are lost: before they are carried out, or their answer on the way back. */
  lose(path: 'status' | 'attempts', what: 'call' | 'answer', times: number): void
  close(): Promise<void>
}

const DAY_MS = 86_400_000

export async function startExamServer(): Promise<ExamServer> {
  const states = new Map<string, Word>()
  const answers = new Map<string, Word>()
  const attempts: string[] = []
  const lost: { path: string; what: 'call' | 'answer'; times: number }[] = []

  const carryOut = (path: string, key: string, sent: Sent): unknown => {
    if (path === 'status') {
      const open: Word = { status: 'available' }
      return Object.fromEntries((sent.questionIds ?? []).map((id) => [id, states.get(id) ?? open]))
    }
    const earlier = answers.get(key)
    if (earlier) return earlier
    if (path === 'attempts') attempts.push(key)
    const until = new Date(Date.now() + DAY_MS).toISOString()
    const word: Word = sent.isCorrect
      ? { status: 'passed' }
      : { status: 'locked', lockedUntil: until }
    states.set(sent.questionId ?? '', word)
    answers.set(key, word)
    return word
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Sent
    const path = request.url?.slice(1) ?? ''
    const loss = lost.find((each) => each.path === path && each.times > 0)
    if (loss) loss.times -= 1
    if (loss?.what === 'call') return void response.destroy()
    const said = carryOut(path, String(request.headers['idempotency-key']), sent)
    if (loss) return void response.destroy()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  }

  const server: Server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    attempts,
    lose: (path, what, times) => lost.push({ path, what, times }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Sent {
  questionIds?: string[]
  questionId?: string
  isCorrect?: boolean
}
