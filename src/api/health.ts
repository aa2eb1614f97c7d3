import { Hono } from 'hono'
import { sql } from 'kysely'
import type { Dependencies } from '../commands/context.ts'
import { TASK_QUEUE } from '../contracts/temporal.ts'
import { lackedSearchAttributes } from '../search-attributes.ts'
import { loadTemporalDevConfig } from '../temporal-dev-config.ts'

const PATIENCE_MS = 3_000
const WORKFLOW_QUEUE = 1

/** `/healthz`: the process lives. `/readyz`: a message can be taken, with what is missing where it cannot. */
export function healthRoutes({ db, temporal }: Dependencies) {
  const { connection, options } = temporal
  const { namespace } = options
  const { searchAttributes } = loadTemporalDevConfig()
  let knowsAttributes = false
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const checks = await readiness()
      const ready = Object.values(checks).every((check) => check === 'ok')
      return c.json({ status: ready ? 'ready' : 'not ready', checks }, ready ? 200 : 503)
    })

  async function readiness(): Promise<Record<string, string>> {
    const arcs = db.selectFrom('arcs').select(sql<number>`1`.as('one')).limit(1).execute()
    const queue = connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: TASK_QUEUE },
      taskQueueType: WORKFLOW_QUEUE,
    })
    let worker = 'no worker is polling'
    const pollers = queue.then(({ pollers }) => {
      if (pollers?.length) worker = 'ok'
    })
    const [database, temporal, attributes] = await Promise.all([
      told(arcs, 'the database is not migrated or not reachable'),
      told(pollers, 'Temporal is not reachable'),
      told(attributesLacked(), 'Temporal does not tell its search attributes'),
    ])
    return { database, temporal, searchAttributes: attributes, worker }
  }

  /** A sentence, or null from when on the namespace has them all. */
  async function attributesLacked(): Promise<string | null> {
    if (knowsAttributes) return null
    const lacked = await lackedSearchAttributes(connection, namespace, searchAttributes)
    knowsAttributes = lacked.length === 0
    return knowsAttributes ? null : `namespace ${namespace} lacks ${lacked.join(', ')}`
  }
}

/** `ok`, or the sentence that the check resolves to, or `missing` where it fails or takes too long. */
async function told(check: Promise<unknown>, missing: string): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(missing), PATIENCE_MS)
  })
  const outcome = await Promise.race([
    check.then(
      (answer) => (typeof answer === 'string' ? answer : 'ok'),
      () => missing,
    ),
    late,
  ])
  clearTimeout(timer)
  return outcome
}
