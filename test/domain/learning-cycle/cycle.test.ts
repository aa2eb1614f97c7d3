import { describe, expect, test } from 'vitest'
import { ArcSettings } from '../../../src/contracts/arc.ts'
import {
  askQuestion,
  type Cycle,
  cycleOutcome,
  cycleQualities,
  cycleScore,
  gradeQuestion,
  isSittingFull,
  nextCycle,
  restartEased,
  startCycles,
} from '../../../src/domain/learning-cycle/cycle.ts'
import { proves } from '../../spec/scenario.ts'

/** What a fresh arc starts with. */
const SETTINGS = ArcSettings.parse({})

/** A quiz whose questions q0, q1, … are answered with the qualities. */
function answered(cycle: Cycle, ...qualities: number[]): Cycle {
  return qualities.reduce(
    (next, quality, index) => gradeQuestion(askQuestion(next, `q${index}`), `q${index}`, quality),
    cycle,
  )
}

const first = startCycles()

describe('a cycle', () => {
  test('goes on until every question is answered', () => {
    expect(cycleScore(first)).toBeNull()
    expect(cycleOutcome(first, SETTINGS)).toBe('continue')
    const two = answered(first, 5, 5)
    expect(cycleOutcome(two, SETTINGS)).toBe('continue')
    expect(cycleOutcome(askQuestion(two, 'q2'), SETTINGS)).toBe('continue')
    const oneMore = askQuestion(answered(first, 5, 5, 5), 'q3')
    expect(cycleOutcome(oneMore, SETTINGS)).toBe('continue')
  })

  test('scores the share of questions with a quality of at least 3', () => {
    const cycle = answered(first, 3, 2, 5)
    expect(cycleQualities(cycle)).toEqual([3, 2, 5])
    expect(cycleScore(cycle)).toBe(2 / 3)
  })

  test(
    'mastery >= 85% leads to reviewing, less to the next cycle',
    proves(
      '003 Learning cycle state machine: A quiz at or above the threshold ends the cycles, one below it begins the next',
    ),
    () => {
      expect(cycleOutcome(answered(first, 3, 3, 3), SETTINGS)).toBe('reviewing')
      expect(cycleOutcome(answered(first, 5, 5, 2), SETTINGS)).toBe('next-cycle')
      const lenient = { ...SETTINGS, masteryThreshold: 0.5 }
      expect(cycleOutcome(answered(first, 5, 5, 2), lenient)).toBe('reviewing')
      const single = { ...SETTINGS, quizQuestions: 1 }
      expect(cycleOutcome(answered(first, 3), single)).toBe('reviewing')
    },
  )

  test(
    'the next cycle counts on and asks the missed questions again',
    proves(
      '003 Learning cycle state machine: A quiz at or above the threshold ends the cycles, one below it begins the next',
    ),
    () => {
      const second = nextCycle(answered(first, 5, 1, 2))
      expect(second).toEqual({ cycleNumber: 2, marks: [], missed: ['q1', 'q2'], eased: false })
    },
  )

  test(
    'If mastery not achieved after 5 cycles, remediation',
    proves(
      '003 Learning cycle state machine: After five cycles without mastery the path planner has to help',
    ),
    () => {
      let cycle = answered(first, 0, 0, 0)
      for (let number = 1; number < 5; number += 1) {
        expect(cycleOutcome(cycle, SETTINGS)).toBe('next-cycle')
        cycle = answered(nextCycle(cycle), 0, 0, 0)
      }
      expect(cycle.cycleNumber).toBe(5)
      expect(cycleOutcome(cycle, SETTINGS)).toBe('remediate')
    },
  )

  test('after remediation cycles start at 1 and two of three pass', () => {
    const eased = restartEased({ ...answered(first, 0, 5, 0), cycleNumber: 5 })
    expect(eased).toEqual({ cycleNumber: 1, marks: [], missed: ['q0', 'q2'], eased: true })
    expect(cycleOutcome(answered(eased, 3, 3, 0), SETTINGS)).toBe('reviewing')
    expect(cycleOutcome(answered(eased, 3, 0, 0), SETTINGS)).toBe('next-cycle')
    const lenient = { ...SETTINGS, masteryThreshold: 0.5, quizQuestions: 2 }
    expect(cycleOutcome(answered(eased, 3, 0), lenient)).toBe('reviewing')
  })

  test('a contested grade is replaced, wherever the question stands', () => {
    const cycle = gradeQuestion(answered(first, 5, 1, 5), 'q1', 3)
    expect(cycleQualities(cycle)).toEqual([5, 3, 5])
    expect(cycleOutcome(cycle, SETTINGS)).toBe('reviewing')
  })

  test('a question asked twice is one question, one never asked cannot be graded', () => {
    const cycle = answered(first, 4)
    expect(askQuestion(cycle, 'q0')).toBe(cycle)
    expect(() => gradeQuestion(cycle, 'q9', 4)).toThrow('q9')
    expect(() => gradeQuestion(cycle, 'q0', 7)).toThrow(RangeError)
  })
})

test(
  'a sitting asks at most 10 quiz questions',
  proves('003 Quiz question limits: A concept has one to three questions, a sitting three to ten'),
  () => {
    expect([9, 10, 11].map(isSittingFull)).toEqual([false, true, true])
  },
)
