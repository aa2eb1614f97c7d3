import { inOrderDue } from './due.ts'
import type { Agenda } from './state.ts'
import { reviewedOn } from './today.ts'

const REAL_DAY_MS = 86_400_000
/** So long after a learner's last message nobody interrupts them. */
const PRESENT_MS = 10 * 60_000
/** How many nudges of all kinds a day may have. */
const MOST_A_DAY = 2
/** After so many ignored in a row there is a nudge every other day only. */
const IGNORED_TO_SLOW = 3

/** The first moment from `at` on at which a condition holds, for all that is known at `at`; Infinity: never. */
type Condition = (agenda: Agenda, at: number) => number

/** Nothing is sent before that: a snooze, a holiday, the quiet hours. */
const heldBack: Condition = ({ facts, calendar }, at) => {
  const from = Math.max(at, facts.snoozedUntil ?? at, facts.holidayUntil ?? at)
  return calendar.outsideQuietHours(from)
}

const mayHaveAnother: Condition = ({ state, calendar }, at) => {
  const { day, count } = state.sent
  return count >= MOST_A_DAY && calendar.day(at) === day ? calendar.startOf(day + 1) : at
}

const isNotThere: Condition = ({ facts: { lastSeenAt }, dayMs }, at) => {
  const present = (PRESENT_MS * dayMs) / REAL_DAY_MS
  return lastSeenAt === null ? at : Math.max(at, lastSeenAt + present)
}

const afterTheOneBefore: Condition = ({ state }, at) =>
  state.nudges
    .filter(({ kind, over }) => kind === 'reviews' && over === null)
    .reduce((latest, { expiresAt }) => Math.max(latest, expiresAt), at)

const atItsRate: Condition = ({ state, calendar }, at) => {
  const { ignored, lastNudgeDay } = state
  if (ignored.count < IGNORED_TO_SLOW || lastNudgeDay === null) return at
  return Math.max(at, calendar.startOf(lastNudgeDay + 2))
}

const fromStudyTime: Condition = ({ calendar }, at) => calendar.fromStudyTime(at)

/**
 * Something is listed that the learner does not know of: it fell due after they were last there, or they were last there
 * on another day.
 */
const somethingIsDue: Condition = (agenda, at) => {
  const { facts, calendar } = agenda
  const { reviews, lastSeenAt, cap } = facts
  const due = inOrderDue(reviews.filter(({ dueAt }) => dueAt <= at))
  const listed = due.slice(0, Math.max(0, cap - reviewedOn(facts, calendar, at)))
  const isOtherDay = lastSeenAt === null || calendar.day(lastSeenAt) !== calendar.day(at)
  if (listed.some(({ dueAt }) => isOtherDay || dueAt > lastSeenAt)) return at
  const later = reviews.reduce(
    (first, { dueAt }) => (dueAt > at ? Math.min(first, dueAt) : first),
    Number.POSITIVE_INFINITY,
  )
  if (due.length === 0) return later
  return Math.min(later, calendar.startOf(calendar.day(at) + 1))
}

const TO_DISTURB: readonly Condition[] = [heldBack, mayHaveAnother, isNotThere]
const TO_NUDGE: readonly Condition[] = [
  ...TO_DISTURB,
  afterTheOneBefore,
  atItsRate,
  fromStudyTime,
  somethingIsDue,
]
/** Each condition only moves the moment on; whoever is pushed so often has years before them. */
const MOST_PUSHES = 5_000

/** The first moment from `at` on at which all conditions hold, as things stand; null: never. */
function firstMoment(agenda: Agenda, at: number, conditions: readonly Condition[]): number | null {
  let moment = at
  for (let pushes = 0; pushes < MOST_PUSHES; pushes += 1) {
    const pushed = conditions.reduce(
      (from, holds) => (Number.isFinite(from) ? holds(agenda, from) : from),
      moment,
    )
    if (!Number.isFinite(pushed)) return null
    if (pushed === moment) return moment
    moment = pushed
  }
  return moment
}

/** When the learner is next to be nudged for reviews, in UTC ms from `at` on; null: not as things stand. */
export const nextNudgeAt = (agenda: Agenda, at: number): number | null =>
  firstMoment(agenda, at, TO_NUDGE)

/** When the learner may next be disturbed for something else. */
export const nextDisturbanceAt = (agenda: Agenda, at: number): number | null =>
  firstMoment(agenda, at, TO_DISTURB)
