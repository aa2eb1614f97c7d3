import { describe, expect, it, test } from 'vitest'
import type { StepKind, StepOutputs } from '../../../src/domain/arc/steps.ts'
import { wantedSteps } from '../../../src/domain/arc/view.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'
import { smallCourse } from '../../support/small-course.ts'

/** An arc of a model that has the first question of a quiz open. */
function atQuiz(): SimulatedArc {
  const arc = new SimulatedArc(smallCourse(), {
    tutor: 'anthropic',
    rules: { skipDiagnosis: true },
  })
  arc.turn()
  arc.answerSteps()
  arc.say(arc.answerText())
  arc.answerSteps()
  expect(arc.state.question?.kind).toBe('quiz')
  return arc
}

/** The one step that is waited for. */
function asking<K extends StepKind>(arc: SimulatedArc, kind: K) {
  const [step] = arc.state.asking
  expect(arc.state.asking).toHaveLength(1)
  expect(step?.kind).toBe(kind)
  return step as NonNullable<typeof step>
}

function answer<K extends StepKind>(arc: SimulatedArc, kind: K, output: StepOutputs[K]): void {
  arc.decide({ type: 'answer', key: asking(arc, kind).key, output })
}

const notAnAnswer = { isAnswer: false, quality: null, is_correct: false, feedback_text: 'Hello!' }

describe('an answer that code finds wrong', () => {
  it('is explained by the model, which is told the verdict and changes nothing in it', () => {
    const arc = atQuiz()
    arc.say(arc.answerText(false))
    expect(asking(arc, 'explain').input).toMatchObject({ codeVerdict: 'wrong' })
    expect(arc.responses).toEqual([])
    answer(arc, 'explain', { feedback_text: 'You took away where it says to add.' })
    expect(arc.said.some((text) => text.includes('You took away'))).toBe(true)
    expect(arc.responses).toEqual([])
    expect(arc.state.question?.attempt).toBe(2)
    arc.say(arc.answerText(false))
    answer(arc, 'explain', { feedback_text: 'Still taken away.' })
    expect(arc.responses).toMatchObject([{ quality: 1 }])
  })

  it.each(['malformed', 'unavailable', 'refused'] as const)(
    'is told without an explanation where the model is %s, at once and unblocked',
    (fault) => {
      const arc = atQuiz()
      arc.say(arc.answerText(false))
      const { key } = asking(arc, 'explain')
      expect(wantedSteps(arc.arc)).toMatchObject([{ attempts: 1, startToCloseMs: 20_000 }])
      arc.decide({ type: 'no-answer', key, fault, reason: 'of a test', retryAfterMs: null })
      expect(arc.state.blocked).toBeNull()
      expect(arc.state.question?.attempt).toBe(2)
      expect(arc.phrases).toContain('wrong-once')
    },
  )

  it('is not explained by an offline tutor', () => {
    const arc = new SimulatedArc(smallCourse(), { rules: { skipDiagnosis: true } })
    arc.turn()
    for (let n = 0; n < 12; n += 1) arc.say(arc.answerText(false))
    expect(arc.wanted.some((label) => label.startsWith('explain'))).toBe(false)
  })
})

describe('an answer that the model finds wrong', () => {
  const wrong = (feedback_text: string) => ({
    ...{ isAnswer: true, quality: 1, is_correct: false },
    feedback_text,
  })
  /** An arc whose open question only the model can judge. */
  function atPlainWords(): SimulatedArc {
    const arc = atQuiz()
    const { question } = arc.arc
    if (!question) throw new Error('nothing is open')
    const inWords = { key: null, expected: 'counting is the same', solution: 'Count both heaps.' }
    arc.arc = { ...arc.arc, question: { ...question, ...inWords, hints: ['Count them.'] } }
    return arc
  }

  it('is tried again, and whoever grades knows it; words that were dropped give way to a hint', () => {
    const arc = atPlainWords()
    arc.say('no idea at all, honestly')
    expect(asking(arc, 'grade').input).toMatchObject({ secondTry: true })
    answer(arc, 'grade', wrong(''))
    expect(arc.said.at(-2)).toContain('Not right yet')
    expect(arc.said.at(-2)).toContain('Count them.')
    expect(arc.said.every((text) => text.trim() !== '')).toBe(true)
    expect(arc.state.question?.attempt).toBe(2)
  })

  it('is told with answer and solution after the second try', () => {
    const arc = atPlainWords()
    arc.say('no idea at all, honestly')
    answer(arc, 'grade', wrong('Look at the heaps.'))
    expect(arc.said.join()).not.toContain('counting is the same')
    arc.say('still no idea whatsoever')
    expect(asking(arc, 'grade').input).toMatchObject({ secondTry: false })
    const before = arc.said.length
    answer(arc, 'grade', wrong('Something is missing.'))
    const said = arc.said.slice(before).join()
    expect(said).toContain('Something is missing.')
    expect(said).toContain('**Answer:** counting is the same')
    expect(said).toContain('Count both heaps.')
    expect(arc.responses).toMatchObject([{ quality: 1 }])
  })

  it('is not told twice', () => {
    const arc = atPlainWords()
    arc.say('no idea at all, honestly')
    answer(arc, 'grade', wrong('Look at the heaps.'))
    arc.say('still no idea whatsoever')
    const before = arc.said.length
    answer(arc, 'grade', wrong('Wrong: it is that counting is the same.'))
    const said = arc.said.slice(before).join()
    expect(said).not.toContain('**Answer:**')
    expect(said).toContain('Count both heaps.')
  })

  it('is noted, and no more, in a level check', () => {
    const arc = new SimulatedArc(smallCourse(), { tutor: 'anthropic' })
    arc.turn()
    arc.answerSteps()
    const { question } = arc.arc
    expect(arc.state.question?.kind).toBe('diagnostic')
    if (question) arc.arc = { ...arc.arc, question: { ...question, key: null, options: null } }
    arc.say('no idea at all, honestly')
    expect(asking(arc, 'grade').input).toMatchObject({ secondTry: false })
    answer(arc, 'grade', wrong('Wrong: it is something else.'))
    expect(arc.phrases).toContain('noted')
    expect(arc.said.join()).not.toContain('something else')
  })
})

describe('a message that is no answer', () => {
  it('is routed, and nothing of it is stored', () => {
    const arc = atQuiz()
    arc.say('good morning everybody')
    expect(asking(arc, 'grade').input).toMatchObject({ routed: false })
    answer(arc, 'grade', notAnAnswer)
    expect(asking(arc, 'route').input).toMatchObject({ remark: true })
    answer(arc, 'route', { intent: 'off_topic', reason: 'a greeting' })
    expect(arc.phrases).toContain('off-topic')
    expect(arc.phrases).not.toContain('put-again-offer')
    expect(arc.responses).toEqual([])
    expect(arc.state.question?.kind).toBe('quiz')
  })

  it('is not taken for an answer by the coordinator after that', () => {
    const arc = atQuiz()
    arc.say('good morning everybody')
    answer(arc, 'grade', notAnAnswer)
    answer(arc, 'route', { intent: 'answer', reason: 'in doubt' })
    expect(arc.state.asking).toEqual([])
    expect(arc.phrases).toContain('put-again')
    expect(arc.responses).toEqual([])
  })

  it('counts once, whoever finds it to be none: the first is not told that it is none “either”', () => {
    const arc = atQuiz()
    arc.say('good morning everybody')
    answer(arc, 'grade', notAnAnswer)
    answer(arc, 'route', { intent: 'answer', reason: 'in doubt' })
    expect(arc.phrases).not.toContain('put-again-offer')
    arc.say('such fine weather today')
    answer(arc, 'grade', notAnAnswer)
    expect(arc.phrases).toContain('put-again-offer')
  })

  it('is answered in code’s words where the grader’s were dropped', () => {
    const arc = atQuiz()
    arc.say('who made this?')
    answer(arc, 'route', { intent: 'answer', reason: 'in doubt' })
    answer(arc, 'grade', { ...notAnAnswer, feedback_text: '' })
    expect(arc.said.every((text) => text.trim() !== '')).toBe(true)
    expect(arc.state.question?.unread).toBe(1)
  })

  it('is told how to answer the second time, with the ways on', () => {
    const arc = atQuiz()
    arc.say('good morning everybody')
    answer(arc, 'grade', notAnAnswer)
    answer(arc, 'route', { intent: 'off_topic', reason: 'a greeting' })
    const { id } = arc.state.question ?? {}
    arc.say('such fine weather today')
    answer(arc, 'grade', notAnAnswer)
    expect(arc.state.asking).toEqual([])
    expect(arc.said.at(-1)).toMatch(/“skip”.*“show me”/s)
    expect(arc.state.question?.id).toBe(id)
    expect(arc.responses).toEqual([])
  })
})

test('an arc speaks German with who writes German, and says that its course does not', () => {
  const german = (courseId: string | null) => {
    const arc = new SimulatedArc(smallCourse(), { tutor: 'anthropic' })
    const { language: _, ...rules } = arc.arc.rules
    arc.arc = { ...arc.arc, topic: 'Lineare Gleichungen lösen', courseId, rules }
    arc.turn()
    return arc
  }
  expect(german(null).said[0]).toMatch(/^Willkommen! .*Lineare Gleichungen/)
  expect(german(null).said[0]).not.toContain('auf Englisch')
  expect(german('small').said[0]).toContain('auf Englisch')
})

test('the language is found in messages too, unless the learner has set one', () => {
  const arc = atQuiz()
  const set = arc.arc.rules.language
  expect(set).toBe('en')
  arc.say('mein Bruder hat das in der Schule anders gemacht')
  expect(arc.said.at(-1)).not.toContain('Frage')
  const { language: _, ...rules } = arc.arc.rules
  arc.arc = { ...arc.arc, rules }
  answer(arc, 'grade', notAnAnswer)
  answer(arc, 'route', { intent: 'off_topic', reason: 'a wish' })
  expect(arc.said.at(-1)).toContain('Die Frage ist noch offen')
})

it.each([['ich verstehe das nicht'], ['noch ein Beispiel bitte']])(
  'the title of a course tells nothing of its learner: “%s” is heard as German at once',
  (words) => {
    const arc = new SimulatedArc(smallCourse(), { rules: { skipDiagnosis: true } })
    const { language: _, ...rules } = arc.arc.rules
    arc.arc = { ...arc.arc, topic: 'Algebra basics for beginners', rules }
    arc.turn()
    arc.say(words)
    expect(arc.state.language).toBe('de')
    expect(arc.said.at(-1)).toContain('Die Frage ist noch offen')
  },
)

describe('the language of a learner who has set none', () => {
  /** A German learner's arc with a question open. */
  function german(tutor: 'anthropic' | 'offline' = 'anthropic'): SimulatedArc {
    const arc = tutor === 'anthropic' ? atQuiz() : new SimulatedArc(smallCourse(), { tutor })
    if (tutor === 'offline') arc.turn()
    const { language: _, ...rules } = arc.arc.rules
    arc.arc = { ...arc.arc, rules, state: { ...arc.state, language: 'de' } }
    return arc
  }
  const hear = (arc: SimulatedArc, text: string) => {
    arc.say(text)
    for (let step = arc.state.asking[0]; step; step = arc.state.asking[0]) {
      if (step.kind === 'grade') answer(arc, 'grade', { ...notAnAnswer, feedback_text: '' })
      else if (step.kind === 'route') answer(arc, 'route', { intent: 'off_topic', reason: 'test' })
      else if (step.kind === 'help') answer(arc, 'help', { text: 'so' })
      else return
    }
  }

  it.each([
    ...['explain again', 'give me another example please', 'I already know this already'],
    ...['can you explain that again', 'skip this concept', 'could you explain that again please'],
    ...['good morning', 'thank you very much', 'linear equations', 'teach me linear equations'],
    ...['multiply the first number by the second', 'because the denominator stays the same'],
  ])('stays, whatever is asked for or answered in another one: %s', (text) => {
    const arc = german()
    hear(arc, text)
    expect(arc.state.language).toBe('de')
  })

  it.each(['anthropic', 'offline'] as const)(
    'changes with a whole sentence in another one (%s)',
    (tutor) => {
      for (const text of [
        'I would rather like to go on in English from here.',
        'Why does the denominator stay the same in this case?',
      ]) {
        const arc = german(tutor)
        hear(arc, text)
        expect(arc.state.language).toBe('en')
      }
    },
  )

  it('changes with two messages in a row, and not with one between others', () => {
    const arc = german()
    hear(arc, 'multiply the first number by the second')
    hear(arc, 'weil die Reihenfolge beim Addieren egal ist')
    hear(arc, 'because the denominator stays the same')
    expect(arc.state.language).toBe('de')
    hear(arc, 'multiply the first number by the second')
    expect(arc.state.language).toBe('en')
    hear(arc, 'weil die Reihenfolge beim Addieren egal ist')
    expect(arc.state.language).toBe('en')
  })
})

describe('a quiz that is passed with help', () => {
  /** Passes the quiz; the first question after a hint, whose answer counts 3. */
  function passed(hinted: boolean): SimulatedArc {
    const arc = atQuiz()
    for (let asked = 0; asked < 3; asked += 1) {
      if (hinted && asked === 0) arc.say('hint')
      arc.say(arc.answerText())
    }
    expect(arc.phrases).toContain('cycle-passed')
    return arc
  }
  const feedback = {
    error_patterns: [],
    feedback_text: 'The first one took a hint: count on from the larger number.',
    improvement_areas: [],
    facts_to_remember: ['Counts on fingers.'],
  }

  it('is looked at for what was missed, and the arc goes on', () => {
    const arc = passed(true)
    expect(asking(arc, 'feedback').input).toMatchObject({ passed: true, cycle: 1 })
    answer(arc, 'feedback', feedback)
    expect(arc.said.some((text) => text.includes('took a hint'))).toBe(true)
    expect(arc.effects).toContainEqual({
      type: 'remember',
      source: 'feedback',
      facts: ['Counts on fingers.'],
    })
    expect(asking(arc, 'lesson')).toBeTruthy()
  })

  it('goes on without that where the model is away', () => {
    const arc = passed(true)
    const { key } = asking(arc, 'feedback')
    const fault = 'unavailable' as const
    arc.decide({ type: 'no-answer', key, fault, reason: 'of a test', retryAfterMs: null })
    expect(arc.state.blocked).toBeNull()
    expect(asking(arc, 'lesson')).toBeTruthy()
  })

  it('is not looked at where nothing was missed', () => {
    expect(asking(passed(false), 'lesson')).toBeTruthy()
  })
})

describe('a grade of code that is contested', () => {
  it('stands where the answer was right: no model is asked whether it was', () => {
    const arc = atQuiz()
    arc.say(arc.answerText())
    expect(arc.responses).toMatchObject([{ quality: 5 }])
    const heard = arc.phrases.length
    arc.say('contest')
    expect(arc.state.asking.filter(({ kind }) => kind === 'grade')).toEqual([])
    expect(arc.phrases.slice(heard)).toContain('contest-right')
    expect(arc.regraded).toEqual([])
  })

  it.each([0, 1, 2])('is never lowered by a model that finds it worse: %i', (quality) => {
    const arc = atQuiz()
    // Close twice: it counts 2.
    const key = Number(arc.answerText())
    arc.say(String(-key))
    arc.answerSteps()
    arc.say(String(-key))
    arc.answerSteps()
    const [{ quality: before = 0 } = {}] = arc.responses
    expect(before).toBe(2)
    // What code cannot read any more, as after a change of its rules, the model looks at.
    if (arc.state.lastGrade) arc.state.lastGrade.answer = 'somewhere near it'
    arc.say('contest')
    answer(arc, 'grade', { isAnswer: true, quality, is_correct: false, feedback_text: 'Worse.' })
    expect(arc.regraded).toEqual([])
    expect(arc.phrases).toContain('contest-kept-by-model')
  })
})

describe('a verdict that can be contested is marked as one', () => {
  const marked = (arc: ReturnType<typeof atQuiz>, words: string) => {
    const heard = arc.effects.length
    arc.say(words)
    arc.answerSteps()
    const said = arc.effects.slice(heard).filter((effect) => effect.type === 'say')
    return said.filter(({ card }) => card?.type === 'CONTESTABLE').length
  }

  it('once, under an answer that is wrong, close, or wrong again', () => {
    const arc = atQuiz()
    expect(marked(arc, '987654')).toBe(1)
    expect(marked(arc, '987653')).toBe(1)
  })

  it.each(['show me the solution', 'I don’t know', 'skip', 'hint', 'why?', 'thanks'])(
    'not after “%s”',
    (words) => {
      expect(marked(atQuiz(), words)).toBe(0)
    },
  )

  it('not under an answer that is right', () => {
    const arc = atQuiz()
    expect(marked(arc, arc.answerText())).toBe(0)
  })
})

it('what was shown instead of answered is no grade to contest, and what a model wrote can be written again', () => {
  const arc = atQuiz()
  arc.say('show me the solution')
  const heard = arc.phrases.length
  arc.say('contest')
  expect(arc.phrases.slice(heard)).toContain('contest-none')
  expect(arc.state.asking.filter(({ kind }) => kind === 'grade')).toEqual([])
  const cards = arc.effects.flatMap((effect) => (effect.type === 'say' ? [effect.card] : []))
  expect(cards.filter((card) => card?.type === 'WRITTEN')).toHaveLength(1)
})
