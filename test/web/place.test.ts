import { expect, it } from 'vitest'
import type { ArcMessage, ArcView } from '../../src/contracts/arc.ts'
import { placeOf } from '../../web/arc/place.ts'
import { arcView, probe, shortQuestion } from './sample-views.ts'

let number = 0

function said(phase: ArcView['phase'], questionId?: string, attempt = 1): ArcMessage {
  number += 1
  return {
    ...{ id: `m${number}`, role: 'tutor', text: '', phase, createdAt: '' },
    ...(questionId ? { questionId, card: { type: 'QUESTION', attempt } } : {}),
  }
}

const quiz = (id: string, attempt: 1 | 2 = 1) =>
  arcView({ phase: 'QUIZZING', pendingQuestion: { ...shortQuestion, id, attempt } })

it('counts the questions of this quiz, not of the one before the lesson', () => {
  const messages = [
    ...[said('QUIZZING', 'old-1'), said('QUIZZING', 'old-2'), said('TEACHING', 'check')],
    ...[said('QUIZZING', 'one'), said('QUIZZING'), said('QUIZZING', 'two')],
  ]
  expect(placeOf(quiz('two'), messages)).toEqual({ kind: 'quiz', number: 2, total: 3 })
})

it('knows the place before the message that asks has come', () => {
  const messages = [said('TEACHING', 'check'), said('QUIZZING', 'one')]
  expect(placeOf(quiz('two'), messages)).toMatchObject({ number: 2 })
})

it('counts a second try with the first', () => {
  const messages = [said('TEACHING'), said('QUIZZING', 'one'), said('QUIZZING', 'one-again', 2)]
  expect(placeOf(quiz('one-again', 2), messages)).toMatchObject({ number: 1, total: 3 })
})

it('promises no total that is passed already', () => {
  const messages = ['a', 'b', 'c'].map((id) => said('QUIZZING', id))
  expect(placeOf(quiz('d'), messages)).toEqual({ kind: 'quiz', number: 4, total: null })
})

it('says how many questions a level check has at most', () => {
  const arc = arcView({ phase: 'DIAGNOSING', pendingQuestion: probe })
  const messages = [said('DIAGNOSING'), said('DIAGNOSING', 'p0'), said('DIAGNOSING', probe.id)]
  expect(placeOf(arc, messages)).toEqual({ kind: 'diagnostic', number: 2, total: 7 })
})

it('has nothing to say of a check question or a review', () => {
  const arc = arcView({ phase: 'REVIEWING', pendingQuestion: { ...shortQuestion, kind: 'review' } })
  expect(placeOf(arc, [])).toBeNull()
})
