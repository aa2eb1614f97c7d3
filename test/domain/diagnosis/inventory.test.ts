import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Difficulty, InventoryConcept } from '../../../src/domain/diagnosis/diagnosis.ts'
import {
  prerequisiteStructure,
  rankInventory,
  validateInventory,
} from '../../../src/domain/diagnosis/inventory.ts'
import { labelKey } from '../../../src/domain/mind-map/label.ts'
import { anyInventory, anyRankedInventory, chain } from './random-inventory.ts'

function concept(
  label: string,
  difficulty: Difficulty,
  prerequisites: string[] = [],
): InventoryConcept {
  return { label, difficulty, prerequisites }
}

const labels = (concepts: InventoryConcept[]) => concepts.map(({ label }) => label)

test('ranks by difficulty, then by depth of prerequisites, then as given', () => {
  const ranked = rankInventory([
    concept('expert', 'expert'),
    concept('deep', 'beginner', ['b']),
    concept('b', 'beginner'),
    concept('a', 'beginner'),
    concept('middle', 'intermediate'),
  ])
  expect(labels(ranked)).toEqual(['b', 'a', 'deep', 'middle', 'expert'])
})

test('ranks a concept called easy after the hard one it builds on', () => {
  const ranked = rankInventory([
    concept('easy', 'beginner', ['hard']),
    concept('hard', 'expert'),
    concept('middle', 'intermediate'),
  ])
  expect(labels(ranked)).toEqual(['middle', 'hard', 'easy'])
})

test('keeps the first of labels that differ only in case and spaces', () => {
  const ranked = rankInventory([concept('Sets', 'expert'), concept(' sets ', 'beginner')])
  expect(ranked).toEqual([concept('Sets', 'expert')])
})

test('drops prerequisites that are unknown, repeated, or close a cycle', () => {
  const ranked = rankInventory([
    concept('a', 'beginner', ['b', 'a', 'nowhere']),
    concept('b', 'beginner', ['A', 'a ']),
  ])
  expect(ranked).toEqual([concept('b', 'beginner'), concept('a', 'beginner', ['b'])])
})

test('no ranking puts a concept before its prerequisite, and ranking again changes nothing', () => {
  fc.assert(
    fc.property(anyInventory, (concepts) => {
      const ranked = rankInventory(concepts)
      const folded = ranked.map(({ label }) => labelKey(label))
      expect(new Set(folded)).toEqual(new Set(concepts.map(({ label }) => labelKey(label))))
      expect(new Set(folded).size).toBe(folded.length)
      ranked.forEach(({ prerequisites }, index) => {
        for (const label of prerequisites) {
          const rank = folded.indexOf(labelKey(label))
          expect(rank).toBeGreaterThanOrEqual(0)
          expect(rank).toBeLessThan(index)
        }
      })
      expect(rankInventory(ranked)).toEqual(ranked)
    }),
    { seed: 42, numRuns: 300 },
  )
})

test('depth is one more than that of the deepest prerequisite', () => {
  fc.assert(
    fc.property(anyRankedInventory, (concepts) => {
      const { parents, depths } = prerequisiteStructure(concepts)
      parents.forEach((of, index) => {
        expect(depths[index]).toBe(Math.max(-1, ...of.map((parent) => depths[parent] ?? -1)) + 1)
      })
    }),
    { seed: 42, numRuns: 200 },
  )
})

test('accepts 10 to 15 different concepts over three levels', () => {
  expect(validateInventory(chain(10))).toEqual([])
  expect(validateInventory(chain(15))).toEqual([])
})

test('names what is wrong with an inventory', () => {
  expect(validateInventory(chain(9))).toEqual(['9 concepts, at least 10 are needed'])
  expect(validateInventory(chain(16))).toEqual(['16 concepts, at most 15 are allowed'])
  const flat = chain(10).map((one) => ({ ...one, difficulty: 'beginner' as const }))
  expect(validateInventory(flat)).toEqual(['no concept is intermediate or expert'])
  const repeated = chain(10).map((one, index) => (index === 3 ? { ...one, label: ' 1' } : one))
  expect(validateInventory(repeated)).toEqual(['"1" appears more than once'])
  const unnamed = chain(10).map((one, index) => (index === 3 ? { ...one, label: ' ' } : one))
  expect(validateInventory(unnamed)).toEqual(['a concept has no label'])
})

test('a topic of fewer than 10 concepts must give all of them, at whatever levels', () => {
  const six = chain(6).map((one) => ({ ...one, difficulty: 'beginner' as const }))
  expect(validateInventory(six, 6)).toEqual([])
  expect(validateInventory(six, 7)).toEqual(['6 concepts, at least 7 are needed'])
})
