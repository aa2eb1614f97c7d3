import { setTimeout as sleep } from 'node:timers/promises'
import type { ArcView, CreatedArc } from '../../src/contracts/arc.ts'
import { knowingAnswers } from '../../test/faults/arc-record.ts'
import type { MenoProcess } from '../../test/support/meno-process.ts'
import { beginArc, patiently } from '../../test/support/scripted-learner.ts'

/** A few units of an installed course, which the offline tutor teaches. */
const TOPIC = 'common factors'
const AT_ONCE = 16

/** Learns every concept of a small map and closes the arc, so that it can be revived again and again; its id. */
export async function closedArc(meno: MenoProcess, settings: object): Promise<string> {
  const topic = { topic: TOPIC, settings: { skipDiagnosis: true, ...settings } }
  const arcId = await beginArc(meno.url, topic)
  const answer = knowingAnswers(meno)
  for (;;) {
    const { phase, pendingQuestion: question } = await viewOf(meno, arcId)
    if (phase === 'REVIEWING' && !question) break
    if (!question) await sleep(50)
    else await say(meno, arcId, { text: await answer(question), questionId: question.id })
  }
  await patiently(meno.url, `/api/arcs/${arcId}/abandon`, { method: 'POST', body: '{}' })
  while ((await viewOf(meno, arcId)).phase !== 'ABANDONED') await sleep(50)
  return arcId
}

/**
 * Has so many arcs sleep until the reviews of a closed one fall due; returns when all sleep.
 * @param each how many of them a learner has; null: all are the closed one's learner's
 */
export async function arcsAsleep(
  meno: MenoProcess,
  closed: string,
  count: number,
  each: number | null = null,
): Promise<string[]> {
  const ids: string[] = []
  let left = count
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1
        const init = { method: 'POST', body: '{}' }
        const { status, body } = await patiently(meno.url, `/api/arcs/${closed}/revive`, init)
        if (status !== 201) throw new Error(`not revived: ${JSON.stringify(body)}`)
        const { arcId } = body as CreatedArc
        if (each !== null) await giveTo(meno, arcId, Math.floor(ids.length / each))
        ids.push(arcId)
      }
    }),
  )
  for (;;) {
    const [row] = await meno.rows<{ asleep: number; awake: number }>(
      `select count(*)::int as asleep, count(*) filter (where wake_at < now())::int as awake from arcs join entities using (id)
       where revived_from = $1 and state is not null`,
      [closed],
    )
    if (row && row.awake > 0) throw new Error('reviews fell due before all arcs were asleep')
    if ((row?.asleep ?? 0) >= count) return ids
    await sleep(1_000)
  }
}

/** Makes an arc that of the learner of a number. */
const giveTo = (meno: MenoProcess, arcId: string, learner: number) =>
  meno.rows(
    `with learner as (
       insert into learners (handle) values ($2) on conflict (handle) do update set handle = $2 returning id),
     arc as (update arcs set learner_id = learner.id from learner where arcs.id = $1)
     update entities set learner_id = learner.id from learner where entities.id = $1`,
    [arcId, `asleep-${learner}`],
  )

export const viewOf = async (meno: MenoProcess, arcId: string) =>
  (await patiently(meno.url, `/api/arcs/${arcId}`)).body as ArcView

/** Says something and waits for its turn. */
export async function say(meno: MenoProcess, arcId: string, message: object): Promise<void> {
  const { status } = await patiently(meno.url, `/api/arcs/${arcId}/messages`, {
    method: 'POST',
    headers: { prefer: 'wait=60' },
    body: JSON.stringify(message),
  })
  if (status !== 200) throw new Error(`a turn was answered with ${status}`)
}
