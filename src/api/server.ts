import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import type { Client, Connection } from '@temporalio/client'
import pino, { type Logger } from 'pino'
import type { Dependencies } from '../commands/context.ts'
import { startReconciler } from '../commands/reconciler.ts'
import { wakeEntity } from '../commands/wake.ts'
import { type Config, coursesCache } from '../config.ts'
import { loadCourses } from '../courses/load.ts'
import { ensureSearchAttributes } from '../search-attributes.ts'
import { openDatabase } from '../store/database.ts'
import type { EntityToWake } from '../store/spine/entities.ts'
import { EventHub } from '../store/spine/event-hub.ts'
import { connectClient } from '../temporal-connection.ts'
import { loadTemporalDevConfig } from '../temporal-dev-config.ts'
import { createApp } from './app.ts'
import { ensureSchedules } from './schedules.ts'

const TEMPORAL_PAUSE_MS = 5_000

export interface RunningApi {
  /** Where it answers. */
  url: string
  stop(): Promise<void>
}

/** Serves the API and the web app on the configured port; 0 means any. */
export async function startApi(config: Config, databaseUrl: string): Promise<RunningApi> {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const { db, pool } = openDatabase(databaseUrl)
  const events = new EventHub(databaseUrl)
  const [temporal, courses] = await Promise.all([
    connectClient(),
    loadCourses(config.coursesFolder, coursesCache()),
    events.start(),
  ])
  const wake = (entity: EntityToWake) => wakeEntity(temporal, entity)
  const base: Dependencies = { config, db, temporal, events, wake, courses, log }
  const bot = await telegramBot(base, databaseUrl)
  const dependencies: Dependencies = {
    ...base,
    linking: {
      ...(bot ? { telegramName: bot.name } : {}),
      ...(await confirmation(config)),
    },
    ...(bot?.webhook ? { telegram: bot.webhook } : {}),
  }
  const app = createApp(dependencies)
  const { promise: listening, resolve, reject } = Promise.withResolvers<AddressInfo>()
  const served = { fetch: app.fetch, hostname: config.host, port: config.port }
  const server = serve(served, resolve)
  server.once('error', reject)
  const { port } = await listening
  const endReconciling = startReconciler(dependencies)
  const stopping = new AbortController()
  const prepared = prepareNamespace(temporal, log, stopping.signal)
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    url: `http://${host}:${port}`,
    async stop() {
      endReconciling()
      stopping.abort()
      await Promise.all([prepared, bot?.stop()])
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await events.stop()
      await temporal.connection.close()
      await pool.end()
    },
  }
}

// What needs settings is loaded with them.

async function telegramBot(base: Dependencies, databaseUrl: string) {
  const { telegram } = base.config
  if (!telegram) return null
  const { startTelegram } = await import('../telegram/service.ts')
  return startTelegram(base, telegram, databaseUrl)
}

async function confirmation({ mail }: Config) {
  if (!mail) return {}
  const { createAddressConfirmation } = await import('../channels/email.ts')
  return { confirmAddress: createAddressConfirmation(mail) }
}

/** Search attributes and schedules, as soon as Temporal answers: the API also starts without it. */
async function prepareNamespace(temporal: Client, log: Logger, stopping: AbortSignal) {
  const { connection, options } = temporal
  const { searchAttributes } = loadTemporalDevConfig()
  while (!stopping.aborted) {
    try {
      await connection.withAbortSignal(stopping, async () => {
        const advice = await ensureSearchAttributes(
          connection as Connection,
          options.namespace,
          searchAttributes,
        )
        if (advice) process.stderr.write(`${advice}\n`)
        await ensureSchedules(temporal)
      })
      return
    } catch (error) {
      if (!stopping.aborted) log.warn({ error }, 'the namespace is not set up; trying again')
      await sleep(TEMPORAL_PAUSE_MS, undefined, { signal: stopping }).catch(() => {})
    }
  }
}
