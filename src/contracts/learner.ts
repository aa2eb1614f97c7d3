/** A learner at the edge: who they are and when they want to be asked. */
import { z } from 'zod'
import { line, openRecord } from './text.ts'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day as HH:MM')

const zone = z.string().refine((name) => {
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

export const LearnerView = LearnerSettings.extend({ id: z.uuid(), handle: z.string() })

export const Fact = z.object({ id: z.uuid(), fact: z.string(), createdAt: z.string() })

export type LearnerPatch = z.infer<typeof LearnerPatch>
export type LearnerView = z.infer<typeof LearnerView>
