import { expect, it } from 'vitest'
import { backOff, followEvents, type ServerEvent } from '../../web/api/event-stream.ts'

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
  const script = [...answers]
  await followEvents({
    url: '/events',
    signal: new AbortController().signal,
    onConnection: (connection) => connections.push(connection),
    onEvent: (event) => events.push(event),
    wait: async (ms) => {
      waits.push(ms)
    },
    fetch: (async (_url: string, init: RequestInit) => {
      asked.push(new Headers(init.headers).get('last-event-id'))
      const answer = script.shift()
      if (answer === undefined) throw new Error('the script is over')
      if (answer === 'broken') throw new TypeError('network')
      const { status = 200, body = '', retryAfter } = answer
      const headers = retryAfter ? { 'retry-after': retryAfter } : {}
      return new Response(status === 204 ? null : body, { status, headers })
    }) as typeof fetch,
  })
  return { asked, waits, connections, events }
}

const told = (id: number, type = 'message') => `event: ${type}\nid: ${id}\ndata: {"n":${id}}\n\n`

it('resumes with the last id, and gives each event once', async () => {
  const { asked, events } = await follow([
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
})

it('keeps the place over events without an id and data it cannot read', async () => {
  const body = `${told(7)}event: delta\ndata: {"text":"x"}\n\nevent: message\ndata: {broken\n\n`
  const { asked, events } = await follow([{ body }, { status: 404 }])
  expect(asked).toEqual([null, '7'])
  expect(events.map(({ type }) => type)).toEqual(['message', 'delta'])
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

it('spreads the waits between half and the whole, up to twenty seconds', () => {
  expect(backOff(0, () => 0)).toBe(250)
  expect(backOff(0, () => 1)).toBe(500)
  expect(backOff(3, () => 0.5)).toBe(3_000)
  expect(backOff(50, () => 1)).toBe(20_000)
})
