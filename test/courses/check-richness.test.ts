import { expect, test } from 'vitest'
import type { QuestionTemplate } from '../../src/contracts/course-pack.ts'
import { adviseCourse } from '../../src/courses/check-richness.ts'
import { sampleCourse, sampleUnit } from './sample-course.ts'

const DIFFICULTIES = ['easy', 'medium', 'hard'] as const

function courseOf(templates: QuestionTemplate[]) {
  const unit = sampleUnit('SUM-00', 'Adding', [])
  const example = { problem: 'Add.', steps: ['One.', 'Two.'], answer: '$3$' }
  const fadedExample = {
    problem: 'Add.',
    steps: ['One.'],
    question: 'And?',
    answer: { type: 'number' as const, value: '3' },
    solution: 'Two.',
  }
  return {
    ...sampleCourse(),
    units: [{ ...unit, templates, workedExamples: [example], fadedExample }],
  }
}

/** Nine templates of 576 questions each, three of every difficulty. */
const rich = DIFFICULTIES.flatMap((difficulty, index) =>
  [1, 2, 3].map((number): QuestionTemplate => {
    const [first] = sampleUnit('SUM-00', 'Adding', []).templates as [QuestionTemplate]
    const params = { a: { from: 1, to: 32, not: [] }, b: { from: 1, to: 18, not: [] } }
    const kind = (['exercise', 'word_problem', 'find_mistake'] as const)[index] ?? 'exercise'
    const text = `${number}: What is $({{a}}) {{+b}}$?`
    return { ...first, id: `SUM-00-T${index * 3 + number}`, difficulty, kind, params, text }
  }),
)

test('a unit with enough of everything needs no advice', () => {
  expect(adviseCourse(courseOf(rich))).toEqual([])
})

test('what a pack lacks is named, unit by unit', () => {
  expect(adviseCourse(sampleCourse()).filter((advice) => advice.startsWith('SUM-01'))).toEqual([
    'SUM-01: 2 templates, 8 carry a learner who comes back',
    'SUM-01: no template of the kind word_problem',
    'SUM-01: no template of the kind find_mistake',
    'SUM-01: the easy templates make 136 different questions, 200 are wanted',
    'SUM-01: 0 medium templates, 2 are wanted',
    'SUM-01: the medium templates make 0 different questions, 200 are wanted',
    'SUM-01: 0 hard templates, 2 are wanted',
    'SUM-01: the hard templates make 0 different questions, 200 are wanted',
    'SUM-01: no second worked example',
    'SUM-01: no example whose last step is open',
  ])
})
