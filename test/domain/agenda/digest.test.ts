import { describe, expect, test } from 'vitest'
import { foreignNumbers, type Week } from '../../../src/domain/agenda/digest.ts'

const WEEK: Week = {
  ...{ answers: 23, reviews: 8, kept: 6, days: 4 },
  topics: [
    {
      ...{ topic: 'Sums up to 20', masteryBefore: 0.25, masteryAfter: 0.5, retention: 0.75 },
      ...{ mastered: ['Adding 9', 'Adding brackets'], struggling: ['Taking away'], due: 5 },
    },
  ],
}

describe('numbers that are said of a week', () => {
  test.each([
    'You gave 23 answers on 4 days.',
    'In Sums up to 20 you went from 25 % to 50 %, which is 25 points.',
    'You mastered two concepts, Adding 9 among them; five reviews come next week.',
    'Sechs von acht Wiederholungen saßen, das sind 75 %.',
    'One of them was hard. It was a good week, and the first of many.',
    'Du hast an vier Tagen geübt, und eine Idee sitzt noch nicht.',
    'You said yes often, and were pretty quick. Einzig Brüche fehlen noch, du warst fleißig.',
  ])('are its own: %s', (text) => {
    expect(foreignNumbers(text, WEEK)).toEqual([])
  })

  test.each([
    ['You gave 24 answers.', ['24']],
    ['It rose by 25.5 points.', ['25.5']],
    ['You gave 1,000 answers.', ['1,000']],
    ['You were there on three days.', ['three']],
    ['Neun Antworten!', ['Neun']],
    ['You gave twenty-three answers.', ['twenty', 'three']],
    ['Du hast dreiundzwanzig Antworten gegeben.', ['dreiundzwanzig']],
    ['Du hast dreizehn Antworten gegeben.', ['dreizehn']],
    ['Du hast fünfzig Prozent geschafft.', ['fünfzig']],
    ['You kept half of them.', ['half']],
    ['Das ist doppelt so viel.', ['doppelt']],
    ['Go on up to 20.', ['20']],
  ])('and no others: %s', (text, foreign) => {
    expect(foreignNumbers(text, WEEK)).toEqual(foreign)
  })
})
