import { setTimeout as pause } from 'node:timers/promises'
import { ScheduleOverlapPolicy } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureSchedules } from '../../src/api/schedules.ts'
import { SIGNAL, workflowId } from '../../src/contracts/temporal.ts'
import { proves } from '../spec/scenario.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'

const DAY_MS = 86_400_000

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
  await ensureSchedules(api.world.env.client)
}, 120_000)

afterAll(() => api.stop())

const schedule = (id: string) => api.world.env.client.schedule.getHandle(id)

/** Has the schedule start its workflow now, and waits for what that one returns. */
async function runNow(id: string): Promise<unknown> {
  const before = (await runs(id)).map(({ runId }) => runId)
  await schedule(id).trigger(ScheduleOverlapPolicy.ALLOW_ALL)
  for (;;) {
    // Two that are started within a second have one workflow id.
    const started = (await runs(id)).find(({ runId }) => !before.includes(runId))
    if (started) {
      const { workflow } = api.world.env.client
      return workflow.getHandle(started.workflowId, started.runId).result()
    }
    await pause(50)
  }
}

async function runs(id: string): Promise<{ workflowId: string; runId: string }[]> {
  const { recentActions } = (await schedule(id).describe()).info
  return recentActions.map(({ action: { workflow } }) => ({
    workflowId: workflow.workflowId,
    runId: workflow.firstExecutionRunId,
  }))
}

/** Sets back the time an arc has waited for its learner. */
async function waitedSince(arcId: string, days: number): Promise<void> {
  const { db } = api.world
  const at = new Date(Date.now() - days * DAY_MS)
  await db.updateTable('arcs').set({ last_session_at: at }).where('id', '=', arcId).execute()
  await db.updateTable('arc_questions').set({ opened_at: at }).where('arc_id', '=', arcId).execute()
}

const systemTexts = async (arcId: string): Promise<string[]> => {
  const { body } = await api.get(`/api/arcs/${arcId}/messages`)
  const items = body.items as { role: string; text: string }[]
  return items.filter(({ role }) => role === 'system').map(({ text }) => text)
}

test(
  'the schedules are made once and brought up to date: 03:00 UTC every night, Mondays at 04:00',
  proves('000 D7 Schedules: Analytics are computed every night at three'),
  async () => {
    await ensureSchedules(api.world.env.client)
    const nightly = await schedule('nightly-analytics').describe()
    expect(nightly.spec.calendars).toMatchObject([{ hour: [{ start: 3 }], minute: [{ start: 0 }] }])
    expect(nightly.spec.timezone).toBe('UTC')
    const weekly = await schedule('stale-arc-sweep').describe()
    expect(weekly.spec.calendars).toMatchObject([
      { dayOfWeek: [{ start: 'MONDAY' }], hour: [{ start: 4 }] },
    ])
  },
)

describe('nightly-analytics', () => {
  test(
    'writes a snapshot of the night it is for, however late it runs; twice is once',
    proves(
      '000 D6 Learning analytics: The nightly job writes one snapshot per map and date, with every metric',
    ),
    async () => {
      const arcId = await api.begin({ settings: { skipDiagnosis: true } })
      const [first, last] = [2, 1].map((days) => {
        const night = new Date(Date.now() - days * DAY_MS)
        night.setUTCHours(3, 0, 0, 0)
        return night
      }) as [Date, Date]
      for (const _ of ['once', 'again']) {
        await schedule('nightly-analytics').backfill({
          start: new Date(first.getTime() - 1_000),
          end: new Date(last.getTime() + 1_000),
          overlap: ScheduleOverlapPolicy.ALLOW_ALL,
        })
      }
      const nights = [first, last].map((night) => night.toISOString().slice(0, 10))
      let items: { snapshotDate: string; metrics: Record<string, unknown> }[] = []
      while (items.length < nights.length) {
        items = (await api.get(`/api/arcs/${arcId}/analytics?days=7`)).body.items
      }
      expect(items.map(({ snapshotDate }) => snapshotDate)).toEqual(nights)
      expect(items[0]?.metrics).toMatchObject({ total_nodes: 4, mastered_nodes: 0, mastery_pct: 0 })
    },
  )

  test('triggered by hand it writes the snapshot of today', async () => {
    const arcId = await api.begin({ settings: { skipDiagnosis: true } })
    expect(await runNow('nightly-analytics')).toBeGreaterThan(0)
    const { body } = await api.get(`/api/arcs/${arcId}/analytics`)
    expect(body.items).toHaveLength(1)
  })
})

describe('stale-arc-sweep', () => {
  test(
    'warns a learner who stays away once, and closes the arc a week later',
    proves('000 Risks: Who stays away for thirty days is warned once, then let go'),
    async () => {
      const [stale, fresh, paused] = [await api.begin(), await api.begin(), await api.begin()]
      const { db, env } = api.world
      await env.client.workflow.getHandle(workflowId.arc(paused)).signal(SIGNAL.pause)
      await api.until(paused, (arc) => arc.paused)
      await waitedSince(stale, 31)
      await waitedSince(paused, 31)
      const before = await systemTexts(stale)

      expect(await runNow('stale-arc-sweep')).toEqual({ warned: 1, abandoned: 0 })
      const told = (await systemTexts(stale)).slice(before.length)
      expect(told).toEqual([expect.stringContaining('30 days')])
      const { body } = await api.get(`/api/arcs/${stale}`)
      expect(body).toMatchObject({ phase: 'DIAGNOSING', pendingQuestion: { kind: 'diagnostic' } })

      expect(await runNow('stale-arc-sweep')).toEqual({ warned: 0, abandoned: 0 })
      expect((await systemTexts(stale)).slice(before.length)).toEqual(told)

      const overAWeekAgo = new Date(Date.now() - 7 * DAY_MS - 60_000)
      await db
        .updateTable('arcs')
        .set({ stale_warned_at: overAWeekAgo })
        .where('id', '=', stale)
        .execute()
      expect(await runNow('stale-arc-sweep')).toEqual({ warned: 0, abandoned: 1 })
      await api.until(stale, (arc) => arc.phase === 'ABANDONED')
      for (const kept of [fresh, paused]) {
        expect((await api.get(`/api/arcs/${kept}`)).body.phase).toBe('DIAGNOSING')
      }
    },
  )

  test('any message after the warning keeps the arc', async () => {
    const arcId = await api.begin()
    await waitedSince(arcId, 40)
    await runNow('stale-arc-sweep')
    await api.post(`/api/arcs/${arcId}/messages`, { text: 'hint' }, { Prefer: 'wait=60' })
    await api.world.db
      .updateTable('arcs')
      .set({ stale_warned_at: new Date(Date.now() - 8 * DAY_MS) })
      .where('id', '=', arcId)
      .execute()
    expect(await runNow('stale-arc-sweep')).toMatchObject({ abandoned: 0 })
    expect((await api.get(`/api/arcs/${arcId}`)).body.phase).toBe('DIAGNOSING')
  })
})
