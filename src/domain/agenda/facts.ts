import type { Language } from '../language/languages.ts'
import type { Review } from './due.ts'
import type { ChannelName } from './notice.ts'
import type { StudyTimes } from './study-calendar.ts'

/** An exam question that was locked for the learner, to which they were called back, and that they have not taken up. */
export interface OpenExam {
  /** Of question and lock: it tells two locks of one question apart. */
  key: string
  courseId: string
  course: string
  /** The title of the unit that it is about; null where the course has it no more. */
  unit: string | null
  /** Where the learner last spoke with the tutor of the course. */
  threadId: string | null
}

/** What is known of a learner over all topics, as it was read; moments in UTC ms. */
export interface AgendaFacts {
  learnerId: string
  times: StudyTimes
  /** How many reviews a day. */
  cap: number
  holidayUntil: number | null
  snoozedUntil: number | null
  /** Which channels the learner wants for what, where they chose. */
  wishes: Record<string, unknown>
  language: Language
  /** The reviews of all open arcs that are neither paused nor archived, earliest first. */
  reviews: Review[]
  /** When the learner answered reviews in the last day or two, newest first. */
  reviewedAt: number[]
  /** The learner's last message, in whatever product. */
  lastSeenAt: number | null
  exams: OpenExam[]
  /** The median time of a review, in seconds; null where nobody knows. */
  secondsEach: number | null
  /** The channels that are linked. */
  channels: { id: string; channel: ChannelName }[]
}
