import { describe, expect, it } from 'vitest'
import type { Study } from '../../../src/domain/agenda/study.ts'
import { studyOf } from '../../../src/domain/agenda/study.ts'
import { type Supposition, whatIf } from '../../../src/domain/agenda/what-if.ts'
import { newState } from '../../../src/domain/arc/state.ts'
import { sampleMap, sampleNode } from '../mind-map/sample-map.ts'

/** A Monday, 09:00 in Vienna. */
const NOW = Date.UTC(2026, 0, 5, 8)
const DAY_MS = 86_400_000
const ALWAYS = [0, 0, 0, 0, 0, 1e9]

const SUPPOSED: Supposition = {
  now: NOW,
  timeZone: 'Europe/Vienna',
  studyMinute: 9 * 60,
  minutesPerDay: 60,
  minutesPerQuestion: 1,
  noWeekends: false,
  holiday: null,
  aim: null,
  reviews: [0, 5, 0, 5, 0, 40],
  quizzes: [0, 5, 0, 5, 0, 40],
}

/** An arc on a chain of concepts, nothing of it begun. */
function study(concepts: number, rules: Partial<Study['rules']> = {}): Study {
  const nodes = Array.from({ length: concepts }, (_, n) =>
    sampleNode(`n${n}`, { sequence: n + 1, effortMinutes: 10 }),
  )
  const edges = nodes.slice(1).map((_, n) => `n${n}>n${n + 1}`)
  return studyOf({
    map: sampleMap(nodes, edges),
    histories: {},
    rules: {
      ...{ maxNodes: 30, maxDepth: 30, unlockAt: 'reviewing', scheduler: 'sm2' },
      ...{ learningSteps: [1, 6], masteryThreshold: 0.85, maxCycles: 5, quizQuestions: 3 },
      ...{ skipDiagnosis: true, diagnosisDepth: 'standard', maxInterval: 21 },
      ...{ onMastered: 'complete', level: 'unknown', ...rules },
    },
    dayMs: DAY_MS,
    state: newState(NOW),
  })
}

const suppose = (given: Partial<Supposition> = {}, concepts = 12, days = 90, seed = 7) =>
  whatIf([study(concepts)], { ...SUPPOSED, ...given }, days, seed)

const dayOf = (date: string | null | undefined) => Date.parse(date ?? '') / DAY_MS
const likely = (given: Partial<Supposition> = {}, concepts = 12) =>
  dayOf(suppose(given, concepts).finish?.likely)

describe('what if', () => {
  it('one concept, all right: after 1, 6 and 16.2 days by SM-2', () => {
    const { days, finish, limit } = suppose({ reviews: ALWAYS, quizzes: ALWAYS }, 1)
    expect(days.map(({ date, count }) => [date, count])).toEqual([
      ['2026-01-05', 0],
      ['2026-01-06', 1],
      ['2026-01-12', 1],
      ['2026-01-28', 1],
    ])
    expect(days[0]?.minutes).toBe(10)
    expect(finish).toEqual({ earliest: '2026-01-28', likely: '2026-01-28', latest: '2026-01-28' })
    expect(limit).toEqual({ limit: 'spacing', days: 0 })
  })

  it('the same twice, and another course of events by another seed', () => {
    expect(suppose()).toEqual(suppose())
    expect(suppose({}, 12, 90, 8).days).not.toEqual(suppose().days)
  })

  it('without weekends nothing falls on one', () => {
    const weekdays = suppose({ noWeekends: true }).days.map(({ date }) =>
      new Date(date).getUTCDay(),
    )
    expect(weekdays.length).toBeGreaterThan(10)
    expect(weekdays.filter((day) => day === 0 || day === 6)).toEqual([])
    expect(suppose().days.some(({ date }) => [0, 6].includes(new Date(date).getUTCDay()))).toBe(
      true,
    )
  })

  it('in a holiday nothing is done, on its first and last day neither; it is not earlier for it', () => {
    const holiday = { from: '2026-01-08', to: '2026-01-25' }
    const { days } = suppose({ holiday })
    expect(days.filter(({ date }) => date >= holiday.from && date <= holiday.to)).toEqual([])
    expect(likely({ holiday })).toBeGreaterThanOrEqual(likely())
  })

  it('no day takes longer than there is time, but for what was begun', () => {
    const { days } = suppose({ minutesPerDay: 15 })
    expect(Math.max(...days.map(({ minutes }) => minutes))).toBeLessThan(15 + 10)
  })

  it('less time, a higher aim and more misses make it later, and are named', () => {
    const little = suppose({ minutesPerDay: 4 }, 20)
    expect(dayOf(little.finish?.likely)).toBeGreaterThan(likely({ minutesPerDay: 60 }, 20))
    expect(little.limit?.limit).toBe('minutes')
    const careless = { reviews: [0, 30, 0, 0, 0, 70], quizzes: [0, 30, 0, 0, 0, 70] }
    expect(likely(careless)).toBeGreaterThan(likely())
    expect(suppose({ ...careless, minutesPerDay: 600 }).limit?.limit).toBe('passes')
    expect(likely({ aim: 1, ...careless })).toBeGreaterThanOrEqual(
      likely({ aim: 0.6, ...careless }),
    )
  })

  it('the range is in order', () => {
    const { finish } = suppose()
    expect(dayOf(finish?.earliest)).toBeLessThanOrEqual(dayOf(finish?.likely))
    expect(dayOf(finish?.likely)).toBeLessThanOrEqual(dayOf(finish?.latest))
  })

  it('of nothing to learn there is no finish', () => {
    expect(whatIf([], SUPPOSED, 90, 1)).toEqual({ days: [], finish: null, limit: null })
  })
})
