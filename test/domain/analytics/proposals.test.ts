import { describe, expect, test } from 'vitest'
import {
  type EarlierProposal,
  proposalChanges,
  strugglingParts,
} from '../../../src/domain/analytics/proposals.ts'
import { emptyHistory, recordMark } from '../../../src/domain/mastery/status.ts'
import { sampleMap, sampleNode } from '../mind-map/sample-map.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 2, 15, 3)
const part = { nodeId: 'A', strugglingNodes: ['A1', 'A2'] }

const low = [0, 1, 2].reduce(
  (history, quality) => recordMark(history, { type: 'teach', quality }),
  emptyHistory(),
)

const earlier = (status: EarlierProposal['status'], daysAgo: number | null): EarlierProposal => ({
  id: 'P',
  nodeId: 'A',
  status,
  decidedAt: daysAgo === null ? null : NOW - daysAgo * DAY_MS,
})

test('a part that struggles: from which concept on, and what is hard in it', () => {
  const map = sampleMap(
    ['R', 'A', 'B', 'A1', 'A2', 'B1'].map((id) => sampleNode(id, { masteryStatus: 'learning' })),
    ['R>A', 'R>B', 'A>A1', 'A>A2', 'B>B1'],
  )
  expect(strugglingParts(map, { A1: low, A2: low, B1: low })).toEqual([part])
  expect(strugglingParts(map, { A1: low, B1: low })).toEqual([])
  expect(strugglingParts(map, {})).toEqual([])
})

describe('a struggling part is proposed', () => {
  test('once', () => {
    expect(proposalChanges([part], [], NOW)).toEqual({ made: [part], withdrawn: [] })
    expect(proposalChanges([part], [earlier('open', null)], NOW)).toEqual({
      made: [],
      withdrawn: [],
    })
  })

  test.each(['accepted', 'declined'] as const)('not for a week after it was %s', (status) => {
    expect(proposalChanges([part], [earlier(status, 6.9)], NOW).made).toEqual([])
    expect(proposalChanges([part], [earlier(status, 7)], NOW).made).toEqual([part])
  })

  test('whatever became of another part', () => {
    const other = { ...earlier('open', null), nodeId: 'B' }
    expect(proposalChanges([part], [other], NOW)).toEqual({ made: [part], withdrawn: ['P'] })
  })
})

test('a proposal is withdrawn when its part no longer struggles, and made again when it does', () => {
  expect(proposalChanges([], [earlier('open', null)], NOW).withdrawn).toEqual(['P'])
  expect(proposalChanges([], [earlier('declined', 1)], NOW).withdrawn).toEqual([])
  expect(proposalChanges([part], [earlier('withdrawn', 1)], NOW).made).toEqual([part])
})
