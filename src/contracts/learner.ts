/** A learner at the edge: who they are and when they want to be asked. */
import { z } from 'zod'
import { line, openRecord } from './text.ts'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day as HH:MM')

/** Offsets are none: PostgreSQL reads their sign the other way round. */
const OFFSET = /^[+-]/

const zone = z.string().refine((name) => {
  if (OFFSET.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}, 'not an IANA time zone')

const LearnerSettings = z.strictObject({
  name: line(200).nullable(),
  timeZone: zone,
  studyTime: clock.nullable(),
  quietHours: z.strictObject({ from: clock, to: clock }),
  dailyReviewCap: z.int().min(1).max(500),
  holidayUntil: z.iso.datetime({ offset: true }).nullable(),
  channels: openRecord,
  language: line(35).min(2),
})

export const LearnerPatch = LearnerSettings.partial()

export const LearnerView = LearnerSettings.extend({
  id: z.uuid(),
  handle: z.string(),
  /** The names of the settings that somebody set; the others are as Meno found them. */
  chosen: z.array(z.string()),
})

/** Something remembered of a learner, and the topic in which it was noticed; null where the learner wrote it anew. */
export const Fact = z.object({
  id: z.uuid(),
  fact: z.string(),
  /** Who noticed it; what a `mistake` says is not so, it is what the learner has taken for true again and again. */
  source: z.enum(['feedback', 'mistake', 'learner']),
  createdAt: z.string(),
  arcId: z.uuid().nullable(),
  topic: z.string().nullable(),
})

export const FactPatch = z.strictObject({ fact: line(500, 'a fact is needed') })

/** Where a learner stands in a topic: as they said themselves, or as the level check found. */
export const Level = z.object({
  arcId: z.uuid(),
  topic: z.string(),
  level: z.string(),
  source: z.enum(['said', 'checked']),
})

/** What is on record of a learner over all topics, by date of their zone. */
export const Activity = z.object({
  days: z.array(
    z.object({
      date: z.string(),
      answers: z.int(),
      reviews: z.int(),
      /** Reviews that went well. */
      recalled: z.int(),
      /** Time spent on questions, each counted up to ten minutes. */
      seconds: z.int(),
    }),
  ),
  /** Concepts that went wrong more than once, the most missed first. */
  missed: z.array(
    z.object({
      arcId: z.uuid(),
      topic: z.string(),
      nodeId: z.uuid(),
      label: z.string(),
      misses: z.int(),
      /** The newest question that went wrong, and what was answered. */
      question: z.string(),
      answer: z.string().nullable(),
    }),
  ),
})

export type Fact = z.infer<typeof Fact>
export type Level = z.infer<typeof Level>
export type Activity = z.infer<typeof Activity>
export type LearnerPatch = z.infer<typeof LearnerPatch>
export type LearnerView = z.infer<typeof LearnerView>
