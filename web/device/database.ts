import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { WaitingMessage } from './outgoing.ts'

interface Kept extends DBSchema {
  outbox: { key: number; value: WaitingMessage; indexes: { messageId: string } }
  drafts: { key: string; value: string }
}

let opened: Promise<IDBPDatabase<Kept>> | null = null

/** What is kept on this device. Rejects where the browser keeps nothing. */
export function deviceDatabase(): Promise<IDBPDatabase<Kept>> {
  opened ??= openDB<Kept>('meno', 1, {
    upgrade(database) {
      // The keys are the order in which messages were typed.
      const outbox = database.createObjectStore('outbox', { autoIncrement: true })
      outbox.createIndex('messageId', 'messageId', { unique: true })
      database.createObjectStore('drafts')
    },
    terminated() {
      opened = null
    },
  }).catch((error) => {
    opened = null
    throw error
  })
  return opened
}
