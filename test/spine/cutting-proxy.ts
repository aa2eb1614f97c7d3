import { createConnection, createServer, type Server, type Socket } from 'node:net'

/** The statement to break at, counted from 1: before the server has it, or after it is done and before that is heard. */
export interface Cut {
  number: number
  side: 'sent' | 'done'
}

/** A wire to PostgreSQL that breaks once. */
export class CuttingProxy {
  readonly url: string
  /** Statements of the client that the server was sent, and those it said it had done. */
  readonly #counted = { sent: 0, done: 0 }
  readonly #cut: Cut
  readonly #server: Server
  #hasCut = false

  private constructor(server: Server, url: string, cut: Cut) {
    this.#server = server
    this.url = url
    this.#cut = cut
  }

  static async before(databaseUrl: string, cut: Cut): Promise<CuttingProxy> {
    const target = new URL(databaseUrl)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address() as { port: number }
    const url = new URL(databaseUrl)
    url.hostname = '127.0.0.1'
    url.port = String(address.port)
    const proxy = new CuttingProxy(server, url.href, cut)
    server.on('connection', (client) => proxy.#join(client, target))
    return proxy
  }

  get hasCut(): boolean {
    return this.#hasCut
  }

  close(): void {
    this.#server.close()
  }

  #join(client: Socket, target: URL): void {
    const server = createConnection({ host: target.hostname, port: Number(target.port) })
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    const fromClient = new Messages(false)
    const fromServer = new Messages(true)
    client.on('data', (chunk) => {
      for (const { type, bytes } of fromClient.read(chunk)) {
        // Execute and Query.
        if ((type === 'E' || type === 'Q') && this.#counts('sent')) return end()
        server.write(bytes)
      }
    })
    server.on('data', (chunk) => {
      for (const { type, bytes } of fromServer.read(chunk)) {
        // CommandComplete.
        if (type === 'C' && this.#counts('done')) return end()
        client.write(bytes)
      }
    })
  }

  #counts(side: Cut['side']): boolean {
    this.#counted[side] += 1
    if (this.#hasCut || this.#cut.side !== side) return false
    this.#hasCut = this.#cut.number === this.#counted[side]
    return this.#hasCut
  }
}

/** The messages of one direction of PostgreSQL's protocol: a letter, a length, a body; a client's first has no letter. */
class Messages {
  #rest = Buffer.alloc(0)
  #begun: boolean

  constructor(begun: boolean) {
    this.#begun = begun
  }

  *read(chunk: Buffer): Generator<{ type: string; bytes: Buffer }> {
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (;;) {
      const head = this.#begun ? 1 : 0
      if (this.#rest.length < head + 4) return
      const length = head + this.#rest.readInt32BE(head)
      if (this.#rest.length < length) return
      const bytes = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      const type = this.#begun ? String.fromCharCode(bytes[0] ?? 0) : ''
      this.#begun = true
      yield { type, bytes }
    }
  }
}
