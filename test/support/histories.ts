import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkflowClient } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { Worker } from '@temporalio/worker'

export interface HistoryJson {
  events: { eventId: string; eventType: string; eventTime: string }[]
}

/** The histories of all runs of a workflow, oldest first, as JSON. */
export async function allRuns(client: WorkflowClient, workflowId: string): Promise<HistoryJson[]> {
  const newest = await client.getHandle(workflowId).fetchHistory()
  const runs: HistoryJson[] = []
  let runId = newest.events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId
  while (runId) {
    const history = await client.getHandle(workflowId, runId).fetchHistory()
    runs.push(JSON.parse(historyToJSON(history)))
    const last = history.events?.at(-1)
    runId = last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  }
  return runs
}

/** The stored histories of a folder by their file. */
export function storedHistories(folder: string): Map<string, HistoryJson> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map(
    files.map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8'))] as const),
  )
}

/** Replays histories against a bundle; the error of each by its name, null where there is none. */
export async function replayed(
  codePath: string,
  histories: ReadonlyMap<string, HistoryJson>,
): Promise<Map<string, Error | null>> {
  const all = [...histories].map(([workflowId, history]) => ({ workflowId, history }))
  const outcomes = new Map<string, Error | null>()
  const results = Worker.runReplayHistories({ workflowBundle: { codePath } }, all)
  for await (const { workflowId, error } of results) outcomes.set(workflowId, error ?? null)
  return outcomes
}

/** Every payload of a history as text. */
export function payloadsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { data, metadata } = value as { data?: unknown; metadata?: unknown }
  if (typeof data === 'string' && metadata) return [Buffer.from(data, 'base64').toString('utf8')]
  return Object.values(value).flatMap(payloadsOf)
}
