import { expect, it } from 'vitest'
import { backOff, followEvents, type ServerEvent } from '../../src/client/event-stream.ts'
import { serve } from './scripted-server.ts'

interface Scripted {
  status?: number
  body?: string
  retryAfter?: string
}

/** Runs the follower over scripted answers; the last answer must end it. */
async function follow(answers: (Scripted | 'broken')[]) {
  const asked: (string | null)[] = []
  const waits: number[] = []
  const connections: string[] = []
  const events: ServerEvent[] = []
  const gapsAt: number[] = []
  const script = [...answers]
  const url = await serve((request, response) => {
    asked.push((request.headers['last-event-id'] as string | undefined) ?? null)
    const answer = script.shift()
    if (answer === undefined || answer === 'broken') {
      request.socket.destroy()
      return
    }
    const { status = 200, body = '', retryAfter } = answer
    response.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end(body)
  })
  await followEvents(() => url, '/events', {
    signal: new AbortController().signal,
    onConnection: (connection) => connections.push(connection),
    onGap: () => gapsAt.push(asked.length),
    onEvent: (event) => events.push(event),
    wait: async (ms) => {
      waits.push(ms)
    },
  })
  return { asked, waits, connections, events, gapsAt }
}

const told = (id: number, type = 'message') => `event: ${type}\nid: ${id}\ndata: {"n":${id}}\n\n`

it('resumes with the last id, and gives each event once', async () => {
  const { asked, events, connections } = await follow([
    { body: told(1) + told(2) },
    'broken',
    { body: told(3, 'phase') },
    { status: 204 },
  ])
  expect(asked).toEqual([null, '2', '2', '3'])
  expect(events).toEqual([
    { type: 'message', data: { n: 1 } },
    { type: 'message', data: { n: 2 } },
    { type: 'phase', data: { n: 3 } },
  ])
  expect(connections.slice(0, 3)).toEqual(['connecting', 'live', 'reconnecting'])
})

it('tells of a gap where a connection does not go on from an event that was seen', async () => {
  const { gapsAt } = await follow([
    { body: '' },
    'broken',
    { body: told(1) },
    { body: told(2) },
    { status: 404 },
  ])
  expect(gapsAt).toEqual([1, 3])
})

it('keeps the place over comments, events without an id, and data it cannot read', async () => {
  const body = `: still here\n\n${told(7)}event: delta\ndata: {"text":\ndata: "x"}\n\ndata: {broken\n\n`
  const { asked, events } = await follow([{ body }, { status: 404 }])
  expect(asked).toEqual([null, '7'])
  expect(events).toEqual([
    { type: 'message', data: { n: 7 } },
    { type: 'delta', data: { text: 'x' } },
  ])
})

it.each([204, 401, 403, 404])('stops for good on %i', async (status) => {
  const { asked, connections } = await follow([{ status }])
  expect(asked).toHaveLength(1)
  expect(connections).toEqual(['connecting', 'stopped'])
})

it('waits as the server asks, and longer each time nothing came', async () => {
  const failing = await follow([
    { status: 503, retryAfter: '9' },
    { status: 500 },
    'broken',
    { body: told(1) },
    { status: 403 },
  ])
  const [asked, second, third, served] = failing.waits
  expect(asked).toBe(9_000)
  expect(second).toBeGreaterThanOrEqual(1_000)
  expect(third).toBeGreaterThanOrEqual(2_000)
  expect(served).toBeLessThanOrEqual(500)
})

it('spreads the waits between half and the whole, up to the longest', () => {
  expect(backOff(0, undefined, () => 0)).toBe(250)
  expect(backOff(0, undefined, () => 1)).toBe(500)
  expect(backOff(3, undefined, () => 0.5)).toBe(3_000)
  expect(backOff(50, undefined, () => 1)).toBe(20_000)
  expect(backOff(50, 2_000, () => 1)).toBe(2_000)
})

it('ends at once when it is told to, also while it waits', async () => {
  const leave = new AbortController()
  const following = followEvents(() => null, '/events', {
    signal: leave.signal,
    onEvent: () => {},
    onConnection: (connection) => connection === 'reconnecting' && leave.abort(),
  })
  await expect(following).resolves.toBeUndefined()
})
