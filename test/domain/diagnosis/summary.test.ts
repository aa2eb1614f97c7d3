import { expect, test } from 'vitest'
import type { InventoryConcept, Probe } from '../../../src/domain/diagnosis/diagnosis.ts'
import {
  learnerLevel,
  prerequisiteGaps,
  recommendations,
} from '../../../src/domain/diagnosis/summary.ts'
import { proves } from '../../spec/scenario.ts'
import { chain } from './random-inventory.ts'

const diagnosis = (concepts: InventoryConcept[], grades: Record<string, number>) => {
  const probes: Probe[] = Object.entries(grades).map(([label, quality]) => ({ label, quality }))
  return { concepts, probes, depth: 'standard' as const }
}

test(
  'the level is that of the easiest concepts still to learn',
  proves(
    '003 Diagnostic results: The learner level is beginner, intermediate or advanced, and gaps are named',
  ),
  () => {
    expect(learnerLevel(diagnosis(chain(12), { '6': 1, '3': 1, '1': 0 }))).toBe('beginner')
    expect(learnerLevel(diagnosis(chain(12), { '6': 5, '9': 1, '7': 1, '5': 5 }))).toBe(
      'intermediate',
    )
    expect(learnerLevel(diagnosis(chain(12), { '6': 5, '9': 5, '11': 5, '12': 5 }))).toBe(
      'advanced',
    )
  },
)

test('who was asked nothing is a beginner', () => {
  expect(learnerLevel(diagnosis(chain(12), {}))).toBe('beginner')
})

test(
  'a gap is not known, in reach, and needed by another concept',
  proves(
    '003 Diagnostic results: The learner level is beginner, intermediate or advanced, and gaps are named',
  ),
  () => {
    const concepts: InventoryConcept[] = [
      { label: 'root', difficulty: 'beginner', prerequisites: [] },
      { label: 'needed', difficulty: 'beginner', prerequisites: ['Root'] },
      { label: 'side', difficulty: 'intermediate', prerequisites: ['root'] },
      { label: 'top', difficulty: 'expert', prerequisites: ['needed'] },
    ]
    const found = diagnosis(concepts, { root: 5, needed: 0, side: 0, top: 0 })
    expect(prerequisiteGaps(found)).toEqual(['needed'])
    expect(recommendations(found)).toEqual(['Start with needed.', 'Pass quickly over root.'])
  },
)

test('without prerequisites the easier level stands for what the harder one needs', () => {
  const low = diagnosis(chain(6, false), { '3': 0, '1': 0, '2': 0 })
  expect(prerequisiteGaps(low)).toEqual(['1', '2'])
  expect(recommendations(low)).toEqual(['Start with 1 and 2.'])
  expect(recommendations(low, 'de')).toEqual(['Beginne mit 1 und 2.'])
  const high = diagnosis(chain(6, false), { '3': 5, '4': 5, '2': 5, '6': 0, '5': 0 })
  expect(prerequisiteGaps(high)).toEqual([])
  expect(recommendations(high)[0]).toBe('Start with 5 and 6.')
})

test('an answer that does not fit the others is named', () => {
  const odd = diagnosis(chain(10), { '2': 0, '5': 5, '7': 5, '8': 5, '9': 5 })
  expect(recommendations(odd)).toContain('Look again at 2: the answer does not fit the others.')
})

test('one who knows everything is pointed to a harder goal', () => {
  const all = diagnosis(chain(6), { '3': 5, '5': 5, '6': 5 })
  expect(prerequisiteGaps(all)).toEqual([])
  expect(recommendations(all)).toEqual([
    'Everything asked for seems known: a harder goal may suit you better.',
    'Pass quickly over 3, 5 and 6.',
  ])
})

test('an empty inventory gives no gaps and no advice', () => {
  expect(prerequisiteGaps(diagnosis([], {}))).toEqual([])
  expect(recommendations(diagnosis([], {}))).toEqual([])
})
