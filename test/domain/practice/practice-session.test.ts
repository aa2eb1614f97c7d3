import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wakeAt } from '../../../src/domain/practice/clock.ts'
import { next } from '../../../src/domain/practice/next.ts'
import {
  type Category,
  currentProblem,
  modeOf,
  newSession,
  type PracticeState,
} from '../../../src/domain/practice/session.ts'
import type { Turn } from '../../../src/domain/practice/turn.ts'
import { proves } from '../../spec/scenario.ts'
import { apply, conversation, type Played, play, START } from './random-session.ts'

const RUNS = { seed: 42, numRuns: 1_000 }
const MINUTE = 60_000

function say(state: PracticeState, category: Category, isMainAttempt = false, at = state.tickedAt) {
  const messageId = `m${state.turns + 1}`
  const step = next(state, {
    type: 'message',
    at,
    messageId,
    classification: { category, isMainAttempt },
  })
  if (!step.turn) throw new Error('no turn')
  return { state: step.state, turn: step.turn }
}

/** Says one thing after another; `correct` and the like are main answers. */
function talk(state: PracticeState, ...categories: Category[]) {
  const turns: Turn[] = []
  for (const category of categories) {
    const isMain = ['correct', 'close', 'wrong_operation'].includes(category)
    const step = say(state, category, isMain)
    state = step.state
    turns.push(step.turn)
  }
  return { state, turns, last: turns.at(-1) as Turn }
}

const session = (problems = 3) =>
  newSession(
    Array.from({ length: problems }, (_, index) => `p${index + 1}`),
    false,
    START,
  )

describe('a practice session', () => {
  it(
    'advances at once on a right first answer, as mastered',
    proves('002 Mastery signals: Mastered: right at the first try advances at once'),
    () => {
      const { state, last } = talk(session(), 'correct')
      expect(last).toMatchObject({ action: 'ADVANCE', signal: 'mastered', opened: 1 })
      expect(state).toMatchObject({ index: 1, invited: 0 })
      expect(state.problems[0]).toMatchObject({ status: 'completed', attempts: 1 })
    },
  )

  it('takes one prose message after that for the invited explanation, and only one', () => {
    const { state, turns } = talk(session(), 'correct', 'teach_back_explanation')
    expect(turns[1]).toMatchObject({ category: 'teach_back_explanation', problemIndex: 0 })
    expect(state.problems[0]?.explained).toBe(true)
    expect(talk(state, 'teach_back_explanation').last.category).toBe('conceptual_question')
  })

  it(
    'opens teach-back on a right answer after a wrong one; the explanation advances as learned',
    proves(
      '002 State management: A right answer after a wrong one opens teach-back',
      '002 Mastery signals: Learned: right after scaffolding or a wrong answer advances after teach-back',
    ),
    () => {
      const { state, turns } = talk(session(), 'close', 'correct')
      expect(turns[1]).toMatchObject({ action: 'CONTINUE', teachBack: 'opened' })
      expect(modeOf(state)).toBe('teach-back')
      const { last } = talk(state, 'teach_back_explanation')
      expect(last).toMatchObject({ action: 'ADVANCE', signal: 'learned' })
    },
  )

  it('ends teach-back with the second message that explains nothing', () => {
    const { state, turns } = talk(session(), 'stuck', 'correct', 'correct', 'off_topic')
    expect(turns[2]).toMatchObject({ category: 'off_topic', action: 'CONTINUE' })
    expect(turns[3]).toMatchObject({ action: 'ADVANCE', signal: 'learned' })
    expect(state.problems[0]?.explained).toBe(false)
  })

  it('counts a problem whose explanation is skipped as learned', () => {
    const { state, last } = talk(session(), 'close', 'correct', 'skip')
    expect(last).toMatchObject({ category: 'skip', action: 'ADVANCE', signal: 'learned' })
    expect(state.problems[0]).toMatchObject({ status: 'completed', explained: false })
  })

  it(
    'tells the teacher once of a student who struggles, and goes on',
    proves(
      '002 Mastery signals: Struggling: after three wrong answers the teacher hears of it, and the problem goes on',
    ),
    () => {
      const { turns } = talk(session(), 'wrong_operation', 'close', 'wrong_operation', 'close')
      expect(turns.map((turn) => turn.alerts)).toEqual([[], [], ['struggling'], []])
      expect(turns[3]).toMatchObject({ action: 'CONTINUE', signal: 'struggling' })
    },
  )

  it('intervenes at the third “stuck”', () => {
    const { turns } = talk(session(), 'stuck', 'stuck', 'stuck')
    expect(turns.map((turn) => turn.action)).toEqual(['CONTINUE', 'CONTINUE', 'INTERVENE'])
    expect(turns[2]).toMatchObject({ alerts: ['stuck'], skipOffered: true, signal: 'stuck' })
  })

  it(
    'intervenes at depth four only where the last two steps brought no progress',
    proves(
      '002 Mastery signals: Stuck: more than three steps of scaffolding without progress call the teacher',
    ),
    () => {
      const wrong = (state: PracticeState) => say(state, 'wrong_operation', false).state
      const twoLost = wrong(wrong(talk(session(), 'stuck', 'scaffold_progress').state))
      expect(twoLost.problems[0]?.signal).toBe('stuck')
      const oneLost = wrong(
        talk(session(), 'stuck', 'scaffold_progress', 'scaffold_progress').state,
      )
      expect(oneLost.problems[0]?.scaffolding.depth).toBe(4)
      expect(oneLost.problems[0]?.signal).toBeNull()
    },
  )

  it('counts main answers only as attempts', () => {
    const { state } = talk(session(), 'stuck', 'scaffold_progress', 'conceptual_question')
    expect(say(state, 'wrong_operation', false).state.problems[0]?.attempts).toBe(0)
    expect(say(state, 'wrong_operation', true).state.problems[0]?.attempts).toBe(1)
  })

  it('closes scaffolding with the right main answer in its middle', () => {
    const { state, last } = talk(session(), 'stuck', 'scaffold_progress', 'correct')
    expect(last).toMatchObject({ category: 'correct', teachBack: 'opened' })
    expect(state.problems[0]?.scaffolding).toMatchObject({ active: false, deepest: 2 })
  })

  it('keeps the last three turns of a problem, marked, when the next one opens', () => {
    const { state } = talk(session(), 'close', 'close', 'off_topic', 'correct', 'off_topic', 'skip')
    expect(state.memory).toEqual([4, 5, 6].map((turn) => ({ turn, previous: true })))
    const long = talk(state, ...Array.from({ length: 20 }, () => 'off_topic' as const)).state
    expect(long.memory).toHaveLength(15)
  })

  it('offers to skip once after ten minutes on a problem', () => {
    const at = START + 10 * MINUTE
    expect(wakeAt(session())).toBe(at)
    const first = say(session(), 'close', true, at)
    expect(first.turn.skipOffered).toBe(true)
    expect(say(first.state, 'close', true, at + MINUTE).turn.skipOffered).toBe(false)
  })

  it('pauses after half an hour without a turn, and counts no time while paused', () => {
    const worked = say(session(), 'close', true, START + 5 * MINUTE).state
    const paused = next(worked, { type: 'clock', at: START + 36 * MINUTE }).state
    expect(paused).toMatchObject({ status: 'paused', activeMs: 35 * MINUTE })
    const back = say(paused, 'close', true, START + 600 * MINUTE).state
    expect(back).toMatchObject({ status: 'active', activeMs: 35 * MINUTE })
  })

  it('pauses in hindsight where nobody looked in time', () => {
    const { state } = say(session(), 'close', true, START + 600 * MINUTE)
    expect(state).toMatchObject({ status: 'active', activeMs: 30 * MINUTE })
  })

  it('never completes an implicit session by itself until a day after its last turn', () => {
    const solved = talk(newSession(['p1'], true, START), 'correct').state
    expect(solved).toMatchObject({ status: 'active', index: 1 })
    const chat = talk(solved, 'correct')
    expect(chat.last).toMatchObject({ category: 'off_topic', action: 'CONTINUE', attempts: 0 })
    const more = next(chat.state, { type: 'append', at: START, problemId: 'p2' }).state
    expect(more).toMatchObject({ index: 1, status: 'active' })
    const paused = next(more, { type: 'clock', at: START + 31 * MINUTE }).state
    const end = wakeAt(paused)
    expect(end).toBe(START + 24 * 60 * MINUTE)
    expect(next(paused, { type: 'clock', at: end ?? 0 }).state.status).toBe('completed')
  })

  it('applies a late verdict with the time of its message, if the problem is still open', () => {
    const asked = say(session(), 'unjudged', false, START + MINUTE)
    expect(asked.state.unjudged).toHaveLength(1)
    const late = {
      type: 'late',
      messageId: 'm1',
      classification: { category: 'correct', isMainAttempt: true },
    } as const
    const { state, turn } = next(asked.state, late)
    expect(turn).toMatchObject({ late: true, number: 1, action: 'ADVANCE', signal: 'mastered' })
    expect(state.problems[0]?.completedAt).toBe(START + MINUTE)
    const skipped = talk(asked.state, 'skip').state
    expect(next(skipped, late).turn).toBeNull()
  })
})

describe('in 1,000 random conversations', () => {
  const everywhere = (check: (state: PracticeState, played: Played) => void) =>
    fc.assert(
      fc.property(conversation, (plan) => {
        const played = play(plan)
        for (const state of played.states) {
          if (state.status !== 'completed' && currentProblem(state)) check(state, played)
        }
      }),
      RUNS,
    )

  it('“skip” advances at once from every state', () =>
    everywhere((state) => {
      const { turn, state: after } = say(state, 'skip')
      expect(turn.action).toBe('ADVANCE')
      expect(after.index).toBe(state.index + 1)
    }))

  it('“stuck” gets a step of scaffolding or the teacher; while an explanation is wanted it leads on', () =>
    everywhere((state) => {
      const { turn, state: after } = say(state, 'stuck')
      if (modeOf(state) === 'teach-back') {
        expect(turn.action === 'ADVANCE' || say(after, 'stuck').turn.action === 'ADVANCE').toBe(
          true,
        )
        return
      }
      expect(['CONTINUE', 'INTERVENE']).toContain(turn.action)
      expect(modeOf(after)).toBe('scaffold')
      expect(turn.depth).toBe((currentProblem(state)?.scaffolding.depth ?? 0) + 1)
    }))

  it('the right answer advances or opens teach-back, where a second message advances', () =>
    everywhere((state) => {
      let { turn, state: after } = say(state, 'correct', true)
      const wasWanted = modeOf(state) === 'teach-back'
      if (!wasWanted && turn.action !== 'ADVANCE') expect(turn.teachBack).toBe('opened')
      for (let more = wasWanted ? 1 : 2; more > 0 && turn.action !== 'ADVANCE'; more -= 1) {
        ;({ turn, state: after } = say(after, 'correct', true))
      }
      expect(turn.action).toBe('ADVANCE')
      expect(after.index).toBe(state.index + 1)
    }))

  it('every session ends by skipping, and nothing changes it after that', () =>
    fc.assert(
      fc.property(conversation, (plan) => {
        const played = play({ ...plan, implicit: false })
        const left = played.state.problems.length - played.state.index
        for (let count = 0; count < left; count += 1) {
          const messageId = `end${count}`
          const classification = { category: 'skip', isMainAttempt: false } as const
          apply(played, { type: 'message', at: played.at, messageId, classification })
        }
        expect(played.state.status).toBe('completed')
        const said = { category: 'correct', isMainAttempt: true } as const
        const after = next(played.state, {
          type: 'message',
          at: played.at,
          messageId: 'x',
          classification: said,
        })
        expect(after).toEqual({ state: played.state, turn: null })
      }),
      RUNS,
    ))

  it('what is counted in the state equals a recount from the turns', () =>
    fc.assert(
      fc.property(conversation, (plan) => {
        const { state, turns } = play(plan)
        expect(turns.map((turn) => turn.number)).toEqual(turns.map((_, index) => index + 1))
        for (const [index, problem] of state.problems.entries()) {
          const own = turns.filter((turn) => turn.problemIndex === index)
          const main = own.filter((turn) => turn.isMainAttempt)
          expect(problem.attempts).toBe(main.length)
          expect(problem.wrong).toBe(main.filter((turn) => turn.category !== 'correct').length)
          expect(problem.stucks).toBe(own.filter((turn) => turn.category === 'stuck').length)
          expect(problem.struggled).toBe(own.some((turn) => turn.alerts.length > 0))
          expect(main.filter((turn) => turn.category === 'correct').length).toBeLessThanOrEqual(1)
          const advances = own.filter((turn) => turn.action === 'ADVANCE').length
          expect(advances).toBeLessThanOrEqual(1)
        }
        expect(
          turns.filter((turn) => turn.signal === 'mastered' && turn.action === 'ADVANCE'),
        ).toHaveLength(state.problems.filter((problem) => problem.signal === 'mastered').length)
      }),
      RUNS,
    ))

  it('time is counted once: problems sum up to no more than the session, and to no more than the clock', () =>
    fc.assert(
      fc.property(conversation, (plan) => {
        const { state, at } = play(plan)
        const spent = state.problems.reduce((sum, problem) => sum + problem.activeMs, 0)
        expect(spent).toBeLessThanOrEqual(state.activeMs)
        expect(state.activeMs).toBeLessThanOrEqual(at - START)
      }),
      RUNS,
    ))

  it('there is always a moment to wake up while a session is active, and it lies ahead', () =>
    fc.assert(
      fc.property(conversation, (plan) => {
        let { state } = play(plan)
        for (let look = 0; look < 5; look += 1) {
          const at = wakeAt(state)
          if (at === null) break
          const after = next(state, { type: 'clock', at }).state
          expect(after).not.toEqual(state)
          state = after
        }
        expect(wakeAt(state)).toBeNull()
      }),
      RUNS,
    ))

  it('a session is plain JSON', () =>
    fc.assert(
      fc.property(conversation, (plan) => {
        const { state } = play(plan)
        expect(JSON.parse(JSON.stringify(state))).toEqual(state)
      }),
      { seed: 42, numRuns: 200 },
    ))
})
