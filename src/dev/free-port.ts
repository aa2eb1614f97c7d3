import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { tryLock } from './pid-lock.mjs'

const LOOPBACK = '127.0.0.1'
const TRIES = 500

/** A port that stays this process's own while the server on it is being restarted. */
export interface ClaimedPort {
  port: number
  release(): void
}

/** Whether a server could listen on this port of the host's address now. */
export function isPortFree(port: number, host = LOOPBACK): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    () => false,
  )
}

/** The wanted port if it is free, else the next free one above it; `0` means any free port. */
export async function freePort(wanted: number, host = LOOPBACK): Promise<number> {
  if (wanted === 0) return listenOnce(0, host)
  for (const port of upwardsOf(wanted)) if (await isPortFree(port, host)) return port
  throw noneFree(wanted, host)
}

/**
 * The same, and claims it: until it is released or this process ends, no other Meno of this user takes the port, not
 * even while nothing listens there. A server that is killed comes back where its clients look for it, and they never
 * find another's in its place.
 */
export async function claimPort(wanted: number, host = LOOPBACK): Promise<ClaimedPort> {
  for (let port of upwardsOf(wanted)) {
    if (wanted === 0) port = await listenOnce(0, host)
    const { lock } = tryLock(claimFile(port))
    if (lock && (await isPortFree(port, host))) return { port, release: lock.release }
    lock?.release()
  }
  throw noneFree(wanted, host)
}

function* upwardsOf(wanted: number): Generator<number> {
  for (let port = wanted; port < Math.min(wanted + TRIES, 65_536); port += 1) yield port
}

function claimFile(port: number): string {
  return join(tmpdir(), `meno-ports-${userInfo().uid}`, String(port))
}

function noneFree(wanted: number, host: string): Error {
  return new Error(`No free port from ${wanted} to ${wanted + TRIES - 1} on ${host}`)
}

function listenOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve(bound))
    })
  })
}
