import { expect, test } from 'vitest'
import { MovedIds } from '../../../src/domain/learner/moved-ids.ts'
import { withoutKeys } from '../../../src/domain/learner/without-keys.ts'

test('a question loses its key and the help to it, at whatever depth; a step keeps the key that names it', () => {
  const question = {
    ...{ concept: 'Sums', text: 'What is $1 + 1$?', format: 'short_answer', options: null },
    ...{ key: { type: 'number', value: '2' }, expected: '2', criteria: 'c', difficulty: 'easy' },
    ...{ hints: ['h'], solution: 's', mistakes: [{ answer: '3', tag: 't' }], source: 'Q1' },
  }
  const kept = {
    ...{ concept: 'Sums', text: 'What is $1 + 1$?', format: 'short_answer', options: null },
    ...{ difficulty: 'easy', source: 'Q1' },
  }
  const made = { counted_on: { met: 2, avoided: 0, fact: null } }
  expect(
    withoutKeys({
      asking: [{ key: 'arc/1/1/quiz', kind: 'quiz' }],
      lesson: { quiz: { questions: [question, question] } },
      lastGrade: { question, lesson: { explained: question } },
      mistakes: made,
    }),
  ).toEqual({
    asking: [{ key: 'arc/1/1/quiz', kind: 'quiz' }],
    lesson: { quiz: { questions: [kept, kept] } },
    lastGrade: { question: kept, lesson: { explained: kept } },
    mistakes: made,
  })
})

const A = '11111111-1111-4111-8111-111111111111'
const B = '22222222-2222-4222-8222-222222222222'
const ME = '33333333-3333-4333-8333-333333333333'

test('ids are moved the same way each time, and to each learner another way', () => {
  const ids = new MovedIds(A, ME)
  expect(ids.id(A)).toBe(ME)
  expect(ids.id(B)).toBe(new MovedIds(A, ME).id(B.toUpperCase()))
  expect(ids.id(B)).not.toBe(new MovedIds(A, B).id(B))
  expect([A, B, ME]).not.toContain(ids.id(B))
  // Moved once more, to the same learner, it is another thing.
  expect(ids.id(ids.id(B))).not.toBe(ids.id(B))
})

test('ids are moved wherever they stand, but for a person’s words', () => {
  const ids = new MovedIds(A, ME)
  const moved = ids.id(B)
  expect(
    ids.row(
      {
        id: B,
        step_key: `${B}/1/1/quiz`,
        card: { session: [B, 1] },
        text: B,
        none: null,
        count: 3,
      },
      new Set(['text']),
    ),
  ).toEqual({
    ...{ id: moved, step_key: `${moved}/1/1/quiz`, card: { session: [moved, 1] }, text: B },
    ...{ none: null, count: 3 },
  })
})
