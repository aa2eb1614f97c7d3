import { setTimeout as pause } from 'node:timers/promises'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import type { ArcView } from '../../src/contracts/arc.ts'
import { cacheWriter, type Frames } from '../../web/api/cache-writer.ts'
import { arcKeys } from '../../web/api/queries.ts'
import { ARC_ID, arcView, shortQuestion } from './sample-views.ts'

const FRAMES: Frames = {
  request: (draw) => Number(setTimeout(draw, 1)),
  cancel: (frame) => clearTimeout(frame),
}

it('keeps a question that comes while an older state is still being read', async () => {
  const client = new QueryClient()
  const queryKey = arcKeys(ARC_ID).arc
  const reads: ((arc: ArcView) => void)[] = []
  const stop = new QueryObserver<ArcView>(client, {
    queryKey,
    queryFn: () => new Promise((resolve) => reads.push(resolve)),
  }).subscribe(() => {})
  const before = arcView({ pendingQuestion: null })
  reads[0]?.(before)
  await vi.waitUntil(() => client.getQueryData(queryKey))
  void client.refetchQueries({ queryKey })
  await vi.waitUntil(() => reads.length === 2)

  const writer = cacheWriter(client, ARC_ID, FRAMES)
  const asked = () => client.getQueryData<ArcView>(queryKey)?.pendingQuestion?.id
  writer.take({ type: 'question', data: shortQuestion })
  await vi.waitUntil(asked)
  reads[1]?.(before)
  await vi.waitUntil(() => reads.length === 3)
  reads[2]?.({ ...before, pendingQuestion: shortQuestion })
  await pause(10)
  expect(asked()).toBe(shortQuestion.id)
  writer.stop()
  stop()
  client.clear()
})
