import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Course } from '../contracts/course-pack.ts'
import type { Language } from '../domain/language/languages.ts'
import type { Db } from '../store/database.ts'
import type { EntityToWake } from '../store/spine/entities.ts'
import type { EventHub } from '../store/spine/event-hub.ts'

export type Role = 'learner' | 'teacher' | 'admin' | 'integration'

/** Who is asking: in local mode one learner who may do everything. */
export interface Actor {
  learner: { id: string; handle: string }
  roles: readonly Role[]
  /** The outside platform that asks, where one does. */
  integrationId?: string
}

/** What every command may use. */
export interface Dependencies {
  config: Config
  db: Db
  temporal: Client
  /** What everything on the spine announces. */
  events: EventHub
  /** Wakes the workflow of an entity, or starts it. */
  wake: (entity: EntityToWake) => Promise<void>
  courses: Course[]
  log: Logger
  /** What linking a channel takes besides the store; what is left out is not set up. */
  linking?: Linking
  /** Takes an update that Telegram posts, where it does. */
  telegram?: (request: Request) => Promise<Response>
}

/** The outside parts of linking a channel. */
export interface Linking {
  /** The name of the bot in Telegram, without @; null where it cannot be asked. */
  telegramName?(): Promise<string | null>
  /** Sends a link to an address, which is confirmed by following it. */
  confirmAddress?(address: string, link: string, language: Language): Promise<void>
}
