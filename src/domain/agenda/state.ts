import type { Language } from '../language/languages.ts'
import type { Review } from './due.ts'
import type { AgendaFacts, OpenExam } from './facts.ts'
import type { ChannelName, DigestContent, NudgeKind } from './notice.ts'
import type { StudyCalendar } from './study-calendar.ts'

export const AGENDA_VERSION = 1

/** What an agenda is told; what has changed it reads by itself. */
export type AgendaInput =
  /** The earliest review of an arc has moved, or an arc asks for reviews no more, or again. */
  | 'reviews-changed'
  /** The learner has written, while a nudge was out or after a long absence. */
  | 'seen'
  /** Settings of the learner, or their channels, have changed. */
  | 'settings'
  | 'snooze'
  /** An arc is to be closed, or was closed, because its learner stays away; the payload is a `StaleArc`. */
  | 'stale'
  /** A locked exam question of the course tutor is open again. */
  | 'exam-open'

/** An arc whose learner stays away: it will be closed, or it was. */
export interface StaleArc {
  arcId: string
  topic: string
  closed: boolean
}

/** A nudge on one channel, as long as something is to be done about it. */
export interface Delivery {
  channelId: string
  channel: ChannelName
  /**
   * `sending`: a step runs; `waiting`: the channel could not be reached and is tried again at `at`; `sent`: it is there,
   * and is taken back when the nudge is over; `withdrawing`: a step takes it back.
   */
  status: 'sending' | 'waiting' | 'sent' | 'withdrawing'
  /** How often it was tried before. */
  tries: number
  at: number
}

/** A nudge that is out, or of which something is still to be done. */
export interface Nudge {
  id: string
  kind: NudgeKind
  at: number
  expiresAt: number
  /** Why it is over; null: it is out. A digest calls for nothing, and is over from the beginning. */
  over: 'answered' | 'expired' | 'withdrawn' | null
  deliveries: Delivery[]
  /** Channels that stand in where none of the others can be reached. */
  fallback: Pick<Delivery, 'channelId' | 'channel'>[]
}

/** Where an agenda stands, as plain JSON. Moments are UTC ms, days as the learner's calendar counts them. */
export interface AgendaState {
  begunAt: number
  /** How many nudges for reviews were ignored, one after the other, and when the last of them went out. */
  ignored: { count: number; at: number }
  /** The day of the last nudge for reviews. */
  lastNudgeDay: number | null
  /** How many nudges of all kinds went out on the last day that had one. */
  sent: { day: number; count: number }
  /** How many notices the last date that had one has. */
  numbered: { date: string; count: number }
  nudges: Nudge[]
  /** Arcs that go stale, to be told at the next moment at which the learner may be disturbed. */
  stale: StaleArc[]
  /** Exam questions that are open again and of which the learner was told, by their keys. */
  toldExams: string[]
  /** The digest of the week after the one that ended then is the next. */
  digestAfter: number
  /** The end of the week of which a digest is being composed; null: none is. */
  digesting: number | null
}

/** An agenda with everything that a decision about it needs. */
export interface Agenda {
  facts: AgendaFacts
  calendar: StudyCalendar
  /** The length of one day in milliseconds. */
  dayMs: number
  /** The channels of this installation, and whether what was sent can be taken back. */
  abilities: { channel: ChannelName; withdraws: boolean }[]
  state: AgendaState
}

/** What a nudge says, before it is worded. */
export interface NudgeContent {
  kind: NudgeKind
  language: Language
  items: Review[]
  /** How many are due beyond the cap. */
  held: number
  minutes: number | null
  stale: StaleArc | null
  /** Exam questions that are open again. */
  exams: OpenExam[]
  digest: DigestContent | null
}

export type AgendaEffect =
  | { type: 'answered'; inputId: string }
  /** A nudge goes out: on the page at once, on the channels as soon as their steps have run. */
  | {
      type: 'nudge'
      id: string
      date: string
      number: number
      at: number
      expiresAt: number
      content: NudgeContent
      deliveries: Pick<Delivery, 'channelId' | 'channel'>[]
    }
  /** A further channel of a nudge that is out. */
  | { type: 'fallback'; nudgeId: string; delivery: Pick<Delivery, 'channelId' | 'channel'> }
  | { type: 'over'; nudgeId: string; why: NonNullable<Nudge['over']>; at: number }
  | {
      type: 'delivery'
      nudgeId: string
      channelId: string
      status: 'pending' | 'sent' | 'failed' | 'uncertain' | 'withdrawn'
      reference?: Record<string, unknown> | null
      failure?: string
      at: number
    }
  /** The address of a channel is no more. */
  | { type: 'channel-gone'; channelId: string; failure: string }

/** An agenda that has not begun. */
export const newAgenda = (at: number): AgendaState => ({
  begunAt: at,
  ignored: { count: 0, at: 0 },
  lastNudgeDay: null,
  sent: { day: 0, count: 0 },
  numbered: { date: '', count: 0 },
  nudges: [],
  stale: [],
  toldExams: [],
  digestAfter: at,
  digesting: null,
})
