import type { RequestListener } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { createArcClient } from '../../src/client/arc-client.ts'
import { type Address, createCall, patiently } from '../../src/client/call.ts'
import { isPassing, type Problem } from '../../src/client/problem.ts'
import { serve } from './scripted-server.ts'

function clientOf(address: Address, patienceMs = 5_000) {
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  const trouble: boolean[] = []
  const onTrouble = (isInTrouble: boolean) => trouble.push(isInTrouble)
  const call = patiently(createCall(address), { patienceMs, signal: leave.signal, onTrouble })
  return { client: createArcClient(address, call), leave, trouble }
}

async function bodyOf(request: Parameters<RequestListener>[0]): Promise<string> {
  let body = ''
  for await (const piece of request) body += piece
  return body
}

const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error: Problem) => error,
  )

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

it('begins one arc however often it has to ask for it', async () => {
  const keys: unknown[] = []
  const url = await serve((request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (keys.length === 1) response.writeHead(502).end('<html>')
    else response.writeHead(201).end('{"arcId":"a"}')
  })
  await clientOf(() => url).client.begin({ topic: 'algebra' })
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
})

it('gives up when nothing answers', async () => {
  const problem = await problemOf(clientOf(() => null, 200).client.arc('a'))
  expect(problem).toMatchObject({ status: 0, message: 'The server cannot be reached.' })
  expect(isPassing(problem)).toBe(true)
})

it('passes on what is refused, as the problem document says it', async () => {
  let asked = 0
  const url = await serve((_, response) => {
    asked += 1
    const errors = [{ pointer: '/text', detail: 'too long' }]
    response
      .writeHead(409, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ title: 'Closed', detail: 'It takes no more messages.', errors }))
  })
  const problem = await problemOf(clientOf(() => url).client.arc('a'))
  expect(problem).toMatchObject({
    ...{ status: 409, title: 'Closed', message: 'It takes no more messages.', retryAfter: null },
    errors: [{ pointer: '/text', detail: 'too long' }],
  })
  expect(asked).toBe(1)
})

it('counts an answer that does not come in time as none', async () => {
  const url = await serve(() => {})
  const problem = await problemOf(createCall(() => url, 50)('/slow'))
  expect(problem.status).toBe(0)
})

it('stops waiting at once when the learner leaves', async () => {
  const { client, leave } = clientOf(() => null, 60_000)
  const waiting = client.arc('a')
  leave.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
})

it('reads lists page by page to their end', async () => {
  const paths: string[] = []
  const many = Array.from({ length: 1_000 }, (_, n) => ({ id: `m${n}` }))
  const url = await serve((request, response) => {
    paths.push(request.url ?? '')
    const arcs = { items: [{ arcId: 'a' }], nextCursor: paths.length === 1 ? 'next' : null }
    const messages = { items: request.url?.includes('after') ? [{ id: 'last' }] : many }
    response.end(JSON.stringify(request.url?.includes('/messages') ? messages : arcs))
  })
  const { client } = clientOf(() => url)
  expect(await client.arcs('me')).toHaveLength(2)
  expect(await client.messages('x')).toHaveLength(1_001)
  expect(paths).toEqual([
    '/api/arcs?limit=100&learnerId=me',
    '/api/arcs?limit=100&learnerId=me&cursor=next',
    '/api/arcs/x/messages?limit=1000',
    '/api/arcs/x/messages?limit=1000&after=m999',
  ])
})
