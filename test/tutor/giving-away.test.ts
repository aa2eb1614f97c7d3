import { describe, expect, it } from 'vitest'
import type { MindStepKind } from '../../src/domain/arc/steps.ts'
import { ask, type Mind, TutorFailure, unheard } from '../../src/tutor/mind.ts'
import type { AskedQuestion, StepContext } from '../../src/tutor/steps/arc/context.ts'
import { ARC_STEPS } from '../../src/tutor/steps.ts'
import { smallCourse } from '../support/small-course.ts'
import { sampleContext, sampleQuestion } from './anthropic/sample-context.ts'

/** What a step makes of a model's words. */
const read = <K extends MindStepKind>(kind: K, wire: unknown, changes: Partial<StepContext<K>>) =>
  ARC_STEPS[kind].read(
    typeof wire === 'string' ? wire : JSON.stringify(wire),
    sampleContext(kind, changes) as never,
  )

const inWords: AskedQuestion = {
  ...sampleQuestion,
  text: 'Explain why a sum may be added in any order.',
  key: null,
  expected: 'because counting both heaps together is the same',
}
const inFormula: AskedQuestion = {
  ...sampleQuestion,
  text: 'Expand 3(x + 2).',
  key: null,
  expected: '3x + 6',
}
const choice: AskedQuestion = {
  ...sampleQuestion,
  text: 'Which planet is the largest?',
  format: 'multiple_choice',
  options: ['Mars', 'Venus', 'Jupiter', 'Earth'].map((text, index) => ({
    id: 'abcd'[index] ?? '',
    text,
  })),
  key: { type: 'choice', correct: 'c' },
  expected: 'Jupiter',
}

/** Words that give the answer of a question away, however they are put. */
const TELLING: [AskedQuestion, string][] = [
  [sampleQuestion, 'The answer to your open question is 6, or 22, or 12.'],
  [sampleQuestion, 'Die richtige Antwort lautet 6.'],
  [sampleQuestion, 'Three and three: that makes six.'],
  [inWords, 'Wrong: the right answer is because counting both heaps together is the same.'],
  [inWords, 'Wrong: the right answer is that nothing is lost on the way.'],
  [inWords, 'You should have said that both heaps, counted together, come out the same.'],
  [inFormula, 'Not yet: multiply out and you get $3x+6$.'],
  [choice, 'It is Jupiter.'],
  [choice, 'Look once more: option C is the one.'],
]

/** Words that help, and leave the answer to the learner. */
const HELPFUL: [AskedQuestion, string][] = [
  [sampleQuestion, '1. Take the 12.\n2. Share it into two like parts.\n6. Count one of them.'],
  [sampleQuestion, 'You doubled the 12 where it says to halve it.'],
  [inWords, 'You name the order, which is a good beginning. What do you count, in the end?'],
  [inFormula, 'You have 3x + 2: the 3 stands before the whole bracket.'],
  [choice, 'Mars is one of the small ones. Think of the ones further out.'],
]

const said = { id: 'm-1', text: 'it is the order' }
const graded = (changes: object) => ({ is_answer: true, quality: 1, is_correct: false, ...changes })
const secondTry = { questionId: 'q-7', messageId: 'm-1', again: false, secondTry: true }

describe('a grade', () => {
  it.each(TELLING)(
    'loses its words where they tell what is tried again (%#)',
    (question, feedback_text) => {
      const context = { questions: [question], input: secondTry, message: said }
      expect(read('grade', graded({ feedback_text }), context)).toMatchObject({
        ok: true,
        output: { isAnswer: true, quality: 1, feedback_text: '' },
      })
    },
  )

  it.each(HELPFUL)('keeps words that help (%#)', (question, feedback_text) => {
    const context = { questions: [question], input: secondTry, message: said }
    expect(read('grade', graded({ feedback_text }), context)).toMatchObject({
      output: { quality: 1, feedback_text },
    })
  })

  it('may tell where the question is done with', () => {
    const feedback_text = 'The right answer is 6.'
    const last = { questionId: 'q-7', messageId: 'm-1', again: false }
    expect(read('grade', graded({ feedback_text }), { input: last })).toMatchObject({
      output: { feedback_text },
    })
    expect(
      read('grade', graded({ feedback_text, quality: 5 }), { input: secondTry }),
    ).toMatchObject({ output: { feedback_text } })
  })

  it('loses what it says to a remark where that tells the answer: the question stays open', () => {
    const feedback_text = 'Nice to hear; the answer is 6, by the way.'
    const input = { questionId: 'q-7', messageId: 'm-1', again: false }
    expect(
      read('grade', graded({ is_answer: false, quality: 0, feedback_text }), { input }),
    ).toMatchObject({
      output: { isAnswer: false, feedback_text: '' },
    })
  })

  it('is told whether the question will be tried again', () => {
    const requestOf = (input: typeof secondTry) =>
      ARC_STEPS.grade.prompt(sampleContext('grade', { input })).request
    expect(requestOf(secondTry)).toContain('may try once more')
    expect(requestOf({ ...secondTry, secondTry: false })).not.toContain('may try once more')
  })
})

describe('an explanation of a verdict', () => {
  it.each(TELLING)('is refused where it tells the answer (%#)', (question, feedback_text) => {
    const reading = read('explain', { feedback_text }, { questions: [question], message: said })
    expect(reading.ok).toBe(false)
  })

  it.each(HELPFUL)('is taken where it helps (%#)', (question, feedback_text) => {
    const reading = read('explain', { feedback_text }, { questions: [question], message: said })
    expect(reading.ok).toBe(true)
  })
})

describe('help beside an open question', () => {
  it.each(TELLING)('is refused where it tells the answer (%#)', (question, text) => {
    expect(read('help', text, { questions: [question], message: said }).ok).toBe(false)
  })

  it.each(HELPFUL)('is taken where it helps (%#)', (question, text) => {
    expect(read('help', text, { questions: [question], message: said })).toMatchObject({
      output: { text },
    })
  })

  it('may say anything where nothing is open', () => {
    expect(read('help', 'The answer is 6.', { questions: [] }).ok).toBe(true)
  })

  it('is the course’s own where a model cannot keep the answer to itself', async () => {
    const malformed: Mind = {
      name: 'anthropic',
      run: async () => {
        throw new TutorFailure('malformed', 'it tells the answer')
      },
    }
    const course = smallCourse()
    const [unit = null] = course.units
    const context = sampleContext('help', { course, unit })
    const { output } = await ask(malformed, ARC_STEPS.help, context, unheard())
    expect(output).toEqual(ARC_STEPS.help.offline(context))
    const alone = ask(malformed, ARC_STEPS.help, sampleContext('help'), unheard())
    await expect(alone).rejects.toMatchObject({ kind: 'malformed' })
  })
})
