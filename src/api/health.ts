import { Hono } from 'hono'
import { sql } from 'kysely'
import type { Dependencies } from '../commands/context.ts'
import { TASK_QUEUE } from '../contracts/temporal.ts'

const PATIENCE_MS = 3_000

/** `/healthz`: the process lives. `/readyz`: a message can be taken, with what is missing where it cannot. */
export function healthRoutes(dependencies: Dependencies) {
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const checks = await readiness(dependencies)
      const ready = Object.values(checks).every((check) => check === 'ok')
      return c.json({ status: ready ? 'ready' : 'not ready', checks }, ready ? 200 : 503)
    })
}

async function readiness({ db, temporal }: Dependencies): Promise<Record<string, string>> {
  const database = db.selectFrom('arcs').select(sql<number>`1`.as('one')).limit(1).execute()
  const { workflowService } = temporal.connection
  const poll = (taskQueueType: 1 | 2) =>
    workflowService.describeTaskQueue({
      namespace: temporal.options.namespace,
      taskQueue: { name: TASK_QUEUE },
      taskQueueType,
    })
  const workflowPollers = poll(1)
  const [databaseCheck, temporalCheck] = await Promise.all([
    told(database, 'the database is not migrated or not reachable'),
    told(workflowPollers, 'Temporal is not reachable'),
  ])
  const pollers = temporalCheck === 'ok' ? ((await workflowPollers).pollers ?? []) : []
  return {
    database: databaseCheck,
    temporal: temporalCheck,
    worker: pollers.length > 0 ? 'ok' : 'no worker is polling',
  }
}

async function told(check: Promise<unknown>, missing: string): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(missing), PATIENCE_MS)
  })
  const outcome = await Promise.race([
    check.then(
      () => 'ok',
      () => missing,
    ),
    late,
  ])
  clearTimeout(timer)
  return outcome
}
