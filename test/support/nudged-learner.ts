import type { MenoProcess } from './meno-process.ts'
import { beginArc, patiently } from './scripted-learner.ts'

/**
 * A learner with one topic of which so many concepts are due, and a webhook; the agenda looks at it as soon as `look` is
 * called, at whatever hour.
 */
export async function learnerWithDueReviews(
  meno: MenoProcess,
  handle: string,
  hook: string,
): Promise<{ learnerId: string; arcId: string; look: () => Promise<void> }> {
  const arcId = await beginArc(meno.url, {
    topic: 'common factors',
    learnerId: handle,
    settings: { skipDiagnosis: true },
  })
  const path = `/api/arcs/${arcId}`
  for (;;) {
    const { body } = await patiently(meno.url, path)
    if ((body as { pendingQuestion: unknown }).pendingQuestion !== null) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const [learner] = await meno.rows<{ id: string }>('select id from learners where handle = $1', [
    handle,
  ])
  const learnerId = learner?.id ?? ''
  await meno.rows(
    `insert into learner_channels (learner_id, channel, status, address)
     values ($1, 'webhook', 'linked', $2)`,
    [learnerId, JSON.stringify({ url: hook, secret: 'hush' })],
  )
  await meno.rows(
    `update mind_map_nodes set mastery_status = 'reviewing', next_review_at = now() - interval '1 hour'
     where id = (select node.id from mind_map_nodes as node join arcs using (mind_map_id)
       where arcs.id = $1 order by sequence limit 1)`,
    [arcId],
  )
  return {
    learnerId,
    arcId,
    async look() {
      await patiently(meno.url, `/api/learners/${handle}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ quietHours: { from: '00:00', to: '00:00' } }),
      })
    },
  }
}
