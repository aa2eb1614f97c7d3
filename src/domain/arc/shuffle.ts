import { hashText, seededRandom } from '../random/seeded-random.ts'
import type { Question } from './question.ts'

/**
 * The question as it is put this time: options in an order drawn from the asking's id, named a, b, c … as they are shown.
 * The key and the foreseen mistakes follow.
 */
export function atEveryAsking(question: Question, id: string): Question {
  const { options, key, mistakes } = question
  if (!options || key?.type !== 'choice') return question
  const random = seededRandom(hashText(id))
  const order = options
    .map((option) => ({ option, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ option }) => option)
  const letters = new Map(
    order.map((option, index) => [option.id, String.fromCharCode(97 + index)]),
  )
  const renamed = (old: string) => letters.get(old) ?? old
  return {
    ...question,
    options: order.map(({ id: old, text }) => ({ id: renamed(old), text })),
    key: { ...key, correct: renamed(key.correct) },
    // A mistake that was tried is no option any more.
    mistakes: mistakes
      .filter(({ answer }) => letters.has(answer))
      .map((mistake) => ({ ...mistake, answer: renamed(mistake.answer) })),
  }
}
