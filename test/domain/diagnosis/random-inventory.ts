import fc from 'fast-check'
import type { InventoryConcept } from '../../../src/domain/diagnosis/diagnosis.ts'
import { DIFFICULTIES, rankInventory } from '../../../src/domain/diagnosis/inventory.ts'

/** Inventories as a model may write them: cycles, repeated and unknown labels included. */
export const anyInventory: fc.Arbitrary<InventoryConcept[]> = fc
  .integer({ min: 1, max: 24 })
  .chain((count) =>
    fc.array(
      fc.record({
        label: fc.integer({ min: 0, max: count }).map((number) => `Concept ${number}`),
        difficulty: fc.constantFrom(...DIFFICULTIES),
        prerequisites: fc.array(
          fc.integer({ min: 0, max: count + 2 }).map((number) => `concept ${number}`),
          { maxLength: 3 },
        ),
      }),
      { minLength: count, maxLength: count },
    ),
  )

export const anyRankedInventory = anyInventory.map((concepts) => rankInventory(concepts))

/** `count` concepts "1" to "count" in a row, each built on the one before unless told otherwise. */
export function chain(count: number, linked = true): InventoryConcept[] {
  return Array.from({ length: count }, (_, index) => ({
    label: String(index + 1),
    difficulty: DIFFICULTIES[Math.floor((index * DIFFICULTIES.length) / count)] ?? 'expert',
    prerequisites: linked && index > 0 ? [String(index)] : [],
  }))
}
