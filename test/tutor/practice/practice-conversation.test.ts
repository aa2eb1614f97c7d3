import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../../../src/activities/practice/response.ts'
import type { Course, Unit } from '../../../src/contracts/course-pack.ts'
import type { TurnResponse } from '../../../src/contracts/practice.ts'
import { loadCourses } from '../../../src/courses/load.ts'
import { decide } from '../../../src/domain/practice/decide.ts'
import type { ProblemState } from '../../../src/domain/practice/session.ts'
import { newState, type Practice, type Problem } from '../../../src/domain/practice/state.ts'
import { stepsOf } from '../../../src/domain/practice/steps.ts'
import type { Input } from '../../../src/domain/spine/decision.ts'
import { DISTRESS } from '../../../src/tutor/distress.ts'
import { problemsOfUnit } from '../../../src/tutor/steps/practice/choose-problems.ts'
import { DISTRESSED, LEAVES } from '../../support/ordinary-words.ts'

const START = Date.UTC(2026, 0, 5, 9)
const PASSAGE = '**The balance.** Both sides weigh the same.'

let course: Course
let equations: Unit

beforeAll(async () => {
  const courses = await loadCourses(resolve('courses'))
  const algebra = courses.find(({ courseId }) => courseId === 'algebra-basics')
  const unit = algebra?.units.find(({ unitId }) => unitId === 'ALG-01')
  if (!algebra || !unit) throw new Error('the course is gone')
  course = algebra
  equations = unit
})

/** An offline session in the hands of a test; what is looked up is always the same passage. */
class Session {
  practice: Practice
  #at = START
  #number = 0

  constructor(problems: Problem[], changes: Partial<Practice> = {}) {
    const state = newState(problems, false, START)
    const ways = { hasModel: false, delivers: false, isOfArc: true, hasTeacher: false }
    this.practice = { sessionId: 's', ...ways, problems, state, ...changes }
  }

  say(text: string): TurnResponse {
    this.#number += 1
    const payload = { text, problem: null }
    const id = `m${this.#number}`
    const position = this.#number
    return this.#tell({
      type: 'input',
      input: { type: 'message', id, position, payload, receivedAt: this.#at },
    })
  }

  #tell(input: Input): TurnResponse {
    this.#at += 1_000
    const { practice, effects } = decide(this.practice, input, this.#at)
    this.practice = practice
    const ended = effects.find(({ type }) => type === 'turn-ended')
    if (ended?.type === 'turn-ended') return answerOf(practice, 's', ended).response
    const [step] = stepsOf(practice)
    if (step?.kind !== 'passage') throw new Error('the turn has not ended')
    return this.#tell({ type: 'answer', key: step.step.key, output: PASSAGE })
  }
}

const solve = (): Problem[] => {
  const problems = problemsOfUnit(course, equations, [], 7)
  const first = problems.find(({ text }) => text.includes('3x + 5 = 20'))
  if (!first) throw new Error('the problem is gone')
  return [first, ...problems.filter((problem) => problem !== first)].slice(0, 2)
}

const withoutHelp = (): Problem[] =>
  solve().map(({ help: _, ...problem }) => ({ ...problem, answer_key: null }))

describe('who is stuck in a session of an arc', () => {
  it('is asked the first step, whose answer is judged, and led back to the problem', () => {
    const session = new Session(solve())
    const asked = session.say('stuck')
    expect(asked.output).toContain('subtracting $5$. Which equation does that give?')
    expect(asked.category).toBe('stuck')
    const solved = session.say('3x = 15')
    expect(solved.category).toBe('scaffold_progress')
    expect(solved.output).toMatch(/^Good, that step is right\. With that in mind: Solve \$3x \+ 5/)
    expect(session.say('x = 5').category).toBe('correct')
  })

  it('is told the answer of a step that goes wrong, and no more', () => {
    const session = new Session(solve())
    session.say('stuck')
    const { output, category } = session.say('3x = 25')
    expect(category).toBe('wrong_operation')
    expect(output).toContain('Not quite. The answer to that step is $3x = 15$.')
    expect(output).toContain('With that in mind: Solve $3x + 5 = 20$')
  })

  it('is shown the solution the third time, with a skip offered and no word of a teacher', () => {
    const session = new Session(solve())
    const replies = [session.say('stuck'), session.say("I don't know"), session.say('stuck')]
    expect(new Set(replies.map(({ output }) => output)).size).toBe(3)
    const [, , last] = replies
    expect(last?.output).toContain('**Solution.** Subtracting $5$ gives $3x = 15$')
    expect(last?.output).not.toContain('teacher')
    expect(last?.session_status).toMatchObject({ action: 'INTERVENE', skip_offered: true })
    const copied = session.say('5')
    expect(copied.session_status).toMatchObject({ action: 'ADVANCE', current_problem_index: 1 })
    expect(session.practice.state.progress.problems[0]).toMatchObject({
      status: 'skipped',
      signal: 'stuck',
    })
  })
})

describe('who gives a problem up', () => {
  it.each(['show me', 'skip', 'I give up'])('by “%s” is shown its solution in an arc', (words) => {
    const session = new Session(solve())
    const { output, session_status, category } = session.say(words)
    expect(category).toBe('skip')
    expect(output).toContain('**Solution.** Subtracting $5$ gives $3x = 15$')
    expect(output).toContain('Next problem:')
    expect(session_status).toMatchObject({ action: 'ADVANCE', current_problem_index: 1 })
  })

  it('is shown no solution elsewhere', () => {
    const session = new Session(solve(), { isOfArc: false, hasTeacher: true })
    expect(session.say('show me')).toMatchObject({ category: 'stuck' })
    session.say('stuck')
    const third = session.say('stuck')
    expect(third.output).toContain('I have told your teacher')
    expect(third.output).not.toContain('Solution')
    expect(session.say('skip').output).not.toContain('Solution')
  })
})

describe('a wrong answer', () => {
  it('that was foreseen is met by what sets it right, however it is written, and once', () => {
    const session = new Session(solve())
    const first = session.say('x = 25/3').output
    expect(first).toMatch(/^Not yet\. You may have thought that /)
    expect(first).toContain(': that is not so. ')
    expect(first).not.toContain('Hint:')
    expect(session.say('25 / 3').output).toMatch(/^Not yet\. Hint: /)
  })

  it('brings every hint once, then the method, then the ways out', () => {
    const session = new Session(solve())
    const replies = [77, 78, 79, 80].map((number) => session.say(String(number)).output)
    expect(new Set(replies).size).toBe(4)
    const hints = replies.filter((reply) => reply.includes('Hint: '))
    expect(hints).toHaveLength(solve()[0]?.hints.length ?? 0)
    expect(replies.find((reply) => /\*\*(?:Worked|An) example\.\*\*/.test(reply))).toBeDefined()
    expect(replies.at(-1)).toContain('“show me”')
  })

  it('without hints is told where to look, where arithmetic tells', () => {
    const problem = {
      id: 'p',
      text: 'What is 40 - 52?',
      correct_answer: '-12',
      hints: [],
      tags: [],
    }
    const session = new Session([problem], { isOfArc: false })
    expect(session.say('12').output).toContain('Look at the sign once more.')
    expect(session.say('-11').output).toContain('Close, but not quite. You are very near')
  })
})

describe('a question of the student’s own', () => {
  it.each(['Why is that?', 'how do I solve this?', 'explain what a balance has to do with it'])(
    '“%s” is answered from the lesson, and the problem put again',
    (question) => {
      const { output, category } = new Session(solve()).say(question)
      expect(category).toBe('conceptual_question')
      expect(output).toBe(
        `${PASSAGE}\n\nThe problem again: Solve $3x + 5 = 20$. Give the value of $x$.`,
      )
    },
  )

  it('counts nothing', () => {
    const session = new Session(solve())
    session.say('Why is that?')
    expect(session.practice.state.progress.problems[0]).toMatchObject({ attempts: 0, hints: 0 })
  })
})

describe('an adult who learns alone', () => {
  it('is never told of a teacher, whatever is said', () => {
    for (const problems of [solve(), withoutHelp()]) {
      const session = new Session(problems, { isOfArc: problems[0]?.help !== undefined })
      const words = [
        'stuck',
        'stuck',
        'hm',
        'why?',
        'stuck',
        '99',
        '98',
        '97',
        '96',
        'stuck',
        'stuck',
      ]
      for (const word of words) expect(session.say(word).output).not.toMatch(/teacher/i)
    }
  })
})

describe('who takes leave of a session', () => {
  it('is let go, however it is put: the place is kept, and nothing is counted', () => {
    const problems = solve()
    for (const words of LEAVES) {
      const session = new Session(problems)
      session.say('stuck')
      const countedOf = ({ activeMs: _, ...counted }: ProblemState) => counted
      const counted = () => session.practice.state.progress.problems.map(countedOf)
      const before = structuredClone(counted())
      const { output, category, session_status } = session.say(words)
      expect(output, words).toMatch(/problem 1 of 2|Aufgabe 1 von 2/)
      expect(output, words).not.toMatch(/cannot read|Solve|teacher|skip/)
      expect(category).toBe('off_topic')
      expect(session_status).toMatchObject({ status: 'paused', action: 'CONTINUE' })
      expect(counted()).toEqual(before)
      const { status } = session.say('x = 5').session_status
      expect(status, words).toBe('active')
    }
  })

  it('is not asked for the explanation again, and it counts as no refusal', () => {
    const session = new Session(solve())
    session.say('7')
    expect(session.say('x = 5').output).toContain('Explain in a sentence')
    for (const words of ['bye', 'gotta go']) session.say(words)
    const { teachBack } = session.practice.state.progress.problems[0] ?? {}
    expect(teachBack).toEqual({ active: true, misses: 0 })
  })
})

describe('what is said beside the problem', () => {
  it('is not the problem again for somebody in need', () => {
    for (const said of DISTRESSED) {
      const session = new Session(solve())
      const { output, category } = session.say(said)
      expect(Object.values(DISTRESS), said).toContain(output)
      expect(category).toBe('off_topic')
      expect(session.practice.state.progress.problems[0]).toMatchObject({ attempts: 0, hints: 0 })
    }
  })

  it.each([
    ['thx!', 'You are welcome.'],
    ['ok', 'Good.'],
    ['hello', 'Hello!'],
    ['ugh im tired', 'say “stop”'],
    ['this is stupid', 'say “stuck”|Say “stuck”'],
    ['too easy', 'Then show me'],
    ['my answer was right', 'in another form'],
    ['how are you', 'Hello!'],
    ['plan', 'problem 1 of 2'],
  ])('“%s” gets a word of its own and is no attempt', (said, words) => {
    const session = new Session(solve())
    const { output, category } = session.say(said)
    expect(output).toMatch(new RegExp(words))
    expect(output).toContain('The problem again: Solve $3x + 5 = 20$')
    expect(category).toBe('off_topic')
    expect(session.practice.state.progress.problems[0]).toMatchObject({ attempts: 0, hints: 0 })
  })

  it.each([
    ['explain again', 'conceptual_question'],
    ['another example', 'conceptual_question'],
    ['why?', 'conceptual_question'],
    ["I don't get it", 'stuck'],
    ['ich verstehe das nicht', 'stuck'],
    ['give me the answer', 'skip'],
    ['can you just do it for me', 'skip'],
  ])('“%s” is heard as %s', (said, category) => {
    expect(new Session(solve()).say(said).category).toBe(category)
  })

  it('is an answer where it is the right one', () => {
    const problem = { id: 'p', text: 'Which word does nothing?', hints: [], tags: [] }
    const answer_key = { type: 'code' as const, value: 'pass' }
    const pass = { ...problem, correct_answer: 'pass', answer_key: answer_key as never }
    expect(new Session([pass, ...solve()]).say('pass').category).toBe('correct')
    expect(new Session(solve()).say('pass').category).toBe('skip')
  })

  it('and cannot be read is not answered twice in a row with the same words', () => {
    const session = new Session(solve())
    const [first, second] = [session.say('asdf qwer'), session.say('zxcv uiop')]
    expect(first.category).toBe('unjudged')
    expect(second.output).not.toBe(first.output)
  })
})

describe('a session of a learner who writes German', () => {
  const GERMAN = { language: { set: null, spoken: 'de' } }

  it('is held in German by code, whatever happens in it', () => {
    const session = new Session(solve(), GERMAN)
    const said = ['danke', 'ich weiß nicht', '3x = 25', '7', 'qwertz', 'warum?', 'ich gebe auf']
    const heard = [...said, 'tschüss'].map((words) => session.say(words).output).join('\n')
    expect(heard).toContain('Gern geschehen.')
    expect(heard).toContain('Nächste Aufgabe:')
    expect(heard).toContain('Aufgabe 2 von 2')
    const own = heard.replace(PASSAGE, '').replace(/\$[^$]*\$/g, '')
    expect(own).not.toMatch(/\b(?:the problem|Not yet|Hint|Let us|cannot|Next problem|answer to)\b/)
  })

  it('turns to English with the learner, unless German is set', () => {
    const english = 'I really do not know what this is supposed to mean'
    const spoken = new Session(solve(), GERMAN)
    expect(spoken.say('danke').output).toMatch(/^Gern/)
    spoken.say(english)
    expect(spoken.say('thanks').output).toMatch(/^You are welcome/)
    const set = new Session(solve(), { language: { set: 'de-AT', spoken: 'en' } })
    set.say(english)
    expect(set.say('thanks').output).toMatch(/^Gern/)
  })
})

it('a smaller question is easier than its problem, or another of its kind and called that', () => {
  const level = { easy: 0, medium: 1, hard: 2 }
  let easier = 0
  for (const unit of course.units) {
    const every = [...unit.questions, ...unit.templates]
    const levelOf = (text: string) => {
      const lead = (words: string) => words.split(/\{\{|\$|\d/, 1)[0] ?? ''
      return every.flatMap((each) =>
        each.text === text || lead(each.text) === lead(text) ? [level[each.difficulty]] : [],
      )
    }
    for (const seed of [1, 2, 3, 4]) {
      for (const { text, help } of problemsOfUnit(course, unit, [], seed)) {
        for (const { kind, question } of help?.smaller ?? []) {
          const begins = (words: string) => words.split(/\$|`/, 1)[0]
          if (kind === 'another') expect(begins(question), text).toBe(begins(text))
          if (kind !== 'easier') continue
          easier += 1
          const least = Math.min(...levelOf(question))
          expect(least, `${question} for ${text}`).toBeLessThan(Math.max(...levelOf(text)))
        }
      }
    }
  }
  expect(easier).toBeGreaterThan(50)
})
