import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MindMap } from '../../../src/domain/mind-map/mind-map.ts'
import { dueReviews } from '../../../src/domain/spaced-repetition/due-reviews.ts'
import type { Db } from '../../../src/store/database.ts'
import { activateMap, createMap, createNode } from '../../../src/store/maps/building.ts'
import { type NewResponse, recordResponse } from '../../../src/store/maps/responses.ts'
import { recordReview } from '../../../src/store/maps/reviews.ts'
import { readMap } from '../../../src/store/maps/rows.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

const DAY_MS = 86_400_000
const AT = Date.UTC(2026, 5, 1)
const NOW = { at: AT, dayMs: DAY_MS }

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

async function mapOf(count = 1) {
  const mindMapId = await createMap(db, { title: 'Map', learnerId: null })
  const nodes: string[] = []
  for (let index = 0; index < count; index += 1) {
    const node = { mindMapId, label: `N${index}`, description: '', effortMinutes: 5, depth: null }
    nodes.push(await createNode(db, { ...node, parentIds: nodes.slice(0, 1) }))
  }
  await activateMap(db, mindMapId)
  return { mindMapId, nodeId: nodes[0] ?? '', nodes }
}

const state = (nodeId: string, values: Record<string, unknown>) =>
  db
    .updateTable('mind_map_nodes')
    .set(values as never)
    .where('id', '=', nodeId)
    .execute()

const answer = (
  map: { mindMapId: string; nodeId: string },
  quality: number,
  type: NewResponse['type'],
  responseId: string | null = null,
) =>
  recordResponse(
    db,
    {
      mindMapId: map.mindMapId,
      nodeId: map.nodeId,
      questionText: '?',
      userAnswer: null,
      quality,
      type,
      responseId,
    },
    NOW,
  )

describe('a recorded response', () => {
  test('into reviewing is due after the first step, or the stored interval where that is longer', async () => {
    for (const [stored, due] of [
      [0, 1],
      [4, 4],
    ] as const) {
      const map = await mapOf()
      await state(map.nodeId, { mastery_status: 'learning', interval_days: stored, repetitions: 2 })
      const { node } = await answer(map, 3, 'teach')
      expect(node).toMatchObject({
        masteryStatus: 'reviewing',
        nextReviewAt: AT + due * DAY_MS,
        intervalDays: stored,
        repetitions: 2,
        easeFactor: 2.5,
      })
    }
  })

  test('of a review leaves the schedule of a reviewing node as it is', async () => {
    const map = await mapOf()
    const due = new Date(AT - DAY_MS)
    await state(map.nodeId, { mastery_status: 'reviewing', next_review_at: due, interval_days: 6 })
    const { node } = await answer(map, 4, 'review')
    expect(node).toMatchObject({ nextReviewAt: due.getTime(), intervalDays: 6, repetitions: 0 })
  })

  test('of a lapse: a reviewing node has no date any more, a mastered one is due after the first step', async () => {
    const reviewing = await mapOf(2)
    await state(reviewing.nodeId, { mastery_status: 'reviewing', next_review_at: new Date(AT) })
    expect((await answer(reviewing, 1, 'review')).node).toMatchObject({
      masteryStatus: 'learning',
      nextReviewAt: null,
    })
    const mastered = await mapOf(2)
    await state(mastered.nodeId, {
      mastery_status: 'mastered',
      mastered_at: new Date(AT - DAY_MS),
      next_review_at: new Date(AT),
      interval_days: 40,
    })
    expect((await answer(mastered, 2, 'review')).node).toMatchObject({
      masteryStatus: 'reviewing',
      masteredAt: null,
      nextReviewAt: AT + DAY_MS,
      intervalDays: 40,
    })
  })

  test('that masters the last node completes the map; repeated then, it still answers', async () => {
    const map = await mapOf()
    await answer(map, 5, 'teach')
    await answer(map, 5, 'teach')
    await answer(map, 4, 'review')
    await answer(map, 4, 'review')
    const last = await answer(map, 4, 'review', 'the last one')
    expect(last).toMatchObject({
      node: { masteryStatus: 'mastered', masteredAt: AT },
      mapStatus: 'completed',
    })
    expect(await answer(map, 4, 'review', 'the last one')).toEqual(last)
    await expect(answer(map, 4, 'review')).rejects.toThrow(/completed cannot record/)
  })

  test('what is optional or skipped is not waited for', async () => {
    const map = await mapOf(3)
    const [, optional = '', skipped = ''] = map.nodes
    await state(optional, { metadata: '{"optional": true}' })
    await state(skipped, { metadata: '{"skipped": true}' })
    await state(map.nodeId, { mastery_status: 'reviewing', next_review_at: new Date(AT) })
    await answer(map, 4, 'review')
    await answer(map, 4, 'review')
    expect((await answer(map, 5, 'review')).mapStatus).toBe('completed')
  })

  test('keeps one name for one answer: another node’s is refused', async () => {
    const map = await mapOf(2)
    const first = await answer(map, 4, 'teach', 'answer-1')
    expect(first.responseId).toMatch(/^[0-9a-f-]{36}$/)
    const other = { mindMapId: map.mindMapId, nodeId: map.nodes[1] ?? '' }
    await expect(answer(other, 4, 'teach', 'answer-1')).rejects.toThrow(/another node/)
    const elsewhere = await mapOf()
    expect((await answer(elsewhere, 4, 'teach', 'answer-1')).responseId).not.toBe(first.responseId)
    const uuid = '0B9E1F3A-5E5D-4C6E-9A62-0D3C7C3F9A11'
    expect((await answer(elsewhere, 4, 'teach', uuid)).responseId).toBe(uuid.toLowerCase())
  })

  test('of a node of another map, or of quality 6, stores nothing', async () => {
    const map = await mapOf()
    const other = await mapOf()
    await expect(
      answer({ mindMapId: map.mindMapId, nodeId: other.nodeId }, 4, 'teach'),
    ).rejects.toThrow(/has no node/)
    await expect(answer(map, 6, 'teach')).rejects.toThrow(RangeError)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from quiz_responses where mind_map_id = ${map.mindMapId}
    `.execute(db)
    expect(rows[0]?.count).toBe(0)
  })
})

describe('a recorded review', () => {
  const review = (map: { mindMapId: string; nodeId: string }, quality: number) =>
    recordReview(db, { mindMapId: map.mindMapId, nodeId: map.nodeId, quality }, NOW)

  const stored = (nodeId: string) =>
    db.selectFrom('mind_map_nodes').selectAll().where('id', '=', nodeId).executeTakeFirstOrThrow()

  test('keeps its date on nodes that are reviewed, its state on all', async () => {
    const map = await mapOf()
    expect(await review(map, 4)).toMatchObject({ repetitions: 1, nextReviewAt: AT + DAY_MS })
    expect(await stored(map.nodeId)).toMatchObject({
      repetitions: 1,
      interval_days: 1,
      next_review_at: null,
      mastery_status: 'unseen',
    })
    await state(map.nodeId, { mastery_status: 'reviewing', next_review_at: new Date(AT) })
    expect(await review(map, 4)).toMatchObject({ repetitions: 2, intervalDays: 6 })
    expect((await stored(map.nodeId)).next_review_at).toEqual(new Date(AT + 6 * DAY_MS))
  })

  test('is pending when it is due, lowest ease first', async () => {
    const map = await mapOf(4)
    const eases = [2.5, 1.3, 2.1]
    for (const [index, ease_factor] of eases.entries()) {
      const next_review_at = new Date(AT)
      await state(map.nodes[index] ?? '', {
        mastery_status: 'reviewing',
        ease_factor,
        next_review_at,
      })
    }
    const later = new Date(AT + 1)
    await state(map.nodes[3] ?? '', { mastery_status: 'reviewing', next_review_at: later })
    const pending = async () => dueReviews((await readMap(db, map.mindMapId)) as MindMap, AT)
    const due = await pending()
    expect(due.map(({ easeFactor }) => easeFactor)).toEqual([1.3, 2.1, 2.5])
    await sql`update mind_maps set status = 'abandoned' where id = ${map.mindMapId}`.execute(db)
    expect(await pending()).toEqual([])
    await expect(review(map, 4)).rejects.toThrow(/abandoned cannot schedule/)
  })
})
