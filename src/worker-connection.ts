import { setTimeout as sleep } from 'node:timers/promises'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { NativeConnection } from '@temporalio/worker'

const PATIENCE_MS = 30_000

/** A worker's connection to the Temporal service that the environment names. Throws when it does not answer within 30 seconds. */
export async function connectWorker(): Promise<{
  connection: NativeConnection
  namespace: string
}> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig()
  const { address, tls, apiKey, metadata } = connectionOptions
  const options = {
    ...(address === undefined ? {} : { address }),
    ...(tls === undefined ? {} : { tls }),
    ...(typeof apiKey === 'string' ? { apiKey } : {}),
    ...(metadata === undefined ? {} : { metadata: metadata as Record<string, string> }),
  }
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(500)) {
    try {
      return { connection: await NativeConnection.connect(options), namespace }
    } catch (error) {
      if (Date.now() < deadline) continue
      throw new Error(
        `Temporal at ${address} (TEMPORAL_ADDRESS, namespace ${namespace}) does not answer: ${error}\n` +
          'Start it, correct the address, or use the embedded one: env -u TEMPORAL_ADDRESS npm start',
      )
    }
  }
}
