import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { createClient, Refused, Unreachable } from '../../src/cli/client.ts'

const servers: Server[] = []
const leaving: AbortController[] = []

afterEach(() => {
  for (const one of leaving.splice(0)) one.abort()
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function clientOf(address: () => string | null, patienceMs = 5_000) {
  const leave = new AbortController()
  leaving.push(leave)
  const trouble: boolean[] = []
  const onTrouble = (isInTrouble: boolean) => trouble.push(isInTrouble)
  return {
    client: createClient({ address, patienceMs, signal: leave.signal, onTrouble }),
    ...{ leave, trouble },
  }
}

async function bodyOf(request: Parameters<RequestListener>[0]): Promise<string> {
  let body = ''
  for await (const piece of request) body += piece
  return body
}

it('sends a message again, under the same id, until a restarting API takes it', async () => {
  const bodies: string[] = []
  const url = await serve(async (request, response) => {
    bodies.push(await bodyOf(request))
    if (bodies.length === 1) request.socket.destroy()
    else if (bodies.length === 2) response.writeHead(503).end('{"detail":"restarting"}')
    else response.writeHead(202).end('{"messageId":"m-1"}')
  })
  let asked = 0
  const { client, trouble } = clientOf(() => (asked++ === 0 ? null : url))
  const sent = await client.send('arc', { messageId: 'm-1', text: '42' })
  expect(sent).toEqual({ messageId: 'm-1' })
  expect(bodies).toEqual(Array(3).fill('{"messageId":"m-1","text":"42"}'))
  expect(trouble).toEqual([true, true, true, false])
})

it('gives up in words when nothing answers, and passes on what is refused', async () => {
  const { client } = clientOf(() => null, 200)
  await expect(client.arc('a')).rejects.toThrow(Unreachable)
  const url = await serve((_, response) => {
    response.writeHead(409).end('{"detail":"The arc is ABANDONED; it takes no more messages."}')
  })
  const refused = clientOf(() => url).client.arc('a')
  await expect(refused).rejects.toThrow(Refused)
  await expect(refused).rejects.toThrow('The arc is ABANDONED; it takes no more messages.')
})

it('stops waiting at once when the learner leaves', async () => {
  const { client, leave } = clientOf(() => null, 60_000)
  const waiting = client.arc('a')
  leave.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
})

it('follows events over a broken connection, from the last one it saw', async () => {
  const resumedFrom: (string | undefined)[] = []
  const url = await serve((request, response) => {
    resumedFrom.push(request.headers['last-event-id'] as string | undefined)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const n = resumedFrom.length
    response.write(`: still here\n\nevent: message\nid: ${n}\ndata: {"n":`)
    response.write(`${n}}\n\nevent: delta\ndata: {"d":${n}}\n\n`)
    if (n < 3) response.end()
  })
  const { client, leave } = clientOf(() => url)
  const seen: unknown[] = []
  let opened = 0
  const following = client.follow('arc', {
    onOpen: () => {
      opened += 1
    },
    onEvent: ({ type, data }) => seen.push([type, data]),
  })
  await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(6)
  leave.abort()
  await following
  expect(resumedFrom).toEqual([undefined, '1', '2'])
  expect(opened).toBe(3)
  expect(seen.slice(0, 2)).toEqual([
    ['message', { n: 1 }],
    ['delta', { d: 1 }],
  ])
  await sleep(0)
})
