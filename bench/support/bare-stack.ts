import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MenoProcess } from '../../test/support/meno-process.ts'

/** The bare workflow's worker and API, in processes of their own, on Meno's servers. */
export interface BareStack {
  /** Starts a workflow of its own. */
  begin(): Promise<BareTurns>
  /** Has so many workflows of their own sleep until a moment, in epoch milliseconds; each writes a row then. */
  sleepers(count: number, dueAt: number): Promise<void>
  /** Ends both processes; returns when they are gone. */
  end(): Promise<void>
}

/** One bare workflow, from outside. */
export interface BareTurns {
  /** A turn with so many regular activities, from request to stored reply; each does nothing, or asks a model. */
  turn(steps: number, asks?: boolean): Promise<void>
  /** No workflow at all: one transaction over the same HTTP hop. */
  transaction(): Promise<void>
  /** Ends the workflow. */
  end(): Promise<void>
}

const AT_ONCE = 16

/** A start that has returned is not asleep yet: its first task has to be done. */
async function untilAsleep(meno: MenoProcess, count: number): Promise<void> {
  for (;;) {
    const [row] = await meno.rows<{ begun: number }>(
      "select count(*)::int as begun from bare_turns where id like '%/begun'",
    )
    if ((row?.begun ?? 0) >= count) return
    await sleep(1_000)
  }
}

/** @param modelUrl where a model answers that turns may ask */
export async function startBareStack(meno: MenoProcess, modelUrl = ''): Promise<BareStack> {
  const children: ChildProcess[] = []
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: meno.databaseUrl(),
    TEMPORAL_ADDRESS: meno.temporalAddress(),
    MODEL_URL: modelUrl,
  }
  const start = (role: string) =>
    new Promise<string>((resolve, reject) => {
      const child = fork(path.join(import.meta.dirname, 'bare-process.ts'), [role], { env })
      children.push(child)
      child.once('message', ({ url }: { url: string }) => resolve(url))
      child.once('exit', (code) => reject(new Error(`the bare ${role} ended (${code})`)))
    })
  const url = await start('api')
  await start('worker')
  const post = async (route: string, sent: object) => {
    await (await fetch(url + route, { method: 'POST', body: JSON.stringify(sent) })).json()
  }
  return {
    async sleepers(count, dueAt) {
      let left = count
      const lane = async () => {
        for (; left > 0; await post('/sleep', { workflowId: `bare-${randomUUID()}`, dueAt })) {
          left -= 1
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, lane))
      await untilAsleep(meno, count)
    },
    async begin() {
      const workflowId = `bare-${randomUUID()}`
      const ask = async (route: string, steps = 0, asks = false) => {
        await post(route, { workflowId, turn: { id: randomUUID(), steps, asks } })
      }
      await ask('/start')
      return {
        turn: (steps, asks) => ask('/turn', steps, asks),
        transaction: () => ask('/transaction'),
        end: () => ask('/end'),
      }
    },
    async end() {
      const gone = children.map((child) => once(child, 'exit'))
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(gone)
    },
  }
}
