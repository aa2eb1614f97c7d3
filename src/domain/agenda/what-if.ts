import { localClock, localMoment } from '../analytics/local-clock.ts'
import { isComplete } from '../mind-map/frontier.ts'
import { isSkipped } from '../mind-map/mind-map.ts'
import { seededRandom } from '../random/seeded-random.ts'
import type { Limit } from './finish-reason.ts'
import { answered, newStudySitting, nextTask, type Study, type Task } from './study.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** A finish is looked for within so many days. */
const HORIZON_DAYS = 366
const REPETITIONS = 20
/** To compare one limit with another fewer do. */
const COMPARED_REPETITIONS = 7
/** Of this learner's answers, so many count as known beforehand: 4 of 5 right, one of the rest with help. */
const PRIOR = { 5: 8, 3: 1, 1: 1 } as const
/** Days by which a limit has to matter to be named. */
const LEAST_GAIN_DAYS = 1
/** When somebody studies who has not set a time. */
const EVENING = 18 * 60
const MOST_TASKS_A_DAY = 500

/** How often this learner gave an answer of each quality from 0 to 5. */
export type QualityCounts = readonly number[]

/** What is known of a learner and supposed of their time. */
export interface Supposition {
  /** UTC ms. */
  now: number
  timeZone: string
  /** Minutes since midnight at which they study. */
  studyMinute: number | null
  /** Minutes of study a day, and for one question. */
  minutesPerDay: number
  minutesPerQuestion: number
  noWeekends: boolean
  /** Dates of their calendar, both without study. */
  holiday: { from: string; to: string } | null
  /** The share that a quiz has to reach, and reviews under FSRS are to; null: as each arc has it. */
  aim: number | null
  /** How they answered reviews, and other questions. */
  reviews: QualityCounts
  quizzes: QualityCounts
}

export interface WhatIfDay {
  /** Of the learner's calendar, YYYY-MM-DD. */
  date: string
  /** Reviews answered on it. */
  count: number
  minutes: number
}

export interface WhatIf {
  /** Days with something to do, of the middle one of the repetitions. */
  days: WhatIfDay[]
  /** When everything is mastered: of ten repetitions one is before `earliest` and one after `latest`. Null: it is already so, or not within a year. */
  finish: { earliest: string; likely: string; latest: string | null } | null
  /** What holds the finish back most, and by how many days; null without a finish. */
  limit: { limit: Limit; days: number } | null
}

/**
 * What becomes of a learner's arcs, day by day, if they study so: the rules of the arcs themselves choose what is asked
 * and when it comes again; answers are drawn by the learner's own share of each quality. The same arguments give the
 * same result.
 * @param days how many days are told
 */
export function whatIf(
  studies: readonly Study[],
  supposed: Supposition,
  days: number,
  seed: number,
): WhatIf {
  const calendar = new Calendar(supposed)
  const runs = repetitions(studies, supposed, calendar, days, seed)
  const middle = runs[Math.floor((runs.length - 1) / 2)]
  const isThrough = studies.every(({ map }) => isComplete(map))
  const finish = isThrough ? null : finishOf(runs, calendar)
  return {
    days: (middle?.days ?? [])
      .filter(({ day }) => day < days)
      .map(({ day, count, minutes }) => ({
        date: calendar.day(day).date,
        count,
        minutes: Math.round(minutes),
      })),
    finish,
    limit: finish && limitOf(studies, supposed, middle?.finishedOn ?? 0, seed),
  }
}

interface Run {
  days: { day: number; count: number; minutes: number }[]
  /** The number of the day, today 0; infinite if it is not within the horizon. */
  finishedOn: number
}

/** Runs with seeds of their own, the one that finishes first first. */
function repetitions(
  studies: readonly Study[],
  supposed: Supposition,
  calendar: Calendar,
  told: number,
  seed: number,
  count = REPETITIONS,
): Run[] {
  return Array.from({ length: count }, (_, n) =>
    run(studies, supposed, calendar, told, seededRandom(seed + n)),
  ).sort((a, b) => a.finishedOn - b.finishedOn)
}

function finishOf(runs: readonly Run[], calendar: Calendar): WhatIf['finish'] {
  const at = (share: number) => {
    const day = runs[Math.round(share * (runs.length - 1))]?.finishedOn ?? Number.POSITIVE_INFINITY
    return Number.isFinite(day) ? calendar.day(day).date : null
  }
  const [earliest, likely] = [at(0.1), at(0.5)]
  return earliest && likely ? { earliest, likely, latest: at(0.9) } : null
}

/** The limit without which the finish would come earliest; where none makes a day's difference, the time between reviews. */
function limitOf(
  studies: readonly Study[],
  supposed: Supposition,
  likely: number,
  seed: number,
): { limit: Limit; days: number } {
  const without: [Limit, Supposition][] = [
    ['minutes', { ...supposed, minutesPerDay: Number.POSITIVE_INFINITY }],
    ['passes', { ...supposed, reviews: ALWAYS_RIGHT, quizzes: ALWAYS_RIGHT }],
  ]
  if (supposed.noWeekends) without.push(['weekends', { ...supposed, noWeekends: false }])
  if (supposed.holiday) without.push(['holiday', { ...supposed, holiday: null }])
  if (supposed.aim !== null) without.push(['aim', { ...supposed, aim: null }])
  const gains = without.map(([limit, relaxed]) => {
    const runs = repetitions(studies, relaxed, new Calendar(relaxed), 0, seed, COMPARED_REPETITIONS)
    const day = runs[Math.floor((runs.length - 1) / 2)]?.finishedOn ?? likely
    return { limit, days: likely - day }
  })
  const most = gains.reduce((best, one) => (one.days > best.days ? one : best), {
    limit: 'spacing' as Limit,
    days: LEAST_GAIN_DAYS - 1,
  })
  return most
}

const ALWAYS_RIGHT: QualityCounts = [0, 0, 0, 0, 0, 1e6]

/** One course of events, to the finish and at least through the days that are told. */
function run(
  given: readonly Study[],
  supposed: Supposition,
  calendar: Calendar,
  told: number,
  random: () => number,
): Run {
  const draw = { review: drawer(supposed.reviews, random), quiz: drawer(supposed.quizzes, random) }
  let studies = given.map((study) => withAim(study, supposed.aim))
  const days: Run['days'] = []
  const isFinished = () => studies.every(({ map }) => isComplete(map))
  let finishedOn = isFinished() ? 0 : Number.POSITIVE_INFINITY
  for (let day = 0; day < HORIZON_DAYS; day += 1) {
    if (day >= told && finishedOn < day) break
    const { from, until, isFree } = calendar.day(day)
    if (isFree) continue
    studies = studies.map(newStudySitting)
    let [now, minutes, count] = [from, 0, 0]
    for (let tasks = 0; tasks < MOST_TASKS_A_DAY && minutes < supposed.minutesPerDay; tasks += 1) {
      const chosen = choose(studies, now, day)
      if (!chosen) {
        now = earliestReview(studies, now)
        if (now >= until) break
        continue
      }
      const { place, task } = chosen
      const study = studies[place] as Study
      const takes = minutesFor(study, task, supposed.minutesPerQuestion)
      now += Math.round(takes * MINUTE_MS)
      minutes += takes
      const quality = task.do === 'review' ? draw.review() : draw.quiz()
      if (task.do === 'review') count += 1
      const next = answered(study, { to: task.do, nodeId: task.nodeId, quality, at: now })
      studies = studies.with(place, next)
    }
    if (minutes > 0) days.push({ day, count, minutes })
    if (finishedOn > day && isFinished()) finishedOn = day
  }
  return { days, finishedOn }
}

type Asked = Extract<Task, { nodeId: string }>

/** What is done next over all arcs: due reviews first; lessons by turns, beginning with another arc each day. */
function choose(
  studies: readonly Study[],
  now: number,
  day: number,
): { place: number; task: Asked } | null {
  let other: { place: number; task: Asked } | null = null
  for (let n = 0; n < studies.length; n += 1) {
    const place = (day + n) % studies.length
    const task = nextTask(studies[place] as Study, now)
    if (!('nodeId' in task)) continue
    if (task.do === 'review') return { place, task }
    other ??= { place, task }
  }
  return other
}

/** The next moment, after this one, at which a review falls due. */
function earliestReview(studies: readonly Study[], now: number): number {
  const dates = studies.flatMap(({ map }) =>
    map.nodes
      .filter((node) => !isSkipped(node))
      .flatMap(({ nextReviewAt }) =>
        nextReviewAt !== null && nextReviewAt > now ? nextReviewAt : [],
      ),
  )
  return Math.min(Number.POSITIVE_INFINITY, ...dates)
}

/** A concept's estimate is for its lesson with the quiz. */
function minutesFor({ map, rules }: Study, task: Asked, perQuestion: number): number {
  if (task.do !== 'quiz' || task.explained) return perQuestion
  const effort = map.nodes.find(({ id }) => id === task.nodeId)?.effortMinutes ?? 0
  return perQuestion + Math.max(perQuestion, effort - rules.quizQuestions * perQuestion)
}

function withAim(study: Study, aim: number | null): Study {
  if (aim === null) return study
  const { fsrs } = study.rules
  const retention = Math.min(0.97, Math.max(0.7, aim))
  return {
    ...study,
    rules: { ...study.rules, masteryThreshold: aim, fsrs: { ...fsrs, retention } },
  }
}

/** Draws qualities as often as they were counted, together with what is supposed of anybody. */
function drawer(counts: QualityCounts, random: () => number): () => number {
  const weights = [0, 1, 2, 3, 4, 5].map(
    (quality) => (counts[quality] ?? 0) + (PRIOR[quality as keyof typeof PRIOR] ?? 0),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return () => {
    let left = random() * total
    const quality = weights.findIndex((weight) => {
      left -= weight
      return left < 0
    })
    return quality < 0 ? 5 : quality
  }
}

interface CalendarDay {
  date: string
  /** When they begin to study, and the end of the day, UTC ms. */
  from: number
  until: number
  isFree: boolean
}

/** The learner's days from today on, by number. */
class Calendar {
  readonly #supposed: Supposition
  readonly #days = new Map<number, CalendarDay>()
  readonly #today: number

  constructor(supposed: Supposition) {
    this.#supposed = supposed
    const { now, timeZone } = supposed
    this.#today = Date.parse(`${localClock(now, timeZone).date}T00:00:00Z`)
  }

  day(number: number): CalendarDay {
    const known = this.#days.get(number)
    if (known) return known
    const { now, timeZone, studyMinute, noWeekends, holiday } = this.#supposed
    const at = new Date(this.#today + number * DAY_MS)
    const date = at.toISOString().slice(0, 10)
    const tomorrow = new Date(at.getTime() + DAY_MS).toISOString().slice(0, 10)
    const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6
    const day = {
      date,
      from: Math.max(now, localMoment(date, studyMinute ?? EVENING, timeZone)),
      until: localMoment(tomorrow, 0, timeZone),
      isFree:
        (noWeekends && isWeekend) ||
        (holiday !== null && date >= holiday.from && date <= holiday.to),
    }
    this.#days.set(number, day)
    return day
  }
}
