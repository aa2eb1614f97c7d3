import { decide, digestKey, stepKey, wakeAt } from '../../../src/domain/agenda/decide.ts'
import type { Sent } from '../../../src/domain/agenda/deliveries.ts'
import type { Review } from '../../../src/domain/agenda/due.ts'
import type { AgendaFacts } from '../../../src/domain/agenda/facts.ts'
import {
  type Agenda,
  type AgendaEffect,
  type AgendaInput,
  newAgenda,
} from '../../../src/domain/agenda/state.ts'
import { StudyCalendar } from '../../../src/domain/agenda/study-calendar.ts'
import type { Input } from '../../../src/domain/spine/decision.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

type Of<T extends AgendaEffect['type']> = Extract<AgendaEffect, { type: T }>

export const review = (arc: number, node: number, dueAt: number): Review => ({
  arcId: `arc-${arc}`,
  topic: `Topic ${arc}`,
  nodeId: `node-${arc}-${String(node).padStart(3, '0')}`,
  label: `Concept ${node}`,
  dueAt,
})

/** An agenda in memory: the real rules, a clock that goes from one wake-up to the next, channels that take everything. */
export class SimulatedAgenda {
  facts: AgendaFacts
  now: number
  readonly effects: AgendaEffect[] = []
  readonly wakes: number[] = []
  readonly asked: { key: string; at: number }[] = []
  abilities: Agenda['abilities'] = [
    { channel: 'telegram', withdraws: true },
    { channel: 'email', withdraws: false },
    { channel: 'push', withdraws: false },
    { channel: 'webhook', withdraws: false },
  ]
  /** What a channel says; the digest of a week is not its concern. */
  onSend: (key: string) => Sent = () => ({ outcome: 'sent', reference: { id: 1 } })
  onDigest: () => unknown = () => null
  #state
  #inputs = 0

  constructor(now: number, facts: Partial<AgendaFacts> = {}) {
    this.now = now
    this.#state = newAgenda(now)
    this.facts = {
      learnerId: '00000000-0000-4000-8000-000000000001',
      times: { timeZone: 'UTC', studyTime: null, quietFrom: '21:00', quietTo: '08:00' },
      cap: 20,
      holidayUntil: null,
      snoozedUntil: null,
      wishes: {},
      language: 'en',
      reviews: [],
      reviewedAt: [],
      lastSeenAt: null,
      secondsEach: null,
      channels: [],
      exams: [],
      ...facts,
    }
  }

  get state() {
    return this.#state
  }

  get agenda(): Agenda {
    const calendar = new StudyCalendar(this.facts.times)
    const { facts, abilities } = this
    return { facts, calendar, abilities, dayMs: DAY_MS, state: this.#state }
  }

  get nudges(): Of<'nudge'>[] {
    return this.effects.filter((effect) => effect.type === 'nudge')
  }

  /** Nudges for reviews alone. */
  get calls(): Of<'nudge'>[] {
    return this.nudges.filter(({ content }) => content.kind === 'reviews')
  }

  all<T extends AgendaEffect['type']>(type: T): Of<T>[] {
    return this.effects.filter((effect): effect is Of<T> => effect.type === type)
  }

  /** Decides, and answers the steps that follow, at once. */
  take(input: Input): void {
    this.#decide(input)
    for (;;) {
      const [key] = this.#wanted()
      if (key === undefined) return
      this.asked.push({ key, at: this.now })
      this.#decide({ type: 'answer', key, output: this.#answerOf(key) })
    }
  }

  tell(type: AgendaInput, payload: Record<string, unknown> = {}): void {
    this.#inputs += 1
    const id = `${type}/${this.#inputs}`
    this.take({
      type: 'input',
      input: { type, id, position: this.#inputs, payload, receivedAt: this.now },
    })
  }

  /** The learner writes now, and answers what is named. */
  reply(answered: readonly string[] = [], dueAgain: number | null = null): void {
    const { reviews, reviewedAt } = this.facts
    this.facts = {
      ...this.facts,
      lastSeenAt: this.now,
      reviewedAt: [...reviewedAt, ...answered.map(() => this.now)],
      reviews: reviews.flatMap((each) => {
        if (!answered.includes(each.nodeId)) return [each]
        return dueAgain === null ? [] : [{ ...each, dueAt: dueAgain }]
      }),
    }
    this.tell('seen')
  }

  /** Lets time pass to a moment, waking whenever the agenda wants to. */
  until(moment: number): void {
    this.take({ type: 'clock', waiting: null })
    for (;;) {
      const next = wakeAt(this.agenda, this.now)
      if (next === null || next > moment) break
      if (next <= this.now) throw new Error(`it wants to be woken at ${next}, at ${this.now}`)
      this.now = next
      this.wakes.push(next)
      this.take({ type: 'clock', waiting: null })
    }
    this.now = moment
  }

  #decide(input: Input): void {
    const before = structuredClone(this.#state)
    const { loaded, effects } = decide(this.agenda, input, this.now)
    if (JSON.stringify(before) !== JSON.stringify(this.#state)) throw new Error('it was changed')
    this.#state = loaded.state
    this.effects.push(...effects)
  }

  #wanted(): string[] {
    const { nudges, digesting } = this.#state
    const week = digesting === null ? [] : [digestKey(this.facts.learnerId, digesting)]
    return [
      ...week,
      ...nudges.flatMap((nudge) =>
        nudge.deliveries.flatMap((delivery) => stepKey(nudge, delivery) ?? []),
      ),
    ]
  }

  #answerOf(key: string): unknown {
    if (key.startsWith('digest/')) return this.onDigest()
    return key.startsWith('withdraw/') ? { done: true } : this.onSend(key)
  }
}
