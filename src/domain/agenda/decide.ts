import type { Input, StoredInput } from '../spine/decision.ts'
import { derivedId } from '../spine/ids.ts'
import {
  type Sent,
  type Settled,
  sendKey,
  settleSending,
  settleWithdrawing,
  withdrawKey,
  withdrawn,
} from './deliveries.ts'
import { listDue, minutesFor } from './due.ts'
import type { OpenExam } from './facts.ts'
import { nextDisturbanceAt, nextNudgeAt } from './next-nudge.ts'
import type { DigestContent, NudgeKind } from './notice.ts'
import { routeOf } from './routes.ts'
import type { Agenda, AgendaEffect, Delivery, Nudge, NudgeContent, StaleArc } from './state.ts'
import { reviewedOn } from './today.ts'

const HOUR_MS = 3_600_000
const REAL_DAY_MS = 24 * HOUR_MS
const SUNDAY = 7
/** When the digest of the week comes, on the learner's clock. */
const DIGEST_TIME = '09:00'
const WEEK_MS = 7 * REAL_DAY_MS
/** So long an exam question that is open again is called for. */
const EXAM_MS = 3 * REAL_DAY_MS
/** A digest that could not be sent in this time is left out. */
const DIGEST_LATE_MS = 36 * HOUR_MS

export const digestKey = (learnerId: string, week: number): string => `digest/${learnerId}/${week}`

/** What an agenda does on an input, at a moment in UTC ms; pure. */
export function decide(
  agenda: Agenda,
  input: Input,
  at: number,
): { loaded: Agenda; effects: AgendaEffect[] } {
  const work = new Work(agenda, at)
  work.take(input)
  work.go()
  return work.isSame ? { loaded: agenda, effects: [] } : work.result
}

/** When the agenda wants to be looked at without an input; null: nothing is to come. */
export function wakeAt(agenda: Agenda, at: number): number | null {
  const { state } = agenda
  const dates: (number | null)[] = [
    nextNudgeAt(agenda, at),
    ...state.nudges.flatMap(({ over, expiresAt, deliveries }) => [
      over === null ? expiresAt : null,
      ...deliveries.map((each) => (each.status === 'waiting' ? each.at : null)),
    ]),
    state.stale.length > 0 || untold(agenda).length > 0 ? nextDisturbanceAt(agenda, at) : null,
    digestDue(agenda, at),
  ]
  const wanted = dates.filter((date) => date !== null)
  return wanted.length > 0 ? Math.min(...wanted) : null
}

/** Exam questions that are open again and that no nudge has told of. */
const untold = ({ state, facts }: Agenda): OpenExam[] =>
  facts.exams.filter(({ key }) => !state.toldExams.includes(key))

/**
 * When the end of a week is to be looked at, at the earliest now; null: the learner has been away. Whoever was there in the
 * week before may still come in this one without the agenda hearing of it.
 */
function digestDue(agenda: Agenda, at: number): number | null {
  const { state, facts, calendar } = agenda
  if (state.digesting !== null) return null
  const week = endOfWeek(agenda, at)
  const seenAt = facts.lastSeenAt ?? state.begunAt
  if (seenAt <= week - 2 * WEEK_MS) return null
  const from = Math.max(at, week, facts.holidayUntil ?? 0, facts.snoozedUntil ?? 0)
  const moment = calendar.outsideQuietHours(from)
  return moment - week <= DIGEST_LATE_MS ? moment : null
}

/** The first Sunday morning after the last digest that is not too long ago to be told of. */
function endOfWeek({ state, calendar }: Agenda, at: number): number {
  const from = Math.max(state.digestAfter, at - DIGEST_LATE_MS)
  return calendar.nextOn(SUNDAY, DIGEST_TIME, from)
}

/** An agenda while it is decided upon. */
class Work {
  #agenda: Agenda
  readonly #before: Agenda
  readonly #at: number
  readonly #effects: AgendaEffect[] = []

  constructor(agenda: Agenda, at: number) {
    this.#agenda = agenda
    this.#before = agenda
    this.#at = at
  }

  get isSame(): boolean {
    return this.#agenda === this.#before && this.#effects.length === 0
  }

  get result() {
    return { loaded: this.#agenda, effects: this.#effects }
  }

  get #state() {
    return this.#agenda.state
  }

  #set(change: Partial<Agenda['state']>): void {
    this.#agenda = { ...this.#agenda, state: { ...this.#state, ...change } }
  }

  take(input: Input): void {
    switch (input.type) {
      case 'input':
        this.#takeUp(input.input)
        break
      case 'answer':
        this.#answer(input.key, input.output)
        break
      case 'no-answer':
        this.#noAnswer(input.key, input.reason)
    }
  }

  /** What the moment brings, whatever the input was. */
  go(): void {
    this.#hearLearner()
    this.#expire()
    this.#tryAgain()
    this.#warnOfStale()
    this.#callBack()
    this.#digest()
    this.#nudge()
    const nudges = this.#state.nudges.filter(
      ({ over, deliveries }) => over === null || deliveries.length > 0,
    )
    if (nudges.length < this.#state.nudges.length) this.#set({ nudges })
  }

  #takeUp({ type, id, payload }: StoredInput): void {
    this.#effects.push({ type: 'answered', inputId: id })
    if (type === 'stale') {
      const { arcId, topic, closed } = payload as unknown as StaleArc
      const others = this.#state.stale.filter((each) => each.arcId !== arcId)
      this.#set({ stale: [...others, { arcId, topic, closed }] })
    }
    if (type === 'seen') this.#welcome()
    if (type === 'snooze') {
      this.#end('withdrawn', () => true)
      this.#set({ ignored: { count: 0, at: this.#at } })
    }
    const { facts } = this.#agenda
    if ((facts.holidayUntil ?? 0) > this.#at) this.#end('withdrawn', () => true)
  }

  /** Where somebody has written since a nudge went out, it is answered, on whatever channel that was. */
  #hearLearner(): void {
    const { lastSeenAt } = this.#agenda.facts
    if (lastSeenAt === null) return
    this.#end('answered', ({ at }) => at < lastSeenAt)
    const { ignored } = this.#state
    if (ignored.count > 0 && lastSeenAt > ignored.at) this.#set({ ignored: { count: 0, at: 0 } })
  }

  #welcome(): void {
    this.#end('answered', () => true)
    if (this.#state.ignored.count > 0) this.#set({ ignored: { count: 0, at: 0 } })
  }

  #expire(): void {
    const at = this.#at
    const ignored = this.#state.nudges.filter(
      ({ kind, over, expiresAt }) => kind === 'reviews' && over === null && expiresAt <= at,
    )
    this.#end('expired', ({ expiresAt }) => expiresAt <= at)
    for (const nudge of ignored) {
      this.#set({ ignored: { count: this.#state.ignored.count + 1, at: nudge.at } })
    }
    // What it calls for is done, or not asked for any more.
    const isAnythingDue = this.#agenda.facts.reviews.some(({ dueAt }) => dueAt <= at)
    if (!isAnythingDue) this.#end('withdrawn', ({ kind }) => kind === 'reviews')
    if (this.#agenda.facts.exams.length === 0) {
      this.#end('withdrawn', ({ kind }) => kind === 'locked-exam')
    }
  }

  /** Ends the nudges that are out and are meant. */
  #end(why: NonNullable<Nudge['over']>, isMeant: (nudge: Nudge) => boolean): void {
    const ended = this.#state.nudges.filter((nudge) => nudge.over === null && isMeant(nudge))
    if (ended.length === 0) return
    this.#set({
      nudges: this.#state.nudges.map((each) =>
        ended.includes(each) ? withdrawn(each, why) : each,
      ),
    })
    for (const { id } of ended) {
      this.#effects.push({ type: 'over', nudgeId: id, why, at: this.#at })
    }
  }

  #tryAgain(): void {
    const isLate = ({ status, at }: Delivery) => status === 'waiting' && at <= this.#at
    if (!this.#state.nudges.some(({ deliveries }) => deliveries.some(isLate))) return
    this.#set({
      nudges: this.#state.nudges.map((nudge) => ({
        ...nudge,
        deliveries: nudge.deliveries.map((each) =>
          isLate(each) ? { ...each, status: 'sending' } : each,
        ),
      })),
    })
  }

  #warnOfStale(): void {
    for (;;) {
      const [stale, ...others] = this.#state.stale
      if (!stale || nextDisturbanceAt(this.#agenda, this.#at) !== this.#at) return
      this.#set({ stale: others })
      this.#send('stale', { stale }, this.#at + WEEK_MS)
    }
  }

  /** Calls back to the exam questions that are open again: one nudge for all, once for each lock. */
  #callBack(): void {
    const exams = untold(this.#agenda)
    if (exams.length === 0) return
    if (nextDisturbanceAt(this.#agenda, this.#at) !== this.#at) return
    this.#set({ toldExams: this.#agenda.facts.exams.map(({ key }) => key) })
    this.#send('locked-exam', { exams }, this.#at + EXAM_MS)
  }

  #digest(): void {
    if (digestDue(this.#agenda, this.#at) !== this.#at) return
    const week = endOfWeek(this.#agenda, this.#at)
    const { lastSeenAt } = this.#agenda.facts
    if (lastSeenAt !== null && lastSeenAt > week - WEEK_MS) this.#set({ digesting: week })
    else this.#endWeek(week)
  }

  /** The week needs no digest any more; half a day on, so that the same Sunday is not met again in another zone. */
  #endWeek(week: number): void {
    this.#set({ digesting: null, digestAfter: week + REAL_DAY_MS / 2 })
  }

  #nudge(): void {
    const { facts, calendar, dayMs } = this.#agenda
    const at = this.#at
    if (nextNudgeAt(this.#agenda, at) !== at) return
    const reviewed = reviewedOn(facts, calendar, at)
    const { listed, held } = listDue(facts.reviews, { at, cap: facts.cap, reviewed })
    const minutes = minutesFor(listed.length, facts.secondsEach)
    // Never longer than a day; on a day of 23 hours it gives way to the next one of the same hour.
    const expiresAt = Math.min(at + dayMs, calendar.sameTimeNextDay(at))
    this.#set({ lastNudgeDay: calendar.day(at) })
    this.#send('reviews', { items: listed, held, minutes }, expiresAt)
  }

  /** Sends a nudge on the page and on the channels of its kind. */
  #send(kind: NudgeKind, said: Partial<NudgeContent>, expiresAt: number): void {
    const { facts, calendar } = this.#agenda
    const at = this.#at
    const date = calendar.date(at)
    const { sent, numbered } = this.#state
    const number = numbered.date === date ? numbered.count + 1 : 1
    const day = calendar.day(at)
    const { first, fallback } = routeOf(this.#agenda, kind)
    const nudge: Nudge = {
      id: derivedId('nudge', facts.learnerId, date, kind, number),
      ...{ kind, at, expiresAt, fallback },
      over: kind === 'digest' ? 'answered' : null,
      deliveries: first.map((each) => ({ ...each, status: 'sending', tries: 0, at })),
    }
    this.#set({
      nudges: [...this.#state.nudges, nudge],
      sent: { day, count: sent.day === day ? sent.count + 1 : 1 },
      numbered: { date, count: number },
    })
    this.#effects.push({
      type: 'nudge',
      id: nudge.id,
      ...{ date, number, at, expiresAt },
      content: { ...NOTHING_SAID, kind, language: facts.language, ...said },
      deliveries: first,
    })
  }

  #answer(key: string, output: unknown): void {
    const week = this.#state.digesting
    if (week !== null && key === digestKey(this.#agenda.facts.learnerId, week)) {
      this.#endWeek(week)
      const digest = output as DigestContent | null
      if (digest) this.#send('digest', { digest }, this.#at + DIGEST_LATE_MS)
      return
    }
    this.#settle(key, (nudge, delivery) => {
      if (delivery.status === 'withdrawing') {
        return settleWithdrawing(nudge, delivery, (output as { done: boolean }).done, this.#at)
      }
      const withdraws = this.#withdraws(delivery)
      return settleSending(nudge, delivery, output as Sent, {
        ...{ at: this.#at, withdraws },
        free: this.#free,
      })
    })
  }

  /** A step did not end: the next one finds out what it came to. */
  #noAnswer(key: string, reason: string): void {
    const week = this.#state.digesting
    if (week !== null && key === digestKey(this.#agenda.facts.learnerId, week)) {
      this.#endWeek(week)
      return
    }
    this.#settle(key, (nudge, delivery) => {
      if (delivery.status === 'withdrawing') {
        return settleWithdrawing(nudge, delivery, false, this.#at)
      }
      const sent = { outcome: 'unavailable', retryAfterMs: null, failure: reason } as const
      const settled = settleSending(nudge, delivery, sent, {
        ...{ at: this.#at, withdraws: false },
        free: this.#free,
      })
      // Its row says whether it was begun: that stays for the next try to find.
      const isOfRow = (effect: AgendaEffect) =>
        effect.type === 'delivery' && effect.status === 'pending'
      return { ...settled, effects: settled.effects.filter((effect) => !isOfRow(effect)) }
    })
  }

  readonly #free = (at: number) => this.#agenda.calendar.outsideQuietHours(at)

  #withdraws({ channel }: Delivery): boolean {
    return this.#agenda.abilities.some((able) => able.channel === channel && able.withdraws)
  }

  #settle(key: string, settle: (nudge: Nudge, delivery: Delivery) => Settled): void {
    for (const nudge of this.#state.nudges) {
      for (const delivery of nudge.deliveries) {
        if (stepKey(nudge, delivery) !== key) continue
        const settled = settle(nudge, delivery)
        this.#set({
          nudges: this.#state.nudges.map((each) => (each === nudge ? settled.nudge : each)),
        })
        this.#effects.push(...settled.effects)
        return
      }
    }
  }
}

const NOTHING_SAID: Omit<NudgeContent, 'kind' | 'language'> = {
  items: [],
  held: 0,
  minutes: null,
  stale: null,
  exams: [],
  digest: null,
}

/** The key of the step that a delivery waits for; null: it waits for none. */
export function stepKey(nudge: Nudge, delivery: Delivery): string | null {
  if (delivery.status === 'sending') return sendKey(nudge, delivery)
  return delivery.status === 'withdrawing' ? withdrawKey(nudge, delivery) : null
}
