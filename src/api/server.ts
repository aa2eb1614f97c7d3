import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import pino from 'pino'
import { startReconciler as startSpineReconciler } from '../commands/reconciler.ts'
import { wakeEntity } from '../commands/wake.ts'
import type { Config } from '../config.ts'
import { loadCourses } from '../courses/load.ts'
import { openDatabase } from '../store/database.ts'
import type { EntityToWake } from '../store/spine/entities.ts'
import { EventHub } from '../store/spine/event-hub.ts'
import { connectClient } from '../temporal-connection.ts'
import { createApp } from './app.ts'
import { EventHub as ArcEventHub } from './event-hub.ts'
import { startReconciler } from './reconciler.ts'
import { ensureSchedules } from './schedules.ts'

export interface RunningApi {
  /** Where it answers. */
  url: string
  stop(): Promise<void>
}

/** Serves the API and the web app on the configured port; 0 means any. */
export async function startApi(config: Config, databaseUrl: string): Promise<RunningApi> {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const { db, pool } = openDatabase(databaseUrl)
  const hub = new ArcEventHub(databaseUrl)
  const events = new EventHub(databaseUrl)
  const [temporal, courses] = await Promise.all([
    connectClient(),
    loadCourses(config.coursesFolder),
    hub.start(),
    events.start(),
  ])
  const wake = (entity: EntityToWake) => wakeEntity(temporal, entity)
  const dependencies = { config, db, temporal, hub, events, wake, courses, log }
  const app = createApp(dependencies)
  const { promise: listening, resolve, reject } = Promise.withResolvers<AddressInfo>()
  const served = { fetch: app.fetch, hostname: config.host, port: config.port }
  const server = serve(served, resolve)
  server.once('error', reject)
  const { port } = await listening
  const endReconcilers = [startReconciler(dependencies), startSpineReconciler(dependencies)]
  ensureSchedules(temporal).catch((error) => log.warn({ error }, 'the schedules are not set up'))
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    url: `http://${host}:${port}`,
    async stop() {
      for (const end of endReconcilers) end()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([hub.stop(), events.stop()])
      await temporal.connection.close()
      await pool.end()
    },
  }
}
