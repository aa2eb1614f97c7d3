/** The state of an arc that comes from outside; the Zod mirror of the domain's `ArcState`, without keys. */
import { z } from 'zod'
import type { ArcState } from '../domain/arc/state.ts'
import { ArcPhase } from './arc.ts'
import { text } from './text.ts'

const id = z.guid()
const time = z.number().min(0).max(8.64e15)
const count = z.int().min(0).max(1_000_000_000)
const quality = z.int().min(0).max(5)
const kind = z.enum(['diagnostic', 'teach', 'quiz', 'review', 'choice'])
const purpose = z.enum(['plain', 'easier', 'placed', 'mixed'])

export const KeylessQuestion = z.object({
  concept: text,
  text,
  format: z.enum(['multiple_choice', 'short_answer', 'program']),
  options: z.array(z.object({ id: text, text })).nullable(),
  difficulty: z.enum(['easy', 'medium', 'hard']),
  source: text.nullable(),
})

const ErrorPattern = z.object({
  patternType: z.enum(['conceptual', 'procedural', 'careless']),
  description: text,
  affectedQuestions: z.array(text),
  suggestedRemediation: text,
})

const Lesson = z.object({
  nodeId: id,
  cycle: z.object({
    cycleNumber: z.int().min(1).max(1000),
    marks: z.array(z.object({ questionId: id, quality: quality.nullable() })),
    missed: z.array(id),
    eased: z.boolean(),
  }),
  startedAt: time,
  stage: z.enum(['explain', 'check', 'quiz', 'feedback']),
  explained: KeylessQuestion.nullable(),
  easier: KeylessQuestion.nullable(),
  quiz: z.object({ questions: z.array(KeylessQuestion).max(20), asked: count }).nullable(),
  errors: z.array(ErrorPattern),
  refresher: z.boolean(),
  quizFirst: z.enum(['lapse', 'known', 'checked']).nullable(),
  mixed: z.boolean(),
})

const Node = z.object({
  id,
  label: text,
  unitId: text.nullable(),
  depth: count,
  sequence: count.nullable(),
  effortMinutes: z.number(),
  masteryStatus: z.enum(['unseen', 'diagnosed', 'learning', 'reviewing', 'mastered']),
  masteryScore: z.number().min(0).max(1),
  easeFactor: z.number(),
  repetitions: count,
  intervalDays: z.number(),
  nextReviewAt: time.nullable(),
  lastReviewedAt: time.nullable(),
  masteredAt: time.nullable(),
  metadata: z.record(z.string(), z.unknown()),
})

const Asking = z.object({
  key: text,
  kind: z.enum([
    ...(['inventory', 'probe', 'summary', 'graph', 'lesson', 'quiz', 'review', 'grade'] as const),
    ...(['explain', 'feedback', 'replan', 'path', 'route', 'help', 'practice'] as const),
    ...(['outcome', 'run-program'] as const),
  ]),
  input: z.record(z.string(), z.unknown()),
  label: text,
})

export const CarriedState = z.object({
  phase: ArcPhase,
  subPhase: z.enum(['explaining', 'questioning', 'evaluating']).nullable(),
  turn: count,
  openTurn: z
    .object({
      inputId: text.nullable(),
      text: text.nullable(),
      closedQuestion: z.boolean(),
      steps: count,
      heldUp: text.optional(),
    })
    .nullable(),
  asking: z.array(Asking).max(20),
  ids: count,
  startedAt: time,
  lastMessageAt: time.nullable(),
  sessionCount: count,
  paused: z.boolean(),
  blocked: z
    .object({
      reason: text,
      since: time,
      retryAt: time,
      waits: z.boolean(),
      tries: count,
      heard: z.number(),
    })
    .nullable(),
  question: z
    .object({
      ...{ id, kind, purpose, nodeId: id.nullable(), label: text },
      attempt: z.union([z.literal(1), z.literal(2)]),
      ...{ hintsGiven: count, unread: count },
      isRecalled: z.boolean().optional(),
      first: z
        .object({ messageId: text, answer: text, option: text.nullable().optional() })
        .nullable(),
    })
    .nullable(),
  diagnosis: z
    .object({
      concepts: z
        .array(
          z.object({
            label: text,
            difficulty: z.enum(['beginner', 'intermediate', 'expert']),
            prerequisites: z.array(text),
          }),
        )
        .max(60),
      probes: z.array(z.object({ label: text, quality })),
      depth: z.enum(['standard', 'thorough']),
      start: z.enum(['beginner', 'intermediate', 'advanced']).optional(),
    })
    .nullable(),
  diagnosed: z.boolean(),
  checkSkipped: z.boolean(),
  lesson: Lesson.nullable(),
  batch: z.array(id),
  mixed: z.boolean(),
  sitting: z.object({
    quizzed: count,
    offersStop: z.boolean(),
    resting: z.boolean(),
    checksLeft: count,
    proved: z.array(id),
  }),
  lastGrade: z
    .object({
      ...{ responseId: id, questionId: id, messageId: text, kind, purpose, quality },
      judgedBy: z.enum(['code', 'model']),
      node: Node,
      history: z.object({
        graded: z.array(z.object({ quality, type: z.enum(['diagnostic', 'teach', 'review']) })),
        reviews: z.array(quality),
        recent: z.array(quality),
      }),
      lesson: Lesson.nullable(),
      question: KeylessQuestion,
      answer: text,
    })
    .nullable(),
  lastCheck: z
    .object({
      ...{ questionId: id, messageId: text, answer: text, question: KeylessQuestion },
      judgedBy: z.enum(['code', 'model']),
    })
    .nullable()
    .optional(),
  eased: z.array(id),
  lapsed: z.array(z.object({ nodeId: id, begin: z.enum(['quiz', 'lesson']) })),
  askedFor: id.nullable(),
  explained: z.object({ nodeId: id, times: count }).nullable(),
  role: z.enum(['coordinator', 'diagnostic', 'tutor', 'quiz', 'feedback', 'pathplanner']),
  speaker: z
    .enum(['coordinator', 'diagnostic', 'tutor', 'quiz', 'feedback', 'pathplanner'])
    .nullable(),
  language: z.enum(['en', 'de']).optional(),
  otherLanguage: z.enum(['en', 'de']).optional(),
  weights: z.array(z.number()).length(21).optional(),
  mistakes: z
    .record(z.string(), z.object({ met: count, avoided: count, fact: text.nullable() }))
    .optional(),
})

/** Nothing of a state is forgotten here when it grows. */
CarriedState.shape satisfies Record<Exclude<keyof ArcState, 'v'>, unknown>
