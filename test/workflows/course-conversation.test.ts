import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CourseWorld,
  createCourseWorld,
  newStudent,
  type Student,
} from '../support/course-world.ts'
import { LEAVES } from '../support/ordinary-words.ts'

let world: CourseWorld
let student: Student

beforeAll(async () => {
  world = await createCourseWorld()
})
afterAll(() => world.stop())

const start = async () => {
  student = await newStudent(world.api)
}
const say = async (text: string) => {
  const { status, body } = await student.say(text)
  expect(status, JSON.stringify(body)).toBe(200)
  const message = body.messages.at(-1)
  if (!message) throw new Error('nothing was said')
  const debug = await student.get<{ fallback: boolean; validation: object }>('debug')
  expect(debug.body.fallback, JSON.stringify(debug.body.validation)).toBe(false)
  return message
}
const EXERCISE = /Here is a short exercise/

/** What the tutor asked last, and the two options where it was a choice. */
const optionsOf = (text: string) => /\n\na\) (.+)\n\nb\) (.+)\n\n/.exec(text)?.slice(1) ?? null

describe('the course tutor without a model', () => {
  it('answers a question with what the course says to it, before it goes on', async () => {
    await start()
    const { text, card } = await say('How do I solve 3x+5=20?')
    expect(card).toBeUndefined()
    expect(text).toContain('**Worked example.**')
    expect(text).toMatch(/3x \+ 5 = 20|2x|both sides/)
    expect(text).toContain('comes before that.')
    const again = await say('But why is it the same on both sides?')
    expect(again.text).not.toBe(text)
    expect(again.text).not.toMatch(EXERCISE)
  })

  it.each([
    'What is a negative number?',
    'why is a negative exponent not a negative number?',
    'can like terms be added when the letters differ?',
  ])('never tells a mistake as an answer: “%s”', async (question) => {
    await start()
    const { text } = await say(question)
    const mistakes = world.courses.flatMap(({ units }) =>
      units.flatMap(({ misconceptions }) => misconceptions.map(({ description }) => description)),
    )
    expect(text).toMatch(/\*\*|is smaller than zero/)
    expect(mistakes.filter((mistake) => text.includes(mistake))).toEqual([])
  })

  it('says so where the course has nothing on what is asked', async () => {
    await start()
    expect((await say('who won the football world cup in 1998?')).text).toMatch(
      /^I find nothing about that in this course/,
    )
  })

  it('finds nothing about what is no subject of the course', async () => {
    await start()
    await say('What is a negative number?')
    expect((await say('what is the weather?')).text).toMatch(/^I find nothing about that/)
  })

  it('never tells the same twice to who asks for more', async () => {
    await start()
    await say('How do I solve 3x + 5 = 20?')
    const said: string[] = []
    for (const words of [
      'explain again',
      'explain it again',
      'another example',
      'show me another example',
    ]) {
      said.push((await say(words)).text)
    }
    const told = said.map((text) => text.replaceAll(/\s+|\d\. |Answer: |\*\*/g, ''))
    expect(new Set(told).size, said.join('\n---\n')).toBe(said.length)
    expect(said.filter((text) => text.includes('Worked example')).length).toBeLessThan(3)
  })

  it.each([
    ['thanks!', /^You are welcome!/],
    ['hello', /^Hello!/],
    ['how are you?', /^I am the tutor of this course/],
    ["I don't get it", /^Once more, step by step|^Let us look/],
    ['bye', /^See you!/],
    ['i want to die', /^That sounds very hard[\s\S]*Your place here is kept\.$/],
    ['whats a coefficient', /^A coefficient is the number/],
    ['no', /^All right/],
    ['x = 7', /^That looks like an answer/],
    ['is that right?', /^I can check answers/],
    ['why?', /\*\*/],
  ])('has its own reply to “%s”', async (words, reply) => {
    await start()
    const { text, card } = await say(words)
    expect(text).toMatch(reply)
    expect(text).not.toMatch(EXERCISE)
    expect(card).toBeUndefined()
  })

  it('says something else each time to who does not get it', async () => {
    await start()
    const said = [
      await say("I don't get it"),
      await say("I still don't get it"),
      await say('huh, no idea'),
    ]
    expect(new Set(said.map(({ text }) => text)).size).toBe(3)
  })

  it('takes a yes to its offer for what it is', async () => {
    await start()
    await say('thanks')
    expect((await say('yes please')).card).toMatchObject({ type: 'DRILL' })
  })

  it('asks only what it can judge, and judges the reply', async () => {
    for (let n = 0; n < 6; n += 1) {
      await start()
      const { text } = await say('inverse operations and order of operations')
      const question = text.includes('Do you mean a)') ? (await say('a')).text : text
      const options = optionsOf(question)
      if (options) {
        const reply = await say('b')
        expect(reply.text).toMatch(/^(?:Right\.|Not quite\.)/)
      } else {
        expect(question).toContain('Let us see: ')
        const reply = await say('987654')
        expect(reply.text).toMatch(/^Not right\./)
        expect(reply.text).not.toMatch(EXERCISE)
      }
    }
  })

  it('sends an answer in words to the exercise on the screen, without judging it', async () => {
    await start()
    const drill = await say('give me an exercise')
    expect(drill.card).toMatchObject({ type: 'DRILL' })
    expect((await say('5')).text).toContain('Put your answer into the exercise itself')
    expect((await say('thanks')).text).toMatch(/^You are welcome!/)
  })
})

describe('what is said beside the subject', () => {
  it('who takes leave is let go, however it is put', async () => {
    await start()
    await say('How do I solve 3x + 5 = 20?')
    for (const words of LEAVES) {
      if (/^(?:later|tomorrow|enough)$/.test(words)) continue
      const { text, card } = await say(words)
      expect(text, words).toMatch(/^(?:See you!|Bis bald!)/)
      expect(card, words).toBeUndefined()
    }
  })

  it.each([
    ['ugh im tired', /A break helps/],
    ['this is stupid', /frustrating/],
    ['nah', /A break helps|All right/],
    ['too easy', /Then show me/],
    ['thx!', /You are welcome/],
  ])('“%s” is answered as what it is', async (words, reply) => {
    await start()
    await say('What is a negative number?')
    const { text } = await say(words)
    expect(text).toMatch(reply)
    expect(text).not.toContain('Do you mean')
  })

  it('who writes German is answered in German, and again in English when they turn to it', async () => {
    await start()
    const first = await say('Kannst du mir bitte erklären, was eine negative Zahl ist?')
    expect(first.text).toMatch(/Soll ich dir|Dazu finde ich|Am nächsten|Meinst du|nicht verstanden/)
    expect((await say('danke')).text).toMatch(/^Gern geschehen!/)
    expect((await say('zu leicht')).text).toMatch(/^Dann zeig es mir\.\s+Hier ist eine kurze Übung/)
    expect((await say('tschüss')).text).toMatch(/^Bis bald!/)
    await say('Could you please explain to me what a negative number is?')
    expect((await say('thanks')).text).toMatch(/^You are welcome!/)
  })

  it('who writes German hears no English but what the course says', async () => {
    await start()
    await say('Kannst du mir bitte erklären, was eine negative Zahl ist?')
    for (const words of [
      'erklär das nochmal',
      'noch ein Beispiel bitte',
      'ich verstehe das nicht',
    ]) {
      const { text } = await say(words)
      expect(text).not.toMatch(/Worked example|Answer:|Shall I|I find|Not right|Right\./)
    }
    expect((await say('gib mir eine Übung')).text).not.toMatch(/Here is|exercise/)
  })
})
