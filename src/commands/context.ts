import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Course } from '../contracts/course-pack.ts'
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
}
