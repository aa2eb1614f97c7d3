import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Course } from '../../../src/contracts/course-pack.ts'
import { loadCourse } from '../../../src/courses/load.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'

let course: Course

beforeAll(async () => {
  course = await loadCourse(path.resolve('courses/algebra-basics'))
})

const begun = () => {
  const arc = new SimulatedArc(course, { rules: { skipDiagnosis: true } })
  arc.turn()
  return arc
}

/** Answers rightly until a question is as wanted. */
function until(arc: SimulatedArc, isWanted: (arc: SimulatedArc) => boolean): SimulatedArc {
  for (let guard = 0; guard < 500; guard += 1) {
    if (arc.state.question && isWanted(arc)) return arc
    if (arc.state.question?.kind === 'choice') arc.say('go_on')
    else if (arc.state.question) arc.say(arc.answerText())
    else arc.sleep()
  }
  throw new Error('no such question came')
}

const isQuiz = ({ state }: SimulatedArc) => state.question?.kind === 'quiz'
const isWritten = (arc: SimulatedArc) => arc.arc.question?.format === 'short_answer'
const act = (arc: SimulatedArc, action: string, nodeId: string | null = null) =>
  arc.say('', { action, nodeId })
const newSaid = (arc: SimulatedArc, act: () => unknown): string => {
  const heard = arc.said.length
  act()
  return arc.said.slice(heard).join('\n')
}

describe('a first wrong answer', () => {
  it('that was foreseen is met by what is so, and asked again under another id', () => {
    const arc = until(begun(), (each) => {
      const { question } = each.arc
      return (
        isQuiz(each) && isWritten(each) && (question?.mistakes ?? []).some(({ instead }) => instead)
      )
    })
    const first = arc.state.question
    const graded = arc.responses.length
    const mistake = arc.arc.question?.mistakes.find(({ instead }) => instead)
    const said = newSaid(arc, () => arc.say(`I got ${mistake?.answer}`))
    expect(said).toContain(mistake?.instead)
    expect(arc.state.question).toMatchObject({ kind: 'quiz', attempt: 2, nodeId: first?.nodeId })
    expect(arc.state.question?.id).not.toBe(first?.id)
    expect(arc.responses).toHaveLength(graded)
    arc.say(arc.answerText())
    expect(arc.responses.slice(graded)).toMatchObject([{ quality: 3 }])
  })

  it('that is another one brings the first hint, and a second one the solution and one row', () => {
    const arc = until(begun(), (each) => isQuiz(each) && isWritten(each))
    const { hints = [], solution } = arc.arc.question ?? {}
    const graded = arc.responses.length
    expect(newSaid(arc, () => arc.say('-987654'))).toContain(hints[0])
    expect(newSaid(arc, () => arc.say('-987655'))).toContain(solution)
    expect(arc.responses.slice(graded)).toMatchObject([{ quality: 1 }])
    const responded = arc.effects.filter(({ type }) => type === 'respond')
    expect(responded.at(-1)).toMatchObject({ attempt: 2 })
  })

  it('sent twice under its question’s id does not use the second try up', () => {
    const arc = until(begun(), (each) => isQuiz(each) && isWritten(each))
    const questionId = arc.state.question?.id
    const graded = arc.responses.length
    arc.say('-987654', { questionId })
    const second = arc.state.question?.id
    arc.say('-987654', { questionId })
    expect(arc.state.question).toMatchObject({ id: second, attempt: 2 })
    expect(arc.responses).toHaveLength(graded)
  })

  it('of a choice closes the option that was tried', () => {
    const options = (arc: SimulatedArc) => arc.arc.question?.options ?? []
    const arc = until(begun(), (each) => isQuiz(each) && options(each).length >= 4)
    const wrong = arc.answerText(false)
    const tried = options(arc).find(({ id }) => id === wrong)?.text
    const before = options(arc).length
    arc.say(wrong)
    expect(arc.state.question?.attempt).toBe(2)
    expect(options(arc)).toHaveLength(before - 1)
    expect(options(arc).map(({ text }) => text)).not.toContain(tried)
    expect(options(arc).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'].slice(0, before - 1))
    arc.say(arc.answerText())
    expect(arc.responses.at(-1)).toMatchObject({ quality: 3 })
  })

  it('may be contested while the second try is open: what is right counts in full', () => {
    const arc = until(begun(), (each) => isQuiz(each) && isWritten(each))
    arc.say('-987654')
    const kept = newSaid(arc, () => arc.say('contest'))
    expect(kept).toContain('987654')
    expect(arc.state.question?.attempt).toBe(2)
  })
})

describe('a first choice that is contested while the second try is open', () => {
  const isChoice = (arc: SimulatedArc) => isQuiz(arc) && arc.arc.question?.options?.length === 4
  const wrongOptions = (arc: SimulatedArc) => {
    const { key, options } = arc.arc.question ?? {}
    return (options ?? []).filter(({ id }) => key?.type === 'choice' && key.correct !== id)
  }

  it.each([
    ...[0, 1, 2].map((place) => [place, 'letter'] as const),
    ...[0, 1, 2].map((place) => [place, 'words'] as const),
  ])(
    'is the option that was closed, however the others are lettered now: %i by its %s',
    (place, by) => {
      const arc = until(begun(), isChoice)
      const option = wrongOptions(arc)[place]
      arc.say((by === 'letter' ? option?.id : option?.text) ?? '')
      expect(arc.state.question?.attempt).toBe(2)
      const { responses } = arc
      const said = newSaid(arc, () => arc.say('I disagree'))
      expect(said).toContain(`understood **${option?.text}**`)
      expect(arc.state.question?.attempt).toBe(2)
      expect(arc.responses).toHaveLength(responses.length)
    },
  )
})

describe('a check question that was closed as wrong', () => {
  const isCheck = (arc: SimulatedArc) =>
    arc.state.question?.kind === 'teach' && arc.state.question.purpose === 'plain' && isWritten(arc)

  it('may be contested: how it was read is said, once', () => {
    const arc = until(begun(), isCheck)
    arc.say('-987654')
    arc.say('-987653')
    expect(arc.state.question?.purpose).not.toBe('plain')
    const said = newSaid(arc, () => arc.say('contest'))
    expect(said).toContain('987653')
    expect(newSaid(arc, () => arc.say('contest'))).toContain('no grade that could be contested')
  })

  it('is right after all: the easier one is not needed', () => {
    const arc = until(begun(), isCheck)
    const { question } = arc.arc
    const right = arc.answerText()
    arc.say('-987654')
    arc.say('-987653')
    expect(arc.state.question?.purpose).toBe('easier')
    const { lastCheck } = arc.state
    if (!lastCheck || !question) throw new Error('nothing to contest')
    // As if a wider reading had come to be known since.
    lastCheck.answer = right
    const said = newSaid(arc, () => arc.say('I was right'))
    expect(said).toContain('correct')
    expect(arc.state.question?.kind).toBe('quiz')
    expect(arc.responses).toHaveLength(0)
  })

  it('is not kept where it was given up', () => {
    const arc = until(begun(), isCheck)
    arc.say('show me')
    expect(newSaid(arc, () => arc.say('contest'))).toContain('no grade that could be contested')
  })
})

it('an option that is closed is not called unreadable', () => {
  const arc = until(begun(), (each) => isQuiz(each) && each.arc.question?.options?.length === 4)
  const { key, options = [] } = arc.arc.question ?? {}
  const wrong = options?.find(({ id }) => key?.type === 'choice' && key.correct !== id)?.text ?? ''
  arc.say(wrong)
  expect(newSaid(arc, () => arc.say(wrong))).toContain('you have tried')
  expect(newSaid(arc, () => arc.say(wrong.replaceAll('$', '')))).toContain('you have tried')
  expect(arc.state.question).toMatchObject({ attempt: 2, unread: 0 })
})

describe('the order of options', () => {
  it('is drawn at every asking, and the key goes with it', () => {
    const places = new Set<string>()
    const arc = begun()
    for (let asked = 0; asked < 60; asked += 1) {
      const { key } = arc.arc.question ?? {}
      if (key?.type === 'choice') places.add(key.correct)
      if (arc.state.question?.kind === 'choice') arc.say('go_on')
      else if (arc.state.question) arc.say(arc.answerText())
      else arc.sleep()
    }
    expect(places.size).toBeGreaterThan(1)
    expect(arc.responses.every(({ quality }) => quality === 5)).toBe(true)
  })
})

describe('a check question', () => {
  it('that stays wrong is followed by an easier one, and then by the quiz whatever the answer', () => {
    const arc = until(begun(), (each) => each.state.question?.kind === 'teach' && isWritten(each))
    arc.say('-987654')
    arc.say('-987655')
    expect(arc.state.question).toMatchObject({ kind: 'teach', purpose: 'easier', attempt: 1 })
    arc.say(arc.answerText(false))
    expect(arc.state.question).toMatchObject({ kind: 'quiz' })
    expect(arc.responses).toEqual([])
  })

  it('that is skipped leads to the quiz; the concept stays', () => {
    const arc = until(begun(), (each) => each.state.question?.kind === 'teach')
    const { nodeId } = arc.state.question ?? {}
    act(arc, 'skip')
    expect(arc.state.question).toMatchObject({ kind: 'quiz', nodeId })
  })
})

describe('a sitting', () => {
  /** The offer to stop, with a quiz under way. */
  const offered = () => {
    const arc = begun()
    for (let guard = 0; guard < 100; guard += 1) {
      if (arc.state.question?.kind === 'choice') return arc
      arc.say(arc.answerText())
    }
    throw new Error('nothing was offered')
  }

  it('asks after the tenth quiz question, with the options go_on and stop', () => {
    const arc = offered()
    expect(arc.responses).toHaveLength(10)
    expect(arc.arc.question?.options?.map(({ id }) => id)).toEqual(['go_on', 'stop'])
    const quizzed = arc.state.lesson?.quiz?.asked
    arc.say('go on')
    expect(arc.state.question).toMatchObject({ kind: 'quiz' })
    expect(arc.state.lesson?.quiz?.asked).toBe((quizzed ?? 0) + 1)
  })

  it.each(['stop', 'enough', 'b', 'Enough for now'])(
    'waits without a question after “%s”, until anything is said',
    (words) => {
      const arc = offered()
      arc.say(words)
      expect(arc.state.question).toBeNull()
      expect(arc.state.sitting.resting).toBe(true)
      arc.say('hello')
      expect(arc.state.question).toMatchObject({ kind: 'quiz' })
    },
  )

  it.each(['show me', 'hint', 'skip'])('“%s” goes on: there is nothing to say it of', (words) => {
    const arc = offered()
    const said = newSaid(arc, () => arc.say(words))
    expect(said).not.toMatch(/Nothing is open/)
    expect(arc.state.question?.kind).toMatch(/teach|quiz|review/)
  })

  it('gives way to a due review, and goes on at the same place after it', () => {
    const arc = offered()
    const inHand = arc.state.lesson?.nodeId
    arc.sleep()
    expect(arc.state.question).toMatchObject({ kind: 'review' })
    until(
      arc,
      (each) => each.state.question?.kind !== 'review' && each.state.question?.kind !== 'choice',
    )
    expect(arc.state.lesson?.nodeId).toBe(inHand)
  })
})

describe('what the learner wishes', () => {
  it('“I know this” brings the quiz without a lesson, once a sitting; passed, it is as after a check', () => {
    const arc = until(begun(), (each) => each.state.question?.kind === 'teach')
    const { nodeId } = arc.state.question ?? {}
    arc.say('too easy')
    for (let asked = 0; asked < 3; asked += 1) {
      expect(arc.state.question).toMatchObject({ kind: 'quiz', nodeId })
      arc.say(arc.answerText())
    }
    const node = arc.arc.map.nodes.find(({ id }) => id === nodeId)
    expect(node).toMatchObject({ masteryStatus: 'reviewing', repetitions: 2, intervalDays: 6 })
    const next = arc.state.question?.nodeId
    act(arc, 'know_this')
    for (let asked = 0; asked < 3; asked += 1) {
      arc.say(arc.answerText(false))
      if (arc.state.question?.attempt === 2) arc.say(arc.answerText(false))
    }
    expect(arc.state.question).toMatchObject({ kind: 'teach', nodeId: next })
    expect(newSaid(arc, () => act(arc, 'know_this'))).toContain('have tried')
    expect(arc.state.question?.kind).toBe('teach')
  })

  it('“I know this” in the middle of a quiz leaves the quiz as it is: it is the proof', () => {
    const arc = until(begun(), (each) => each.state.question?.kind === 'quiz')
    arc.say(arc.answerText())
    const { question } = arc.state
    expect(newSaid(arc, () => arc.say('too easy'))).toContain('are the proof')
    expect(arc.state.question).toMatchObject({ id: question?.id, attempt: 1, first: null })
  })

  it('“teach me …” names what comes before, and asked again begins', () => {
    const arc = begun()
    expect(newSaid(arc, () => arc.say('teach me parabolas'))).toContain('Straight-line graphs')
    expect(arc.state.question?.label).not.toBe('Parabolas')
    arc.say('teach me parabolas')
    expect(arc.state.question).toMatchObject({ kind: 'teach', label: 'Parabolas' })
  })

  it('a concept that is set aside comes back when it is asked for', () => {
    const arc = begun()
    const { nodeId, label } = arc.state.question ?? {}
    act(arc, 'skip_concept')
    expect(arc.arc.map.nodes.find(({ id }) => id === nodeId)?.metadata.skipped).toBe(true)
    arc.say(`teach me ${label}`)
    expect(arc.state.question).toMatchObject({ kind: 'teach', nodeId })
    expect(arc.arc.map.nodes.find(({ id }) => id === nodeId)?.metadata.skipped).toBeUndefined()
  })

  it('the last one is not said to come back: with it the topic ends', () => {
    const arc = begun()
    const said: string[] = []
    while (arc.state.phase !== 'COMPLETED') {
      said.push(newSaid(arc, () => act(arc, 'skip_concept')))
    }
    expect(said.slice(0, -1).every((each) => each.includes('want it back'))).toBe(true)
    expect(said.at(-1)).not.toContain('want it back')
  })

  it('“test me again” probes what is not begun, and comes back by the plan', () => {
    const arc = until(
      begun(),
      (each) => each.state.question?.kind === 'teach' && each.responses.length > 0,
    )
    const inReview = arc.arc.map.nodes.filter(({ masteryStatus }) => masteryStatus === 'reviewing')
    arc.say('test me again')
    expect(arc.state).toMatchObject({ phase: 'DIAGNOSING', question: { kind: 'diagnostic' } })
    until(arc, (each) => each.state.question?.kind !== 'diagnostic')
    for (const { id } of inReview) {
      const node = arc.arc.map.nodes.find((each) => each.id === id)
      expect(node?.masteryStatus).toBe('reviewing')
    }
    expect(arc.arc.map.nodes.some(({ metadata }) => metadata.placed)).toBe(true)
  })
})

describe('placement', () => {
  it('one check that fails takes the place from what depends on it, and brings the lesson', () => {
    const arc = new SimulatedArc(course)
    arc.turn()
    while (arc.state.question?.kind === 'diagnostic') arc.say(arc.answerText())
    expect(arc.state.question).toMatchObject({ kind: 'review', purpose: 'placed' })
    const { nodeId } = arc.state.question ?? {}
    const before = arc.arc.map.nodes.filter(({ metadata }) => metadata.placed).length
    arc.say(arc.answerText(false))
    if (arc.state.question?.attempt === 2) arc.say(arc.answerText(false))
    const node = arc.arc.map.nodes.find(({ id }) => id === nodeId)
    expect(node?.masteryStatus).toBe('learning')
    expect(arc.arc.map.nodes.filter(({ metadata }) => metadata.placed).length).toBeLessThan(
      before - 1,
    )
    expect(arc.state.question).toMatchObject({ kind: 'teach', nodeId })
  })

  it('is of no account where every prerequisite has to be mastered', () => {
    const arc = new SimulatedArc(course, { rules: { unlockAt: 'mastered' } })
    arc.turn()
    while (arc.state.question?.kind === 'diagnostic') arc.say(arc.answerText())
    expect(arc.arc.map.nodes.some(({ metadata }) => metadata.placed)).toBe(false)
    expect(arc.state.question?.kind).toBe('teach')
  })

  it('places nothing where the check was broken off', () => {
    const arc = new SimulatedArc(course)
    arc.turn()
    arc.say(arc.answerText())
    arc.say('skip')
    expect(arc.arc.map.nodes.some(({ metadata }) => metadata.placed)).toBe(false)
    expect(arc.state.question).toMatchObject({ kind: 'teach' })
  })
})
