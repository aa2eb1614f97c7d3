import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  chancesOfKnowing,
  expectedInformation,
  knowledgeStates,
} from '../../../src/domain/diagnosis/knowledge-states.ts'
import { inferMastery } from '../../../src/domain/diagnosis/mastery-inference.ts'
import { anyRankedInventory, chain } from './random-inventory.ts'

const inferred = (concepts: ReturnType<typeof chain>, probes: Record<string, number>) =>
  inferMastery({
    concepts,
    probes: Object.entries(probes).map(([label, quality]) => ({ label, quality })),
    depth: 'standard',
  }).map((estimate) => estimate.inferred)

test('what was measured stays apart from what is inferred', () => {
  const probes = [
    { label: '5', quality: 4 },
    { label: ' 9 ', quality: 0 },
    { label: 'elsewhere', quality: 5 },
  ]
  const estimates = inferMastery({ concepts: chain(10), probes, depth: 'standard' })
  expect(estimates.map(({ label }) => label)).toEqual(chain(10).map(({ label }) => label))
  expect(estimates.map(({ measured }) => measured)).toEqual([
    null,
    null,
    null,
    null,
    4,
    null,
    null,
    null,
    0,
    null,
  ])
  expect(estimates[4]?.inferred).toBeGreaterThan(0.7)
  expect(estimates[4]?.inferred).toBeLessThan(1)
})

test('a right answer raises prerequisites and dependants, a wrong one lowers them', () => {
  const before = inferred(chain(10), {})
  const right = inferred(chain(10), { '5': 5 })
  const wrong = inferred(chain(10), { '5': 1 })
  before.forEach((chance, index) => {
    expect(right[index]).toBeGreaterThan(chance)
    expect(wrong[index]).toBeLessThan(chance)
  })
  expect(right[1]).toBeGreaterThan(0.85)
  expect(wrong[7]).toBeLessThan(0.15)
})

test('without known prerequisites the ranks carry the inference', () => {
  const right = inferred(chain(12, false), { '6': 5 })
  const wrong = inferred(chain(12, false), { '6': 0 })
  expect(right[1]).toBeGreaterThan(0.7)
  expect(wrong[10]).toBeLessThan(0.3)
  expect(right[1]).toBeGreaterThan(right[10] ?? 1)
})

test('to abstain says the same as a wrong answer', () => {
  expect(inferred(chain(10), { '5': 0 })).toEqual(inferred(chain(10), { '5': 2 }))
})

test('two concepts with the same prerequisites are told apart by their own answers', () => {
  const concepts = chain(6).map((concept, index) =>
    index === 0 ? concept : { ...concept, prerequisites: ['1'] },
  )
  const chances = inferred(concepts, { '3': 5, '4': 1 })
  expect(chances[2]).toBeGreaterThan(0.6)
  expect(chances[3]).toBeLessThan(0.4)
})

test('the posterior of a chain agrees with Bayes over its eleven states', () => {
  const concepts = chain(10)
  const prior = chancesOfKnowing(knowledgeStates(concepts))
  const sizes = prior.map((chance, index) => chance - (prior[index + 1] ?? 0))
  const likelihood = (size: number) => (size >= 3 ? 0.9 : 0.2) * (size >= 8 ? 0.1 : 0.8)
  const states = [1 - (prior[0] ?? 0), ...sizes].map((chance, size) => chance * likelihood(size))
  const total = states.reduce((sum, chance) => sum + chance, 0)
  const exact = concepts.map(
    (_, index) => states.slice(index + 1).reduce((sum, chance) => sum + chance, 0) / total,
  )
  inferred(concepts, { '3': 5, '8': 1 }).forEach((chance, index) => {
    expect(chance).toBeCloseTo(exact[index] ?? -1, 9)
  })
})

test('before any answer all amounts of knowledge are about equally likely, and everything twice as likely', () => {
  const { weights, columns } = knowledgeStates(chain(10))
  const bySize = Array.from({ length: 11 }, () => 0)
  weights.forEach((weight, state) => {
    const size = columns.reduce((sum, column) => sum + (column[state] ?? 0), 0)
    bySize[size] = (bySize[size] ?? 0) + weight
  })
  const everything = bySize.pop()
  for (const share of bySize) {
    expect(share).toBeGreaterThan(0.05)
    expect(share).toBeLessThan(0.12)
  }
  expect(everything).toBeGreaterThan(0.13)
  expect(everything).toBeLessThan(0.22)
})

test('no concept is likelier known than its prerequisites; same diagnosis, same estimate', () => {
  fc.assert(
    fc.property(
      anyRankedInventory,
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 5 })), { maxLength: 10 }),
      (concepts, answers) => {
        const probes = answers.map(([number, quality]) => ({
          label: concepts[number % concepts.length]?.label ?? '',
          quality,
        }))
        const estimates = inferMastery({ concepts, probes, depth: 'thorough' })
        const byLabel = new Map(estimates.map((estimate) => [estimate.label, estimate.inferred]))
        for (const { label, prerequisites } of concepts) {
          const chance = byLabel.get(label) ?? -1
          expect(chance).toBeGreaterThanOrEqual(0)
          expect(chance).toBeLessThanOrEqual(1)
          for (const of of prerequisites) {
            expect(byLabel.get(of) ?? -1).toBeGreaterThanOrEqual(chance - 1e-9)
          }
        }
        expect(inferMastery({ concepts, probes, depth: 'thorough' })).toEqual(estimates)
      },
    ),
    { seed: 42, numRuns: 100 },
  )
})

test('a question tells most about an open concept, nothing about a certain one', () => {
  expect(expectedInformation(0)).toBeCloseTo(0, 12)
  expect(expectedInformation(1)).toBeCloseTo(0, 12)
  expect(expectedInformation(0.5)).toBeCloseTo(0.3973, 4)
  expect(expectedInformation(0.5)).toBeGreaterThan(expectedInformation(0.8))
})
