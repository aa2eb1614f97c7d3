import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type {
  DiagnosisDepth,
  InventoryConcept,
  Probe,
} from '../../../src/domain/diagnosis/diagnosis.ts'
import { expectedInformation } from '../../../src/domain/diagnosis/knowledge-states.ts'
import { inferMastery } from '../../../src/domain/diagnosis/mastery-inference.ts'
import { type NextProbe, nextProbe } from '../../../src/domain/diagnosis/probes.ts'
import { proves } from '../../spec/scenario.ts'
import { anyRankedInventory, chain } from './random-inventory.ts'

interface Asked extends NextProbe {
  quality: number
}

/** Runs a diagnosis to its end, grading each probe by its rank and its number from 0. */
function diagnose(
  concepts: InventoryConcept[],
  depth: DiagnosisDepth,
  grade: (rank: number, number: number) => number,
): Asked[] {
  const asked: Asked[] = []
  const probes: Probe[] = []
  for (;;) {
    const next = nextProbe({ concepts, probes, depth })
    if (!next) return asked
    if (asked.length > 20) throw new Error('the diagnosis does not end')
    const quality = grade(next.rank, asked.length)
    asked.push({ ...next, quality })
    probes.push({ label: next.label, quality })
  }
}

const ranksOf = (asked: Asked[], phase: NextProbe['phase']) =>
  asked.filter((probe) => probe.phase === phase).map(({ rank }) => rank)

describe('bisection', () => {
  test.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [10, 5],
    [13, 6],
    [15, 7],
    [30, 15],
  ])(
    'of %i concepts the first probe is at rank %i',
    proves(
      '000 D4 Diagnostic assessment: The first probe targets the concept of median difficulty',
    ),
    (count, rank) => {
      expect(nextProbe({ concepts: chain(count), probes: [], depth: 'standard' })).toEqual({
        label: String(rank),
        rank,
        phase: 'bisection',
      })
    },
  )

  test(
    'right answers lead to the middle of the harder part, wrong ones to the easier',
    proves(
      '000 D4 Diagnostic assessment: A right answer leads to a harder concept, a wrong one to an easier one',
    ),
    () => {
      const upward = diagnose(chain(15), 'standard', () => 5)
      expect(ranksOf(upward, 'bisection')).toEqual([7, 11, 13, 14, 15])
      const downward = diagnose(chain(15), 'standard', () => 1)
      expect(ranksOf(downward, 'bisection')).toEqual([7, 3, 1])
      const between = diagnose(chain(15), 'standard', (rank) => (rank <= 8 ? 3 : 2))
      expect(ranksOf(between, 'bisection')).toEqual([7, 11, 9, 8])
    },
  )

  test('quality 3 counts as right, 2 and an abstention as not known', () => {
    const rankAfter = (quality: number) =>
      nextProbe({ concepts: chain(12), probes: [{ label: '6', quality }], depth: 'standard' })?.rank
    expect(rankAfter(3)).toBe(9)
    expect(rankAfter(2)).toBe(3)
    expect(rankAfter(0)).toBe(3)
  })

  test('stops after five probes on a map of 60', () => {
    const asked = diagnose(chain(60), 'standard', () => 5)
    expect(ranksOf(asked, 'bisection')).toEqual([30, 45, 53, 57, 59])
    expect(asked).toHaveLength(7)
  })

  test('reads the labels of probes in any case', () => {
    const concepts = chain(12).map((concept) => ({ ...concept, label: `Topic ${concept.label}` }))
    const probes = [{ label: ' TOPIC 6', quality: 5 }]
    expect(nextProbe({ concepts, probes, depth: 'standard' })?.rank).toBe(9)
  })
})

test.each([
  ['beginner', 2],
  ['intermediate', 6],
  ['advanced', 10],
] as const)(
  'a learner who says %s is first asked about rank %i of 12, and may be led anywhere from there',
  (start, rank) => {
    const concepts = chain(12)
    const ask = (probes: { label: string; quality: number }[]) =>
      nextProbe({ concepts, probes, depth: 'standard', start })
    const first = ask([])
    expect(first?.rank).toBe(rank)
    const label = first?.label ?? ''
    expect(ask([{ label, quality: 5 }])?.rank).toBeGreaterThan(rank)
    expect(ask([{ label, quality: 0 }])?.rank).toBeLessThan(rank)
  },
)

describe('after the bisection', () => {
  test('the probe expected to tell most is asked', () => {
    const concepts = chain(12).map((concept, index) => ({
      ...concept,
      prerequisites: index < 3 ? [] : [String(index - 2)],
    }))
    const asked = diagnose(concepts, 'thorough', (rank) => (rank % 2 === 0 ? 4 : 1))
    expect(ranksOf(asked, 'information').length).toBeGreaterThan(2)
    asked.forEach(({ phase, rank }, number) => {
      if (phase === 'bisection') return
      const probes = asked.slice(0, number)
      const estimates = inferMastery({ concepts, probes, depth: 'thorough' })
      const worth = estimates
        .filter(({ measured }) => measured === null)
        .map(({ inferred }) => expectedInformation(inferred))
      const chosen = estimates[rank - 1]
      expect(chosen?.measured).toBeNull()
      expect(expectedInformation(chosen?.inferred ?? 0)).toBeCloseTo(Math.max(...worth), 8)
    })
  })

  test('up to 3 further probes are asked, 6 when thorough', () => {
    const grade = (rank: number) => (rank <= 7 ? 5 : 0)
    const concepts = chain(15, false)
    const further = (depth: DiagnosisDepth) =>
      ranksOf(diagnose(concepts, depth, grade), 'information').length
    expect(further('standard')).toBe(3)
    expect(further('thorough')).toBe(6)
  })

  test('nothing more is asked once little can be learned', () => {
    const certain = chain(4).map((concept) => ({ ...concept, prerequisites: [] }))
    const siblings = [
      ...certain,
      { ...certain[0], label: '5', prerequisites: ['1', '2', '3', '4'] },
    ]
    const concepts = siblings as InventoryConcept[]
    const asked = diagnose(concepts, 'thorough', () => 0)
    const left = inferMastery({ concepts, probes: asked, depth: 'thorough' })
    expect(asked.length).toBeGreaterThanOrEqual(3)
    expect(asked.length).toBeLessThan(concepts.length)
    for (const { inferred, measured } of left) {
      if (measured === null) expect(expectedInformation(inferred)).toBeLessThan(0.02)
    }
  })
})

test(
  'on any inventory: 3 to 7 probes (10 when thorough), none twice, five halvings at most',
  proves('000 D4 Diagnostic assessment: Three to seven probes are asked, none twice'),
  () => {
    fc.assert(
      fc.property(
        anyRankedInventory,
        fc.constantFrom<DiagnosisDepth>('standard', 'thorough'),
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 12, maxLength: 12 }),
        (concepts, depth, grades) => {
          const asked = diagnose(concepts, depth, (_, number) => grades[number] ?? 0)
          const ranks = asked.map(({ rank }) => rank)
          expect(new Set(ranks).size).toBe(ranks.length)
          expect(asked.length).toBeGreaterThanOrEqual(Math.min(3, concepts.length))
          expect(asked.length).toBeLessThanOrEqual(depth === 'standard' ? 7 : 10)
          expect(asked[0]?.rank).toBe(Math.max(1, Math.floor(concepts.length / 2)))
          const halvings = ranksOf(asked, 'bisection')
          expect(halvings.length).toBeLessThanOrEqual(5)
          expect(ranks.slice(0, halvings.length)).toEqual(halvings)
          halvings.slice(1).forEach((rank, number) => {
            const before = asked[number]
            const harder = (before?.quality ?? 0) >= 3
            expect(rank > (before?.rank ?? 0)).toBe(harder)
          })
          for (const { label, rank } of asked) expect(concepts[rank - 1]?.label).toBe(label)
        },
      ),
      { seed: 42, numRuns: 150 },
    )
  },
)

test('an empty inventory has nothing to ask', () => {
  expect(nextProbe({ concepts: [], probes: [], depth: 'standard' })).toBeNull()
})
