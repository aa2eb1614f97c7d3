import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Course } from '../../../src/contracts/course-pack.ts'
import { loadCourse } from '../../../src/courses/load.ts'
import { DISTRESS } from '../../../src/tutor/distress.ts'
import { DISTRESSED, LEAVES } from '../../support/ordinary-words.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'

let course: Course

beforeAll(async () => {
  course = await loadCourse(path.resolve('courses/algebra-basics'))
})

/** What people say to a tutor that is no answer, collected from help forums and chats with tutors. */
const NO_ANSWERS = [
  ...["I don't get it", 'i dont understand', 'explain again', 'can you explain that again?'],
  ...['huh?', 'what do you mean?', 'im confused', 'this is too hard', 'why?', 'wait why', 'how?'],
  ...['another example please', 'can you give me an example?', 'show me another example'],
  ...['what is a variable?', 'why do we subtract on both sides?', 'how do brackets work?'],
  ...['what does coefficient mean?', 'can i use a calculator?', 'is it ok to guess?'],
  ...['do I need to simplify?', 'what is the difference between an expression and an equation?'],
  ...['hello', 'hi there', 'good morning', 'thanks!', 'thank you', 'ok', 'got it', 'cool'],
  ...['lol', 'sorry', 'im tired', 'this is stupid', 'i hate maths', 'you suck', 'ugh'],
  ...['hint', 'give me a hint', "I'm stuck", 'help', 'where do I start?', 'what can I say?'],
  ...['plan', "what's next?", 'how long will this take?', 'are you a robot?', 'who are you?'],
  ...['too easy', 'I already know this', 'boring', 'test me again', 'teach me parabolas'],
  ...['my dog ate my homework', 'the weather is nice today', 'asdfghjkl', 'zzz', '???'],
  ...['explain agian', 'i dont udnerstand', 'nah', 'ugh im tired', 'im bored lol', 'do i have to'],
  ...['erklär das nochmal', 'ich verstehe das nicht', 'noch ein Beispiel bitte', 'danke', 'warum?'],
]

const KINDS = ['diagnostic', 'teach', 'quiz', 'review'] as const

/** An offline arc with a question of that kind open. */
function at(kind: (typeof KINDS)[number]): SimulatedArc {
  const arc = new SimulatedArc(course, { rules: { skipDiagnosis: kind !== 'diagnostic' } })
  arc.turn()
  while (arc.state.question?.kind !== kind) {
    if (arc.state.question) arc.say(arc.answerText())
    else arc.sleep()
  }
  return arc
}

describe.each(KINDS)('beside an open %s question', (kind) => {
  it.each(NO_ANSWERS)('“%s” is graded by nobody and gets a reply', (words) => {
    const arc = at(kind)
    const { responses } = arc
    const [graded, heard] = [responses.length, arc.said.length]
    const before = arc.asked.filter(({ quality }) => quality !== null).length
    arc.say(words)
    expect(arc.responses).toHaveLength(graded)
    expect(arc.asked.filter(({ quality }) => quality !== null)).toHaveLength(before)
    const replies = arc.said.slice(heard)
    expect(replies.join('').trim()).not.toBe('')
    expect(arc.waiting).toEqual([])
    expect(arc.state.question ?? arc.state.asking[0] ?? null).not.toBeNull()
  })
})

it('says in the level check that answers are the proof, and in a quiz without a lesson, too', () => {
  const checked = at('diagnostic')
  checked.say('i know this already')
  expect(checked.phrases).toContain('know-in-check')
  const taught = at('teach')
  taught.say('i know this')
  expect(taught.state.question?.kind).toBe('quiz')
  taught.say('this is too easy')
  expect(taught.phrases).toContain('know-in-quiz')
  expect(taught.phrases).not.toContain('know-tried')
})

it('begins the concept in hand anew for who asks for it by name, whatever it builds on', () => {
  const arc = at('teach')
  const later = arc.arc.map.nodes.find(({ label }) => label === 'Linear equations')
  arc.say('teach me linear equations')
  expect(arc.phrases).toContain('teach-missing')
  arc.say('teach me linear equations')
  expect(arc.state.lesson?.nodeId).toBe(later?.id)
  const asked = arc.phrases.filter((phrase) => phrase === 'teach-missing').length
  arc.say('teach me linear equations')
  expect(arc.phrases.filter((phrase) => phrase === 'teach-missing')).toHaveLength(asked)
  expect(arc.state.lesson?.nodeId).toBe(later?.id)
})

it('says what else there is to do', () => {
  const arc = at('quiz')
  arc.say('can we do something else?')
  expect(arc.said.join('\n')).toContain('Say “practice” for exercises')
})

describe.each(KINDS)('beside an open %s question', (kind) => {
  it('a question about the learning is answered from what is known of the way', () => {
    const asked: [string, RegExp][] = [
      ['will this take long?', kind === 'diagnostic' ? /level check/u : /left|reviews/u],
      ['is this going to be in the exam?', /whoever sets it/u],
      ['what do i need this for?', kind === 'diagnostic' ? /builds on it/u : /leads to \*\*/u],
      ['is this hard?', /small steps/u],
      ['can i come back tomorrow?', /keep your place/u],
      ['does this count?', /Nobody gives marks/u],
      ['can i use a calculator?', /Pen and paper/u],
    ]
    const arc = at(kind)
    const [graded, open] = [arc.responses.length, arc.state.question?.id]
    for (const [words, reply] of asked) {
      const heard = arc.said.length
      arc.say(words)
      expect(arc.said.slice(heard).join('\n'), words).toMatch(reply)
    }
    expect(arc.responses).toHaveLength(graded)
    expect(arc.state.question?.id).toBe(open)
  })

  it('is recalled once, and again after a break', () => {
    const arc = at(kind)
    const recalled = (...messages: string[]) => {
      const heard = arc.phrases.length
      for (const words of messages) arc.say(words)
      return arc.phrases.slice(heard).filter((phrase) => phrase === 'open-question')
    }
    expect(recalled('thanks', 'how long will this take?', 'ok', 'hello')).toHaveLength(1)
    expect(recalled('pause', 'go on', 'thanks')).toHaveLength(1)
  })
})

it('what is left of a quiz and of the course is told as it is', () => {
  const arc = at('quiz')
  const minutes = arc.arc.map.nodes
    .filter(({ metadata }) => !metadata.optional)
    .reduce((total, { effortMinutes }) => total + effortMinutes, 0)
  const heard = arc.said.length
  arc.say('how long will this take?')
  const said = arc.said.slice(heard).join('\n')
  expect(said).toContain('3 questions on')
  expect(said).toContain(`about ${Math.round(minutes / 60)} hours`)
})

it.each([
  ...['skip', 'skip the level check', 'Skip level check please', 'skip the test', 'skip all of it'],
  ...['überspringen', 'Test überspringen'],
])('“%s” ends the level check, and the plan follows', (words) => {
  const arc = at('diagnostic')
  arc.say(words)
  expect(arc.state.phase).toBe('TEACHING')
})

it.each(['skip this question', 'next question please', 'pass', 'nächste Frage'])(
  '“%s” passes over one question of the level check',
  (words) => {
    const arc = at('diagnostic')
    const { question } = arc.state
    arc.say(words)
    expect(arc.state.phase).toBe('DIAGNOSING')
    expect(arc.state.question?.id).not.toBe(question?.id)
  },
)

it('nothing of a lesson is told in a level check, nor offered what it does not have', () => {
  const arc = at('diagnostic')
  const said = [
    ...['why?', "I don't get it", 'explain again', 'an example please', 'show me the method'],
    ...['the weather is nice', 'asdfghjkl', 'zzz', 'my dog ate it'],
  ].map((words) => {
    const heard = arc.said.length
    arc.say(words)
    return arc.said.slice(heard).join('\n\n')
  })
  for (const [index, reply] of said.entries()) {
    expect(reply).not.toMatch(/in short|“hint”|show me|pass over/u)
    expect(reply).not.toBe(said[index - 1])
  }
  expect(arc.state.phase).toBe('DIAGNOSING')
})

describe.each(KINDS)('beside an open %s question', (kind) => {
  it.each(LEAVES)('“%s” is a leave: nothing is graded, and the place is kept', (words) => {
    const arc = at(kind)
    const [graded, { question }] = [arc.responses.length, arc.state]
    arc.say(words)
    expect(arc.state.paused).toBe(true)
    expect(arc.state.question).toEqual(question)
    expect(arc.responses).toHaveLength(graded)
  })
})

it.each(KINDS)('beside an open %s question somebody in need is told whom to talk to', (kind) => {
  for (const words of DISTRESSED) {
    const arc = at(kind)
    const [heard, graded, { question }] = [arc.said.length, arc.responses.length, arc.state]
    arc.say(words)
    expect(Object.values(DISTRESS), words).toContain(arc.said.slice(heard).join('\n'))
    expect(arc.state.question, words).toEqual(question)
    expect(arc.responses).toHaveLength(graded)
  }
})

it('what is said twice is not answered twice with the same block', () => {
  for (const words of ["I don't get it", 'another example', 'explain again']) {
    const arc = at('teach')
    const replies = [1, 2, 3].map(() => {
      const heard = arc.said.length
      arc.say(words)
      return arc.said.slice(heard).find((text) => text !== 'The question is still open.')
    })
    expect(new Set(replies).size, words).toBe(3)
  }
})

it('a question is answered with the passage that fits it', () => {
  const arc = at('teach')
  while (arc.state.question?.label !== 'Linear equations') {
    if (arc.state.question) arc.say(arc.answerText())
    else arc.sleep()
  }
  const ask = (words: string) => {
    const heard = arc.said.length
    arc.say(words)
    return arc.said.slice(heard).join('\n')
  }
  expect(ask('why must I check my answer?')).toMatch(/check|put your answer back/i)
  expect(ask('what if the coefficient is negative?')).toMatch(/coefficient/i)
  expect(ask('what is a parabola?')).toMatch(/parabola/i)
})

const HEDGED: [string, (right: string) => string][] = [
  ['its … i guess', (right) => `its ${right} i guess`],
  ['I think it is …?', (right) => `I think it's ${right}?`],
  ['… I guess', (right) => `${right} I guess`],
  ['maybe …?', (right) => `maybe ${right}?`],
]

it.each(HEDGED)('an answer with a hedge is an answer: %s', (_, hedge) => {
  const arc = at('quiz')
  while (arc.arc.question?.key?.type !== 'number') arc.say(arc.answerText())
  const before = arc.responses.length
  arc.say(hedge(arc.arc.question?.expected ?? ''))
  expect(arc.responses.slice(before)).toMatchObject([{ quality: 5 }])
})

it.each(['ugh im tired', 'nah', 'do i have to', 'keine Lust'])(
  '“%s” is offered a break, not told that it could not be read',
  (words) => {
    const arc = at('quiz')
    const heard = arc.said.length
    arc.say(words)
    expect(arc.said.slice(heard).join(' ')).toMatch(/“pause”|„Pause“/)
  },
)

it('what says nothing of the course is answered with no passage of it', () => {
  const arc = at('teach')
  for (const words of [
    ...['what did I get wrong?', 'when is the next review?', 'what is the weather today?'],
    ...['how many questions are left?', 'why was that wrong?', 'can i go back?', 'is it late?'],
    ...['could you explain it more simply please?', 'who won the world cup?'],
  ]) {
    const heard = arc.said.length
    arc.say(words)
    const reply = arc.said.slice(heard).join('\n')
    for (const { lesson } of course.units) {
      const passages = lesson.split(/\n\s*\n/).filter((text) => text.length > 20)
      expect(
        passages.filter((text) => reply.includes(text)),
        words,
      ).toEqual([])
    }
    expect(reply, words).not.toContain('That belongs to')
  }
  const heard = arc.said.length
  arc.say('what is the weather today?')
  expect(arc.said[heard]).toMatch(/^I found nothing about that in the course \*Algebra/)
})

it('hints that are used up are followed by something else each time', () => {
  const arc = at('teach')
  const hints = arc.arc.question?.hints.length ?? 0
  const replies = Array.from({ length: hints + 4 }, () => {
    const heard = arc.said.length
    arc.say('hint')
    return arc.said.slice(heard).find((text) => text !== 'The question is still open.')
  })
  expect(new Set(replies).size).toBe(hints + 4)
})
