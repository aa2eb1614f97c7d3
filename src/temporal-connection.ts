import { Client, Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'

/** A client on the Temporal service that the environment names, by its standard variables. */
export async function connectClient(): Promise<Client> {
  const { connectionOptions, namespace } = loadClientConnectConfig()
  const connection = Connection.lazy(connectionOptions)
  return new Client({ connection, namespace: namespace ?? 'default' })
}
