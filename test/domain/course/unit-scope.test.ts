import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findPrereqBlocker,
  getMissingPrereqs,
} from '../../../src/domain/course/units/learning-path-graph.ts'
import { keepKnownUnits, mergeMappedUnits } from '../../../src/domain/course/units/mapped-units.ts'
import {
  computeCandidateUnits,
  computeScopedUnitIds,
} from '../../../src/domain/course/units/unit-scope.ts'
import { proves } from '../../spec/scenario.ts'
import { anyCourse, deepFreeze, mappedUnitsOf, unitIdOf } from './random-course.ts'
import { algebra } from './sample-course.ts'

/** H needs A..F in this order; F needs G. */
const wide = deepFreeze({
  entryUnitId: 'A',
  units: [...'ABCDEFGH'].map((unitId) => ({ unitId, title: unitId })),
  prereqEdges: [
    ...[...'ABCDEF'].map((unitId): [string, string] => [unitId, 'H']),
    ['G', 'F'] as [string, string],
  ],
})

describe('findPrereqBlocker', () => {
  test('follows the first missing prerequisite, in course order', () => {
    const bronzeUpToE = new Map([...'ABCDE'].map((unitId) => [unitId, 'bronze' as const]))
    expect(findPrereqBlocker(wide, 'H', new Map())).toBe('A')
    expect(findPrereqBlocker(wide, 'H', bronzeUpToE)).toBe('G')
    expect(findPrereqBlocker(wide, 'H', new Map([...bronzeUpToE, ['F', 'bronze']]))).toBeNull()
    expect(findPrereqBlocker(wide, 'A', new Map())).toBeNull()
  })

  test('ends on a graph with a cycle', () => {
    const prereqEdges: [string, string][] = [
      ['A', 'B'],
      ['B', 'A'],
    ]
    expect(findPrereqBlocker({ ...wide, prereqEdges }, 'A', new Map())).toBe('B')
  })

  test('finds a unit with nothing missing, unmet itself', () => {
    fc.assert(
      fc.property(
        anyCourse.chain((graph) => fc.tuple(fc.constant(graph), unitIdOf(graph))),
        ([graph, unitId]) => {
          const blocker = findPrereqBlocker(graph, unitId, new Map())
          const missing = getMissingPrereqs(graph, unitId, new Map())
          expect(blocker === null).toBe(missing.length === 0)
          if (blocker) expect(getMissingPrereqs(graph, blocker, new Map())).toEqual([])
        },
      ),
      { seed: 42, numRuns: 300 },
    )
  })
})

describe('computeCandidateUnits', () => {
  test('the three best mapped, the focus, three in progress, and their prerequisites', () => {
    const candidates = computeCandidateUnits({
      graph: algebra,
      focusUnitId: 'ALG-02',
      unitsInProgress: [],
      mappedUnits: [],
    })
    expect(candidates).toEqual(['ALG-02', 'ALG-01'])
    const many = computeCandidateUnits({
      graph: { ...wide, prereqEdges: [['H', 'A']] },
      focusUnitId: 'E',
      unitsInProgress: ['F', 'GONE', 'G', 'H'],
      mappedUnits: deepFreeze([
        { unitId: 'D', confidence: 0.1 },
        { unitId: 'A', confidence: 0.9 },
        { unitId: 'B', confidence: 0.2 },
        { unitId: 'C', confidence: 0.5 },
      ]),
    })
    expect(many).toEqual(['A', 'C', 'B', 'E', 'F', 'G', 'H'])
  })
})

describe('computeScopedUnitIds', () => {
  const args = deepFreeze({
    graph: wide,
    focusUnitId: 'G',
    primaryTargetUnitId: 'H',
    prereqBlockingUnitId: 'G',
    mappedUnits: [
      { unitId: 'B', confidence: 0.3 },
      { unitId: 'H', confidence: 0.9 },
    ],
    unitsInProgress: ['F'],
  })

  test(
    'focus, blocker, target, best mapped, prerequisites of the target; six at most',
    proves(
      '004 Scoped units (PF-3.2): At most six units: focus, blocker, target, best mapped, prerequisites',
    ),
    () => {
      expect(computeScopedUnitIds(args)).toEqual(['G', 'H', 'B', 'A', 'C', 'D'])
      expect(computeScopedUnitIds({ ...args, maxScoped: 9 })).toEqual([...'GHBACDEF'])
    },
  )

  test('focus and target survive any limit', () => {
    expect(computeScopedUnitIds({ ...args, maxScoped: 1 })).toEqual(['G', 'H'])
  })
})

describe('mergeMappedUnits', () => {
  const merge = (fields: Partial<Parameters<typeof mergeMappedUnits>[0]>) =>
    mergeMappedUnits({
      graph: algebra,
      searchScores: [],
      lastTurnAnalysis: null,
      clientEventUnitId: null,
      ...fields,
    })

  test('per unit the larger of the score and half the earlier confidence', () => {
    const merged = merge({
      searchScores: [
        { unitId: 'ALG-00', confidence: 0.2 },
        { unitId: 'ALG-01', confidence: 0.6 },
      ],
      lastTurnAnalysis: {
        mappedUnits: [
          { unitId: 'ALG-00', confidence: 0.9 },
          { unitId: 'ALG-01', confidence: 0.9 },
          { unitId: 'ALG-02', confidence: 1 },
        ],
      },
    })
    expect(merged).toEqual([
      { unitId: 'ALG-01', confidence: 0.6 },
      { unitId: 'ALG-02', confidence: 0.5 },
      { unitId: 'ALG-00', confidence: 0.45 },
    ])
  })

  test("the client event's unit counts 1.0 and goes before an equal search score", () => {
    const merged = merge({
      searchScores: [{ unitId: 'ALG-00', confidence: 1.4 }],
      clientEventUnitId: 'ALG-02',
    })
    expect(merged).toEqual([
      { unitId: 'ALG-02', confidence: 1 },
      { unitId: 'ALG-00', confidence: 1 },
    ])
  })

  test('units the course does not have are left out', () => {
    expect(
      merge({
        searchScores: [{ unitId: 'GONE', confidence: 1 }],
        lastTurnAnalysis: { mappedUnits: [{ unitId: 'GONE', confidence: 1 }] },
        clientEventUnitId: 'GONE',
      }),
    ).toEqual([])
  })

  test('the order of the search results does not matter, and no input is changed', () => {
    fc.assert(
      fc.property(
        anyCourse.chain((graph) =>
          fc.record({
            graph: fc.constant(graph),
            searchScores: mappedUnitsOf(graph),
            lastTurnAnalysis: fc.record({ mappedUnits: mappedUnitsOf(graph) }),
            clientEventUnitId: fc.option(unitIdOf(graph)),
          }),
        ),
        (args) => {
          deepFreeze(args)
          const searchScores = args.searchScores.toReversed()
          expect(mergeMappedUnits({ ...args, searchScores })).toEqual(mergeMappedUnits(args))
        },
      ),
      { seed: 42, numRuns: 300 },
    )
  })
})

test('keepKnownUnits drops what the model invented', () => {
  const analysis = {
    mappedUnits: [
      { unitId: 'ALG-01', confidence: 1.2 },
      { unitId: 'GEO-09', confidence: 0.9 },
    ],
    studentIntent: 'solve' as const,
    understandingSignal: 'uncertain' as const,
    suggestedPrereqUnits: ['GEO-08', 'ALG-00'],
  }
  expect(keepKnownUnits(analysis, algebra)).toEqual({
    ...analysis,
    mappedUnits: [{ unitId: 'ALG-01', confidence: 1 }],
    suggestedPrereqUnits: ['ALG-00'],
  })
})
