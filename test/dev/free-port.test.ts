import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { claimPort, freePort, isPortFree } from '../../src/dev/free-port.ts'

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

test('a free port is taken as wanted', async () => {
  const port = await freePort(0)
  expect(await freePort(port)).toBe(port)
})

test('a claimed port is nobody else’s until it is released, though nothing listens there', async () => {
  const first = await claimPort(await freePort(0))
  const second = await claimPort(first.port)
  expect(second.port).toBeGreaterThan(first.port)
  first.release()
  const third = await claimPort(first.port)
  expect(third.port).toBe(first.port)
  for (const { release } of [second, third]) release()
})

test('the claim of a process that was killed counts no longer', async () => {
  const module = pathToFileURL(path.resolve('src/dev/free-port.ts')).href
  const script = `const { claimPort } = await import('${module}')
    console.log((await claimPort(${await freePort(0)})).port)
    process.kill(process.pid, 'SIGKILL')`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script])
  const port = Number(String(stdout))
  expect(port).toBeGreaterThan(0)
  const again = await claimPort(port)
  expect(again.port).toBe(port)
  again.release()
})
