import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import { type MenoProcess, VICTIMS, type Victim } from '../support/meno-process.ts'

const LONGEST_CALM_MS = 2_500

export interface Killing {
  kills: number
  seed: number
  killed: Victim[]
  beforeKill?: (victim: Victim) => void
}

/**
 * Kills whatever the seed draws, at moments it draws: some while the last victim is still coming back.
 * @param killed is added to with every kill
 * @param beforeKill is told of each victim a moment before
 */
export async function killAtRandom(
  meno: MenoProcess,
  { kills, seed, killed, beforeKill }: Killing,
  over: AbortSignal,
): Promise<void> {
  const random = seededRandom(seed)
  while (killed.length < kills && !over.aborted) {
    await sleep(200 + random() * LONGEST_CALM_MS)
    const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'everything'
    beforeKill?.(victim)
    await meno.kill(victim)
    killed.push(victim)
    if (victim === 'everything') await meno.start()
    else if (random() < 0.75) await untilReady(meno, over)
  }
}

async function untilReady(meno: MenoProcess, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const response = await fetch(`${meno.url()}/readyz`).catch(() => null)
    if (response?.status === 200) return
    await sleep(50)
  }
}
