import { type AddressInfo, createServer } from 'node:net'
import { serve } from '@hono/node-server'
import pino from 'pino'
import type { Config } from '../config.ts'
import { loadCourses } from '../courses/load.ts'
import { openDatabase } from '../store/database.ts'
import { connectClient } from '../temporal-connection.ts'
import { createApp } from './app.ts'
import { EventHub } from './event-hub.ts'
import { startReconciler } from './reconciler.ts'
import { ensureSchedules } from './schedules.ts'

export interface RunningApi {
  /** Where it answers. */
  url: string
  stop(): Promise<void>
}

/** Serves the API and the web app; where the wanted port is taken, on the next free one. */
export async function startApi(config: Config, databaseUrl: string): Promise<RunningApi> {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const { db, pool } = openDatabase(databaseUrl)
  const hub = new EventHub(databaseUrl)
  const [temporal, courses] = await Promise.all([
    connectClient(),
    loadCourses(config.coursesFolder),
    hub.start(),
  ])
  const dependencies = { config, db, temporal, hub, courses, log }
  const app = createApp(dependencies)
  const port = await freePort(config.host, config.port)
  const server = serve({ fetch: app.fetch, hostname: config.host, port })
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  const endReconciler = startReconciler(dependencies)
  ensureSchedules(temporal).catch((error) => log.warn({ error }, 'the schedules are not set up'))
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    url: `http://${host}:${port}`,
    async stop() {
      endReconciler()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await hub.stop()
      await temporal.connection.close()
      await pool.end()
    },
  }
}

/** The wanted port, or the first free one after it; 0 means any. */
async function freePort(host: string, wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + 50; port += 1) {
    const free = await new Promise<number | null>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(null))
      probe.listen(port, host, () => {
        const { port: bound } = probe.address() as AddressInfo
        probe.close(() => resolve(bound))
      })
    })
    if (free !== null) return free
  }
  throw new Error(`No free port from ${wanted} on. Set PORT to a free one.`)
}
