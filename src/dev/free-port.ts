import { createServer } from 'node:net'

const HOST = '127.0.0.1'

/** Whether a server could listen on this port of the loopback address now. */
export function isPortFree(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  )
}

/**
 * The wanted port of the loopback address if it is free, else the next free one above it.
 * `0` means any free port. Ports in `except` are passed over.
 */
export async function freePort(wanted: number, except: readonly number[] = []): Promise<number> {
  if (wanted === 0) return listenOnce(0)
  for (let port = wanted; port < Math.min(wanted + 500, 65_536); port++) {
    if (!except.includes(port) && (await isPortFree(port))) return port
  }
  throw new Error(`No free port from ${wanted} to ${wanted + 499} on ${HOST}`)
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, HOST, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve(bound))
    })
  })
}
