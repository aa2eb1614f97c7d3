import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { Arc } from '../../../src/domain/arc/arc.ts'
import type { Question } from '../../../src/domain/arc/question.ts'
import { noteMistakes } from '../../../src/domain/arc/recurring-mistakes.ts'
import type { LoadedArc } from '../../../src/domain/arc/state.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'
import { smallCourse } from '../../support/small-course.ts'

const TAGS = ['sign', 'order', 'power'] as const

const mistakeOf = (tag: string) => ({ answer: `wrong by ${tag}`, tag, belief: `Belief ${tag}.` })

const question: Question = {
  ...{ concept: 'Sums', text: 'How much is it?', format: 'short_answer', options: null },
  ...{ key: { type: 'number', value: '5' }, expected: '5', criteria: '', difficulty: 'easy' },
  ...{ hints: [], solution: null, mistakes: TAGS.map(mistakeOf), source: null },
}

function atQuestion(tutor: LoadedArc['tutor'] = 'offline'): Arc {
  const simulated = new SimulatedArc(smallCourse(), { rules: { skipDiagnosis: true } })
  simulated.turn()
  return new Arc({ ...simulated.arc, tutor, question }, Date.UTC(2030, 0))
}

/** What is remembered in the end, by the effects alone. */
function remembered(arc: Arc): string[] {
  const facts = new Set<string>()
  for (const effect of arc.decided().effects) {
    if (effect.type === 'remember') for (const fact of effect.facts) facts.add(fact)
    if (effect.type === 'forget') facts.delete(effect.fact)
  }
  return [...facts].map((fact) => fact.slice(fact.indexOf(': ') + 2)).sort()
}

it('is remembered at its third time and forgotten after three right answers', () => {
  const arc = atQuestion()
  const [foreseen] = question.mistakes
  if (!foreseen) throw new Error('nothing is foreseen')
  noteMistakes(arc, 'wrong', foreseen)
  noteMistakes(arc, 'wrong', foreseen)
  expect(remembered(arc)).toEqual([])
  noteMistakes(arc, 'wrong', foreseen)
  expect(remembered(arc)).toEqual(['Belief sign.'])
  noteMistakes(arc, 'correct', null)
  noteMistakes(arc, 'correct', null)
  expect(remembered(arc)).toEqual(['Belief sign.'])
  noteMistakes(arc, 'correct', null)
  expect(remembered(arc)).toEqual([])
  expect(arc.state.mistakes).toEqual({})
})

test('whatever is answered, what is remembered is what a reading of the log from its end says', () => {
  const step = fc.oneof(fc.constant('right'), fc.constantFrom(...TAGS))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (log) => {
      const arc = atQuestion()
      for (const each of log) {
        if (each === 'right') noteMistakes(arc, 'correct', null)
        else noteMistakes(arc, 'wrong', mistakeOf(each))
      }
      // The log of a tag is cut into pieces at every run of three right ones; only the last piece counts.
      const expected = TAGS.filter((tag) => {
        const own = log
          .filter((each) => each === 'right' || each === tag)
          .map((each) => (each === 'right' ? 'r' : 'm'))
          .join('')
        const lastPiece = own.replace(/^r+/, '').split(/r{3,}/).at(-1) ?? ''
        return (lastPiece.match(/m/g)?.length ?? 0) >= 3
      })
      expect(remembered(arc)).toEqual(expected.map((tag) => `Belief ${tag}.`).sort())
    }),
    { seed: 11, numRuns: 500 },
  )
})

it('is left to the feedback role where there is a model', () => {
  const arc = atQuestion('anthropic')
  for (let times = 0; times < 5; times += 1) noteMistakes(arc, 'wrong', mistakeOf('sign'))
  expect(remembered(arc)).toEqual([])
})
