import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Notice } from '../../src/contracts/channel.ts'

/** A request to the gateway, as it came; a receiver that tells repeats keeps the first of a key. */
export interface Received {
  key: string
  notice: Notice & { url: string }
}

/** Where a learner's webhook leads in a test: it writes down what comes, before it answers. */
export interface NoticeGateway {
  readonly url: string
  readonly received: Received[]
  /** Called before the answer; `cut`: there is none, and the connection ends. */
  onReceived: ((received: Received) => 'cut' | undefined) | null
  close(): void
}

export async function startNoticeGateway(): Promise<NoticeGateway> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { key: String(request.headers['x-meno-delivery-id']), notice: JSON.parse(body) }
    received.push(one)
    if (gateway.onReceived?.(one) === 'cut') request.socket.destroy()
    else response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gateway: NoticeGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    onReceived: null,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return gateway
}
