import type { AddressInfo, Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** Where a mail goes wrong. */
export type Step = 'connect' | 'login' | 'sender' | 'recipient' | 'text'

export interface ReceivedMail {
  from: string
  to: string[]
  raw: string
}

export interface MailServer {
  readonly url: string
  readonly mails: ReceivedMail[]
  /** What happens at a step from now on: an answer such as `550 5.1.1 no such user`, a cut connection, or nothing at all. */
  fail(step: Step, how: string | 'cut' | 'silence'): void
  stop(): Promise<void>
}

export const USER = 'meno'
export const PASSWORD = 'p@ss:word'

type Answer = (error?: Error | null) => void

/** A mail server that takes what it is given, unless it was told to fail. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const faults = new Map<Step, string>()
  const sockets = new Set<Socket>()
  const at = (step: Step, answer: Answer) => {
    const how = faults.get(step)
    if (how === undefined) return answer()
    if (how === 'silence') return
    if (how === 'cut') for (const socket of sockets) socket.destroy()
    else answer(withCode(how))
  }
  const server = new SMTPServer({
    ...{ authOptional: true, allowInsecureAuth: true, disabledCommands: ['STARTTLS'] },
    ...{ disableReverseLookup: true, closeTimeout: 50 },
    onConnect: (_, answer) => at('connect', answer),
    onAuth({ username, password }, _, answer) {
      const isKnown = username === USER && password === PASSWORD
      if (isKnown) answer(null, { user: username })
      else answer(withCode('535 5.7.8 authentication failed'))
    },
    onMailFrom: (_, __, answer) => at('sender', answer),
    onRcptTo: (_, __, answer) => at('recipient', answer),
    async onData(stream, { envelope }, answer) {
      const raw = await textOf(stream)
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw })
      at('text', answer)
    },
    ...options,
  })
  server.on('error', () => {})
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    fail: (step, how) => faults.set(step, how),
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

/** `550 5.1.1 no such user` as the library's server says it. */
function withCode(answer: string): Error {
  const [, code, text] = /^(\d{3}) (.*)$/.exec(answer) ?? []
  return Object.assign(new Error(text), { responseCode: Number(code) })
}
