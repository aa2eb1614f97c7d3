import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

const port = z.int().min(0).max(65_535)
const count = z.int().positive()
const duration = z.templateLiteral([z.int().nonnegative(), z.enum(['ms', 's', 'm'])])

const workerSettings = z.strictObject({
  maxConcurrentWorkflowTaskExecutions: count.optional(),
  maxConcurrentActivityTaskExecutions: count.optional(),
  maxConcurrentLocalActivityExecutions: count.optional(),
  maxCachedWorkflows: z.int().nonnegative().optional(),
  stickyQueueScheduleToStartTimeout: duration.optional(),
  shutdownGraceTime: duration,
  shutdownForceTime: duration,
})

const temporalDevConfig = z.strictObject({
  namespace: z.string().min(1),
  ports: z.strictObject({ grpc: port, ui: port }),
  dataFile: z.string().regex(/^[\w.-]+$/, 'a file name without a folder'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'never']),
  searchAttributes: z.record(
    z.string(),
    z.enum(['Text', 'Keyword', 'Int', 'Double', 'Bool', 'Datetime', 'KeywordList']),
  ),
  dynamicConfig: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  sqlitePragmas: z.record(z.string(), z.union([z.string(), z.number()])),
  taskQueues: z.strictObject({ meno: workerSettings, 'meno-llm': workerSettings }),
})

/** What `temporal-dev.yml` holds. Durations are strings such as `30s`, as worker options take them. */
export type TemporalDevConfig = z.infer<typeof temporalDevConfig>

const PROJECT_FILE = fileURLToPath(new URL('../temporal-dev.yml', import.meta.url))

/** Reads and checks `temporal-dev.yml`. Throws an error that names the file and each bad field. */
export function loadTemporalDevConfig(file: string = PROJECT_FILE): TemporalDevConfig {
  const result = temporalDevConfig.safeParse(parse(readFileSync(file, 'utf8')))
  if (result.success) return result.data
  throw new Error(`${file} is not valid:\n${z.prettifyError(result.error)}`)
}
