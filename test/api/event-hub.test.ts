import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EventHub } from '../../src/store/event-hub.ts'
import { ARC_CHANNEL } from '../../src/store/events.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let database: FreshDatabase
let hub: EventHub

beforeAll(async () => {
  database = await freshDatabase()
  hub = new EventHub(database.url)
  await hub.start()
})
afterAll(async () => {
  await hub.stop()
  await database.drop()
})

const announce = (id: string) =>
  sql`select pg_notify(${ARC_CHANNEL}, ${JSON.stringify({ arcId: id })})`.execute(database.db)

it('waits for what is stored, and does not mind how the work ends later', async () => {
  const work = Promise.withResolvers<void>()
  const heard = hub.storedOrDone('one', work.promise)
  await announce('one')
  await heard
  // The run fails of a rejection that nobody takes.
  work.reject(new Error('too late to matter'))
  await new Promise((resolve) => setImmediate(resolve))
})

it('waits for the work where nothing is stored, and fails as it does', async () => {
  await announce('another')
  await expect(hub.storedOrDone('two', Promise.resolve())).resolves.toBeUndefined()
  await expect(hub.storedOrDone('two', Promise.reject(new Error('no worker')))).rejects.toThrow(
    'no worker',
  )
})
