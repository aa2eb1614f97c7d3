import { Client, Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { NativeConnection } from '@temporalio/worker'

/** A client on the Temporal service that the environment names, by its standard variables. */
export async function connectClient(): Promise<Client> {
  const { connectionOptions, namespace } = loadClientConnectConfig()
  const connection = Connection.lazy(connectionOptions)
  return new Client({ connection, namespace: namespace ?? 'default' })
}

/** A worker's connection to the same service. */
export async function connectWorker(): Promise<{
  connection: NativeConnection
  namespace: string
}> {
  const { connectionOptions, namespace } = loadClientConnectConfig()
  const { address, tls, apiKey, metadata } = connectionOptions
  const connection = await NativeConnection.connect({
    ...(address === undefined ? {} : { address }),
    ...(tls === undefined ? {} : { tls }),
    ...(typeof apiKey === 'string' ? { apiKey } : {}),
    ...(metadata === undefined ? {} : { metadata: metadata as Record<string, string> }),
  })
  return { connection, namespace: namespace ?? 'default' }
}
