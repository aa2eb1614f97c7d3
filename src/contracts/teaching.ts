/** The teacher's desk: pupils, how a class stands in a course, what one pupil said and answered. */
import { z } from 'zod'
import { TeacherClass, TeacherSession } from './practice.ts'

/** A person a class can be filled with: a learner, or a student of a session, by the id that sessions name. */
export const Pupil = z.object({
  id: z.string(),
  name: z.string(),
  topics: z.int(),
  sessions: z.int(),
  lastActiveAt: z.string().nullable(),
})
export type Pupil = z.infer<typeof Pupil>

export const Need = z.enum(['stuck', 'struggling', 'quiet', 'none', 'not_begun'])

/** A wrong answer that looked like something. */
const MistakeExample = z.object({
  studentId: z.string(),
  name: z.string(),
  question: z.string(),
  answer: z.string(),
  expected: z.string().nullable(),
  at: z.string(),
})

/**
 * What wrong answers looked like. `course`: a misconception of a course, with its text; `arithmetic`: what the numbers
 * show; `topic`: no more is known than what the problem was about; `other`: not even that.
 */
export const Mistake = z.object({
  tag: z.string(),
  kind: z.enum(['course', 'arithmetic', 'topic', 'other']),
  text: z.string().nullable(),
  remedy: z.string().nullable(),
  count: z.int(),
  /** Three at most, of different pupils where there are some. */
  examples: z.array(MistakeExample),
})
export type Mistake = z.infer<typeof Mistake>

export const DeskClass = TeacherClass.extend({
  studentIds: z.array(z.string()),
  /** Who has said nothing yet; they are not quiet. */
  notBegun: z.array(z.string()),
  /** What to call those ids; a student who is no learner goes by the id. */
  names: z.record(z.string(), z.string()),
})
export type DeskClass = z.infer<typeof DeskClass>

const MasteryStatus = z.enum(['unseen', 'diagnosed', 'learning', 'reviewing', 'mastered'])

export const ConceptStanding = z.object({
  status: MasteryStatus,
  /** 0 to 1. */
  score: z.number(),
  isStruggling: z.boolean(),
})
export type ConceptStanding = z.infer<typeof ConceptStanding>

/** Pupils × concepts, in the order in which help is needed; `course` is one of `courses`, null while there is none. */
export const ClassGrid = z.object({
  id: z.string(),
  title: z.string(),
  courses: z.array(z.object({ key: z.string(), title: z.string(), pupils: z.int() })),
  course: z.string().nullable(),
  concepts: z.array(z.object({ id: z.string(), label: z.string() })),
  pupils: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      need: Need,
      struggling: z.int(),
      /** The open session with the problem they are stuck at. */
      stuckAt: z.object({ sessionId: z.string(), problem: z.string() }).nullable(),
      lastActiveAt: z.string().nullable(),
      /** In the order of `concepts`; null where the pupil's map has no such concept. */
      standings: z.array(ConceptStanding.nullable()),
    }),
  ),
  mistakes: z.array(Mistake),
})
export type ClassGrid = z.infer<typeof ClassGrid>

/** A session as lists show it: by names. */
export const DeskSession = TeacherSession.extend({
  name: z.string(),
  /** The question set's title, or the topic and concept that are practised; null: the caller sent its own problem. */
  title: z.string().nullable(),
  problemsDone: z.int(),
  problemsTotal: z.int(),
  lastActiveAt: z.string(),
})
export type DeskSession = z.infer<typeof DeskSession>

/** A session with what was said in it. */
export const SessionDetail = z.object({
  session: DeskSession,
  problems: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      /** What counts as right; null where an outside platform owns the set. */
      expected: z.string().nullable(),
      status: z.enum(['pending', 'in_progress', 'completed', 'skipped']),
      signal: z.enum(['mastered', 'learned', 'struggling', 'stuck']).nullable(),
      attempts: z.int(),
    }),
  ),
  turns: z.array(
    z.object({
      turn: z.int(),
      problemId: z.string(),
      student: z.string(),
      tutor: z.string(),
      category: z.string(),
      isAttempt: z.boolean(),
      at: z.string(),
    }),
  ),
})
export type SessionDetail = z.infer<typeof SessionDetail>

/** An answer that was graded; `expected` is null where an outside platform owns the set, or nothing was written down. */
export const Attempt = z.object({
  id: z.string(),
  at: z.string(),
  /** The topic or the question set. */
  about: z.string(),
  concept: z.string().nullable(),
  question: z.string(),
  answer: z.string(),
  expected: z.string().nullable(),
  verdict: z.enum(['right', 'helped', 'close', 'wrong']),
})
export type Attempt = z.infer<typeof Attempt>

export const PupilPage = z.object({
  id: z.string(),
  name: z.string(),
  need: Need,
  lastActiveAt: z.string().nullable(),
  classes: z.array(z.object({ id: z.string(), title: z.string() })),
  topics: z.array(
    z.object({
      arcId: z.string(),
      title: z.string(),
      phase: z.string(),
      mastered: z.int(),
      concepts: z.array(ConceptStanding.extend({ id: z.string(), label: z.string() })),
      lastSessionAt: z.string().nullable(),
      nextReviewAt: z.string().nullable(),
    }),
  ),
  sessions: z.array(DeskSession),
  /** The latest first. */
  attempts: z.array(Attempt),
  mistakes: z.array(Mistake),
})
export type PupilPage = z.infer<typeof PupilPage>

export const DeskQuestionSet = z.object({
  questionSetId: z.string(),
  title: z.string(),
  problems: z.int(),
  builtIn: z.boolean(),
})
export type DeskQuestionSet = z.infer<typeof DeskQuestionSet>
