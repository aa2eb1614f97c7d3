/** What a learner takes along to another installation. */
import { z } from 'zod'
import { LearnerView } from './learner.ts'

/** Told in every export; an import takes its own version. */
export const EXPORT_FORMAT = 'meno-learner'
export const EXPORT_VERSION = 1

/** An import has at most this many bytes. */
export const MOST_IMPORTED = 64 * 1024 * 1024

/** The export as it is described: the rows of each table, as the database has them. */
export const LearnerExport = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  exportedAt: z.iso.datetime(),
  learner: LearnerView,
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})

/** What an import has brought: topics, maps without a topic, and courses that were not here before. */
export const ImportOutcome = z.object({
  arcs: z.int(),
  maps: z.int(),
  courses: z.int(),
  /** Topics, maps and courses that were here already, and stay as they are. */
  unchanged: z.int(),
})

export type ImportOutcome = z.infer<typeof ImportOutcome>
