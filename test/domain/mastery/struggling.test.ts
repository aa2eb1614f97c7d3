import { describe, expect, test } from 'vitest'
import { emptyHistory, recordMark } from '../../../src/domain/mastery/status.ts'
import { strugglingReasons, strugglingSubtrees } from '../../../src/domain/mastery/struggling.ts'
import { sampleMap, sampleNode } from '../mind-map/sample-map.ts'

function taught(...qualities: number[]) {
  return qualities.reduce(
    (history, quality) => recordMark(history, { type: 'teach', quality }),
    emptyHistory(),
  )
}

describe('a node struggles', () => {
  test('when its last three responses are all at most 2', () => {
    expect(strugglingReasons('learning', taught(5, 2, 2, 2))).toContain('consecutive_low_quality')
    expect(strugglingReasons('learning', taught(2, 2))).toEqual([])
    expect(strugglingReasons('learning', taught(2, 2, 3))).toEqual([])
  })

  test('when its score fell with each of the last three and is below 0.7', () => {
    expect(strugglingReasons('learning', taught(5, 4, 3, 3))).toEqual(['declining_score'])
    expect(strugglingReasons('learning', taught(5, 4, 3, 5))).toEqual([])
    expect(strugglingReasons('learning', taught(5, 1, 3, 1))).toEqual([])
    expect(strugglingReasons('learning', taught(5, 5, 5, 5, 4, 4, 4))).toEqual([])
    expect(strugglingReasons('learning', taught(3, 3, 3, 3))).toEqual([])
    expect(strugglingReasons('learning', taught(4, 3, 2))).toEqual([])
  })

  test('for both reasons at once', () => {
    expect(strugglingReasons('reviewing', taught(5, 2, 1, 0))).toEqual([
      'consecutive_low_quality',
      'declining_score',
    ])
  })

  test('never when it is mastered', () => {
    expect(strugglingReasons('mastered', taught(5, 2, 1, 0))).toEqual([])
  })

  test('a diagnostic response counts as a response but moves no score', () => {
    const history = recordMark(taught(2, 2), { type: 'diagnostic', quality: 0 })
    expect(strugglingReasons('learning', history)).toEqual(['consecutive_low_quality'])
  })
})

test('a subtree struggles when a child of the root has two struggling nodes at or below it', () => {
  const map = sampleMap(
    ['R', 'A', 'B', 'A1', 'A2', 'AB'].map((id) => sampleNode(id)),
    ['R>A', 'R>B', 'A>A1', 'A>A2', 'A>AB', 'B>AB'],
  )
  expect(strugglingSubtrees(map, new Set(['A', 'A1']))).toEqual(['A'])
  expect(strugglingSubtrees(map, new Set(['A1', 'B']))).toEqual([])
  expect(strugglingSubtrees(map, new Set(['A2', 'AB', 'B']))).toEqual(['A', 'B'])
  expect(strugglingSubtrees({ ...map, rootNodeId: null }, new Set(['A', 'A1']))).toEqual([])
})
