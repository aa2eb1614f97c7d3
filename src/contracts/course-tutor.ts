/**
 * The course tutor's objects and endpoints (seed 004): what the model returns, in snake_case; what is stored, shown and
 * sent over HTTP, in camelCase except `drill.question_latex`, which the seed writes so.
 */
import { z } from 'zod'
import type { ExamAvailability as DomainExamAvailability } from '../domain/course/exams/exam-availability.ts'
import type { PolicyRule } from '../domain/course/policy/policy-validation.ts'
import type { TutorPolicy as DomainPolicy } from '../domain/course/policy/tutor-policy.ts'
import type { SnapshotLite as DomainSnapshotLite } from '../domain/course/snapshot/snapshot-lite.ts'
import type { StudentSnapshot as DomainSnapshot } from '../domain/course/snapshot/student-snapshot.ts'
import type { TurnAnalysis as DomainTurnAnalysis } from '../domain/course/units/mapped-units.ts'
import { line, speech, text } from './text.ts'

const words = z.string().min(1)

const id = text.min(1).max(200)
const count = z.int().nonnegative()
const instant = z.iso.datetime({ offset: true })

const ExamTier = z.enum(['bronze', 'silver', 'gold'])
const MasteryTier = z.enum(['none', 'bronze', 'silver', 'gold'])
const StudentIntent = z.enum(['solve', 'explain', 'check', 'stuck', 'unknown'])
const UnderstandingSignal = z.enum(['confident', 'uncertain', 'confused'])
const TutorAction = z.enum(['SOCRATIC_QUESTION', 'CONCEPT_CARD', 'DRILL_CARD', 'EXAM_BLOCK'])

/** Seed 004 PF-3.6.5. How much a card may hold is the policy's rule, not the schema's. */
export const LlmTutorResponse = z.strictObject({
  mapped_units: z.array(z.strictObject({ unit_id: z.string(), confidence: z.number() })),
  action: TutorAction,
  target_unit_id: words,
  tutor_text: words,
  turn_analysis: z.strictObject({
    student_intent: StudentIntent,
    understanding_signal: UnderstandingSignal,
    suggested_prereq_units: z.array(z.string()),
  }),
  concept_card: z
    .strictObject({
      key_ideas: z.array(words),
      worked_example: z
        .strictObject({
          problem_latex: words,
          final_answer_latex: words,
          steps_latex: z.array(words).exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  drill_card: z
    .strictObject({ prompt: words, question_latex: words, expected_answer: words })
    .exactOptional(),
  exam_suggestion: z.strictObject({ question_id: words, difficultyTier: ExamTier }).exactOptional(),
})

/** Seed 004 PF-4.1. */
export const DrillGrade = z.object({
  is_correct: z.boolean(),
  feedback_text: words,
  common_mistake_tag: z.string().nullable(),
})

const TurnAnalysis = z.object({
  mappedUnits: z.array(z.object({ unitId: id, confidence: z.number().min(0).max(1) })),
  studentIntent: StudentIntent,
  understandingSignal: UnderstandingSignal,
  suggestedPrereqUnits: z.array(id),
}) satisfies z.ZodType<DomainTurnAnalysis>

export const StudentSnapshot = z.object({
  studentId: id,
  courseId: id,
  focusUnitId: id,
  unitsInProgress: z.array(id),
  unitProgress: z.record(
    id,
    z.object({
      status: z.enum(['not_started', 'in_progress', 'mastered']),
      masteryTier: MasteryTier,
      lastTouchedAt: instant,
      drill: z.object({ attempts: count, correct: count, streakCorrect: count }),
      exam: z.object({ passedByTier: z.record(ExamTier, count) }),
      confusionTags: z.record(z.string(), count),
    }),
  ),
  examTouched: z.record(id, z.boolean()),
  revisitQueue: z.record(id, z.object({ unitId: id, tier: ExamTier })),
  lastTurnAnalysis: TurnAnalysis.nullable(),
  lastTurnAt: instant,
}) satisfies z.ZodType<DomainSnapshot>

export const TutorPolicy = z.object({
  turnId: id,
  focusUnitId: id,
  primaryTargetUnitId: id,
  prereqBlockingUnitId: id.nullable(),
  scopedUnitIds: z.array(id),
  allowedActions: z.array(TutorAction),
  stuck: z.boolean(),
  examReady: z.boolean(),
  desiredExamTier: ExamTier,
  examAvailability: z.enum(['available', 'locked', 'none']),
  constraints: z.object({
    maxConceptWords: count,
    maxWorkedExamples: count,
    drillMaxSteps: count,
  }),
}) satisfies z.ZodType<DomainPolicy>

export const SnapshotLite = z.object({
  focus: z.object({ unitId: id, title: z.string(), masteryTier: MasteryTier }),
  prereqNudge: z.object({ unitId: id, title: z.string() }).nullable(),
  revisit: z.object({
    lockedCount: count,
    nextEligibleAt: z.string().nullable(),
    nextQuestionId: id.nullable(),
  }),
  progress: z.object({ bronze: count, silver: count, gold: count, total: count }),
}) satisfies z.ZodType<DomainSnapshotLite>

const examStatus = {
  status: z.enum(['available', 'locked', 'passed']),
  lockedUntil: z.string().exactOptional(),
}

/** Strict, so that no key of a drill or an exam question can pass to the browser. */
export const TutorCard = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('CONCEPT'),
    unitId: id,
    keyIdeas: z.array(words),
    workedExample: z
      .strictObject({
        problemLatex: words,
        finalAnswerLatex: words,
        stepsLatex: z.array(words).exactOptional(),
      })
      .exactOptional(),
  }),
  z.strictObject({
    type: z.literal('DRILL'),
    unitId: id,
    prompt: words,
    questionLatex: words,
    token: words,
  }),
  z.strictObject({
    type: z.literal('EXAM'),
    unitId: id,
    questionId: id,
    tier: ExamTier,
    questionLatex: words,
    options: z.array(z.strictObject({ id, text: words })),
    ...examStatus,
  }),
])

export const TutorMessage = z.object({
  id,
  threadId: id,
  role: z.enum(['user', 'assistant', 'system']),
  text: z.string(),
  latex: z.string().nullable(),
  card: TutorCard.exactOptional(),
  createdAt: instant,
})

/** Buttons of the screen. Seed 004 PF-6.2. */
export const ClientEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('NONE') }),
  z.object({ type: z.literal('REQUEST_DRILL'), unitId: id }),
  z.object({ type: z.literal('DRILL_STUCK'), unitId: id }),
  z.object({
    type: z.literal('DRILL_CONTINUE'),
    unitId: id,
    lastResult: z.enum(['correct', 'incorrect']),
  }),
  z.object({
    type: z.literal('EXAM_CONTINUE'),
    unitId: id,
    questionId: id,
    result: z.enum(['passed', 'locked']),
  }),
])

export const CreateThread = z.object({
  courseId: id,
  title: line(200).exactOptional(),
})
export const CreatedThread = z.object({ threadId: id })
const Thread = z.object({
  threadId: id,
  courseId: id,
  title: z.string().nullable(),
  createdAt: instant,
  lastMessageAt: instant.nullable(),
})
export const ThreadList = z.object({ items: z.array(Thread) })
/** `snapshotLite` is null when the course is not installed any more. */
export const ThreadView = Thread.extend({ snapshotLite: SnapshotLite.nullable() })
export const ThreadMessages = z.object({ items: z.array(TutorMessage) })

const typed = speech(8_000).trim()

/** Words, LaTeX, what was heard, or a button: at least one. The thread knows the course already. */
export const TurnRequest = z
  .object({
    courseId: id.exactOptional(),
    messageText: typed.exactOptional(),
    messageLatex: typed.exactOptional(),
    voiceTranscript: typed.exactOptional(),
    clientEvent: ClientEvent.default({ type: 'NONE' }),
  })
  .refine(
    ({ messageText, messageLatex, voiceTranscript, clientEvent }) =>
      Boolean(messageText || messageLatex || voiceTranscript) || clientEvent.type !== 'NONE',
    { path: ['messageText'], message: 'a turn needs a message or a client event' },
  )
/** `messages` are this turn's, oldest first, the tutor's last. */
export const TurnResponse = z.object({
  turnId: id,
  messages: z.array(TutorMessage),
  snapshotLite: SnapshotLite,
})

/** The card's drill sent back; `questionLatex` is accepted for `question_latex`. */
const SentDrill = z
  .object({
    prompt: text.min(1),
    question_latex: text.min(1).exactOptional(),
    questionLatex: text.min(1).exactOptional(),
    token: text.min(1),
  })
  .transform(({ prompt, question_latex, questionLatex, token }, context) => {
    const question = question_latex ?? questionLatex
    if (question !== undefined) return { prompt, questionLatex: question, token }
    context.addIssue({ code: 'custom', path: ['question_latex'], message: 'required' })
    return z.NEVER
  })
export const DrillGradeRequest = z.object({
  courseId: id,
  unitId: id,
  drill: SentDrill,
  studentAnswer: speech(2_000).trim().min(1),
})
export const DrillGradeResponse = z.object({
  isCorrect: z.boolean(),
  /** False where nobody could read the answer: the drill is open as before. */
  isCounted: z.boolean(),
  feedbackText: z.string(),
  commonMistakeTag: z.string().nullable(),
  snapshotLite: SnapshotLite,
})

/** The server judges the option: `isCorrect`, `unitId` and `difficultyTier` of a client are dropped. */
export const McqSubmitRequest = z.object({ courseId: id, questionId: id, selectedOptionId: id })
export const McqSubmitResponse = z.object({
  isCorrect: z.boolean(),
  ...examStatus,
  masteryTier: MasteryTier,
  snapshotLite: SnapshotLite,
})

const SupportType = z.enum(['memo', 'video'])
export const SupportViewedRequest = z.object({
  courseId: id,
  unitId: id.exactOptional(),
  questionId: id,
  supportType: SupportType,
})
export const SupportViewedResponse = z.object({
  supportType: SupportType,
  text: z.string().exactOptional(),
  url: z.string().exactOptional(),
  ...examStatus,
  snapshotLite: SnapshotLite,
})

const ExamAvailability = z.object({
  availability: TutorPolicy.shape.examAvailability,
  candidateIds: z.array(id),
  nextEligibleAt: z.string().nullable(),
}) satisfies z.ZodType<DomainExamAvailability>

/** A policy rule that was broken, or why there was nothing to judge by the policy. */
const ValidationRule: z.ZodType<PolicyRule | 'malformed' | 'late' | 'failed'> = z.enum([
  'action_not_allowed',
  'target_out_of_scope',
  'card_on_socratic_question',
  'missing_card',
  'concept_without_stuck',
  'too_many_key_ideas',
  'too_many_worked_examples',
  'too_many_words',
  'wrong_exam_tier',
  'exam_not_candidate',
  'exam_not_available',
  'malformed',
  'late',
  'failed',
])

/** The thread's last turn, for the debug drawer. Seed 004 PF-7.2. */
export const TurnDebug = z.object({
  turnId: id,
  mappedUnits: TurnAnalysis.shape.mappedUnits,
  policy: TutorPolicy,
  candidates: z.array(z.object({ unitId: id, score: z.number() })),
  snapshotLite: SnapshotLite,
  validation: z.object({
    passed: z.boolean(),
    violations: z.array(z.object({ rule: ValidationRule, detail: z.string() })),
  }),
  fallback: z.boolean(),
  action: TutorAction,
  examAvailability: ExamAvailability,
  prompt: z.string().nullable(),
  rawAnswer: z.string().nullable(),
})

export type LlmTutorResponse = z.infer<typeof LlmTutorResponse>
export type DrillGrade = z.infer<typeof DrillGrade>
export type StudentSnapshot = DomainSnapshot
export type TutorPolicy = DomainPolicy
export type SnapshotLite = DomainSnapshotLite
export type TutorCard = z.infer<typeof TutorCard>
export type TutorMessage = z.infer<typeof TutorMessage>
export type ClientEvent = z.infer<typeof ClientEvent>
export type CreateThread = z.infer<typeof CreateThread>
export type ThreadList = z.infer<typeof ThreadList>
export type ThreadView = z.infer<typeof ThreadView>
export type TurnRequest = z.infer<typeof TurnRequest>
export type TurnResponse = z.infer<typeof TurnResponse>
export type DrillGradeRequest = z.infer<typeof DrillGradeRequest>
export type DrillGradeResponse = z.infer<typeof DrillGradeResponse>
export type McqSubmitRequest = z.infer<typeof McqSubmitRequest>
export type McqSubmitResponse = z.infer<typeof McqSubmitResponse>
export type SupportViewedRequest = z.infer<typeof SupportViewedRequest>
export type SupportViewedResponse = z.infer<typeof SupportViewedResponse>
export type TurnDebug = z.infer<typeof TurnDebug>
