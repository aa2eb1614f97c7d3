import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { freePort, isPortFree } from '../../src/dev/free-port.ts'

const open: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function occupy(host: string): Promise<number> {
  const server = createServer()
  open.push(server)
  server.listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test.each(['127.0.0.1', '0.0.0.0'])('a port taken on %s gives way to a later one', async (host) => {
  const taken = await occupy(host)
  expect(await isPortFree(taken)).toBe(false)
  const port = await freePort(taken)
  expect(port).toBeGreaterThan(taken)
  expect(await isPortFree(port)).toBe(true)
})

test('a free port is taken as wanted, except where it is spoken for', async () => {
  const port = await freePort(0)
  expect(await freePort(port)).toBe(port)
  expect(await freePort(port, [port])).toBeGreaterThan(port)
})
