import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow'
import { BARE_STEP_QUEUE, type BareTurn, TURN_SIGNAL } from './bare-names.ts'

const { think } = proxyActivities<{ think(asks: boolean): Promise<void> }>({
  taskQueue: BARE_STEP_QUEUE,
  startToCloseTimeout: '3m',
  heartbeatTimeout: '10s',
})
const { write } = proxyLocalActivities<{ write(id: string): Promise<void> }>({
  startToCloseTimeout: '10s',
})

/** Lives for ever; each signal is a turn: so many regular activities one after the other, and one local one that writes. */
export async function bareTurns(): Promise<void> {
  const turns: BareTurn[] = []
  setHandler(defineSignal<[BareTurn]>(TURN_SIGNAL), (turn) => {
    turns.push(turn)
  })
  for (;;) {
    await condition(() => turns.length > 0)
    const turn = turns.shift()
    if (!turn) continue
    for (let step = 0; step < turn.steps; step += 1) await think(turn.asks ?? false)
    await write(turn.id)
  }
}

/** Writes that it has begun, sleeps until a moment, in epoch milliseconds, and writes again. */
export async function bareSleeper(id: string, dueAt: number): Promise<void> {
  await write(`${id}/begun`)
  await sleep(Math.max(1, dueAt - Date.now()))
  await write(id)
}
