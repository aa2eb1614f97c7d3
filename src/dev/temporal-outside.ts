import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { ensureSearchAttributes } from './search-attributes.ts'
import type { TemporalDevConfig } from './temporal-dev-config.ts'

const PATIENCE_MS = 30_000

/**
 * Connects, once, to the Temporal that the environment names (address, namespace, API key, TLS) and
 * sees to the search attributes there. Throws when it does not answer within 30 seconds.
 * `advice` is what an operator has to do by hand, if anything.
 */
export async function connectToTemporal(
  env: NodeJS.ProcessEnv,
  searchAttributes: TemporalDevConfig['searchAttributes'],
): Promise<{ address: string; namespace: string; advice: string | null }> {
  const overrideEnvVars = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({ overrideEnvVars })
  const address = connectionOptions.address ?? env.TEMPORAL_ADDRESS ?? ''
  const deadline = Date.now() + PATIENCE_MS
  while (true) {
    try {
      const connection = await Connection.connect({ ...connectionOptions, connectTimeout: '5s' })
      try {
        const advice = await ensureSearchAttributes(connection, namespace, searchAttributes)
        return { address, namespace, advice }
      } finally {
        await connection.close()
      }
    } catch (error) {
      if (Date.now() > deadline) {
        throw new Error(
          `Temporal at ${address} (TEMPORAL_ADDRESS, namespace ${namespace}) does not answer: ${error}\n` +
            'Start it, correct the address, or use the embedded one: env -u TEMPORAL_ADDRESS npm start',
        )
      }
      await sleep(500)
    }
  }
}
