/** The learning arc at the edge: settings, requests and answers of `/api/arcs`. Times are ISO 8601 strings. */
import { z } from 'zod'
import { line, speech, text } from './text.ts'

export const ArcPhase = z.enum([
  'PENDING',
  'DIAGNOSING',
  'PLANNING',
  'TEACHING',
  'QUIZZING',
  'REVIEWING',
  'COMPLETED',
  'ABANDONED',
])
export const SubPhase = z.enum(['explaining', 'questioning', 'evaluating'])

const rising = (steps: number[]) => steps.every((step, i) => i === 0 || step > (steps[i - 1] ?? 0))

export const ArcSettings = z.strictObject({
  maxNodes: z.int().min(5).max(500).default(30),
  maxDepth: z.int().min(1).max(20).default(5),
  unlockAt: z.enum(['reviewing', 'mastered']).default('reviewing'),
  scheduler: z.enum(['sm2', 'fsrs']).default('sm2'),
  learningSteps: z
    .array(z.number().min(0.01).max(60))
    .min(1)
    .max(6)
    .refine(rising, 'each step must be longer than the one before')
    .default([1, 6]),
  masteryThreshold: z.number().min(0.5).max(1).default(0.85),
  maxCycles: z.int().min(1).max(10).default(5),
  quizQuestions: z.int().min(1).max(3).default(3),
  skipDiagnosis: z.boolean().default(false),
  diagnosisDepth: z.enum(['standard', 'thorough']).default('standard'),
  level: z.enum(['unknown', 'beginner', 'intermediate', 'advanced']).default('unknown'),
  maxInterval: z.int().min(7).max(365).default(21),
  onMastered: z.enum(['complete', 'stay']).default('complete'),
  /** Where it is not set, the arc speaks as its learner writes. */
  language: line(35).min(2).optional(),
})

export const CreateArc = z.strictObject({
  topic: line(200, 'a topic is needed'),
  goal: line(500).optional(),
  courseId: line(100).optional(),
  learnerId: line(100).optional(),
  settings: ArcSettings.prefault({}),
})

export const ChangeArc = z
  .strictObject({
    title: line(200, 'a title is needed').nullable(),
    archived: z.boolean(),
    onMastered: z.enum(['complete', 'stay']),
  })
  .partial()

export const CreatedArc = z.object({
  arcId: z.uuid(),
  mindMapId: z.uuid(),
  workflowId: z.string(),
  phase: ArcPhase,
})

export const MessageAction = z.enum([
  ...(['skip', 'skip_concept', 'show', 'hint', 'explain', 'example', 'dont_know'] as const),
  ...(['know_this', 'teach', 'diagnose', 'contest', 'practice'] as const),
])

export const SendMessage = z
  .strictObject({
    text: speech(8_000, 'a message has at most 8,000 characters').optional(),
    messageId: text.min(1).max(100).optional(),
    questionId: z.guid().optional(),
    action: MessageAction.optional(),
    /** The concept that the action is about; else the one in hand. */
    nodeId: z.guid().optional(),
  })
  .refine((m) => m.action !== undefined || (m.text ?? '').trim() !== '', {
    path: ['text'],
    message: 'a message needs text, or an action',
  })

export const PendingQuestion = z.object({
  id: z.string(),
  kind: z.enum(['diagnostic', 'teach', 'quiz', 'review', 'choice']),
  text: z.string(),
  format: z.enum(['multiple_choice', 'short_answer', 'free_text', 'program']),
  attempt: z.union([z.literal(1), z.literal(2)]),
  hintsLeft: z.int(),
  options: z.array(z.object({ id: z.string(), text: z.string() })).optional(),
  /** Of a written answer that code judges: what kind it is, so that what is read can be shown while it is typed. */
  answerKind: z
    .enum(['number', 'expression', 'equation', 'inequality', 'set', 'pair', 'text', 'code'])
    .optional(),
  /** Of a program: what stands in the editor at first, and the tests that are not hidden. */
  program: z
    .object({
      language: z.literal('python'),
      starter: z.string().optional(),
      examples: z.array(z.object({ input: z.string(), output: z.string() })),
    })
    .optional(),
  nodeId: z.string().optional(),
})

const Blocked = z.object({ reason: z.string(), since: z.string(), retryAt: z.string() })

export const ArcMessage = z.object({
  id: z.string(),
  role: z.enum(['learner', 'tutor', 'system']),
  text: z.string(),
  card: z.record(z.string(), z.unknown()).optional(),
  nodeId: z.string().optional(),
  questionId: z.string().optional(),
  replaces: z.string().optional(),
  phase: ArcPhase,
  createdAt: z.string(),
})

export const ArcView = z.object({
  arcId: z.uuid(),
  mindMapId: z.uuid(),
  topic: z.string(),
  /** What the learner calls it; null where it is called by its topic. */
  title: z.string().nullable(),
  archived: z.boolean(),
  goal: z.string().nullable(),
  courseId: z.string().nullable(),
  tutor: z.enum(['anthropic', 'offline']),
  phase: ArcPhase,
  subPhase: SubPhase.nullable(),
  currentNode: z.object({ id: z.string(), label: z.string() }).nullable(),
  sessionCount: z.int(),
  startedAt: z.string(),
  lastSessionAt: z.string().nullable(),
  nextReviewAt: z.string().nullable(),
  mastery: z.object({ mastered: z.int(), total: z.int(), pct: z.number() }),
  /** Concepts learned (passed or placed), in memory (reviewed with success) and mastered; each holds those after it. */
  progress: z.object({
    learned: z.int(),
    inMemory: z.int(),
    mastered: z.int(),
    total: z.int(),
  }),
  workflowId: z.string(),
  pendingQuestion: PendingQuestion.nullable(),
  blocked: Blocked.nullable(),
  paused: z.boolean(),
  /** Whether the learner said that it is enough for now: nothing is asked until they write, or a review is due. */
  resting: z.boolean(),
  practiceSessionId: z.string().optional(),
  diagnosticResults: z.array(
    z.object({
      label: z.string(),
      nodeId: z.string().optional(),
      quality: z.int(),
      inferredMastery: z.number(),
    }),
  ),
  settings: ArcSettings,
})

export const Turn = z.object({
  messageId: z.string(),
  replies: z.array(ArcMessage),
  phase: ArcPhase,
  pendingQuestion: PendingQuestion.nullable(),
})

export const MindMapView = z.object({
  mindMap: z.object({
    id: z.uuid(),
    title: z.string(),
    status: z.enum(['creation', 'active', 'completed', 'abandoned']),
    rootNodeId: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
  }),
  nodes: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      description: z.string(),
      depth: z.int(),
      sequence: z.int().nullable(),
      masteryStatus: z.enum(['unseen', 'diagnosed', 'learning', 'reviewing', 'mastered']),
      masteryScore: z.number(),
      inferred: z.number().optional(),
      easeFactor: z.number(),
      repetitions: z.int(),
      intervalDays: z.number(),
      nextReviewAt: z.string().nullable(),
      effortMinutes: z.int(),
      placed: z.boolean(),
      unitId: z.string().nullable(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
  edges: z.array(
    z.object({
      parentNodeId: z.string(),
      childNodeId: z.string(),
      edgeType: z.enum(['prerequisite', 'related']),
    }),
  ),
  frontier: z.array(z.string()),
  nextNodeId: z.string().nullable(),
})

const Tally = z.object({ right: z.int(), of: z.int() })

/** A topic looked back upon. `open` is what was neither learned nor set aside; `seconds` leave breaks out. */
export const ArcSummary = z.object({
  concepts: z.array(
    z.object({
      nodeId: z.string(),
      label: z.string(),
      standing: z.enum(['mastered', 'learned', 'skipped', 'open']),
      seconds: z.int(),
      answers: Tally,
    }),
  ),
  /** Of the graded answers after the level check, how many were missed or right only with help; the hardest first. */
  hardest: z.array(
    z.object({
      nodeId: z.string(),
      label: z.string(),
      answers: z.int(),
      missed: z.int(),
      helped: z.int(),
    }),
  ),
  /** Of the first and of the last `of` answers, how many were right. */
  improved: z.array(
    z.object({
      nodeId: z.string(),
      label: z.string(),
      of: z.int(),
      first: z.int(),
      last: z.int(),
    }),
  ),
  /** What the installed courses have for afterwards; each can be begun as an arc on this topic of this course. */
  next: z.array(
    z.object({
      kind: z.enum(['unit', 'course']),
      topic: z.string(),
      courseId: z.string(),
      minutes: z.int(),
    }),
  ),
})

export type ArcSummary = z.infer<typeof ArcSummary>
export type ArcPhase = z.infer<typeof ArcPhase>
export type SubPhase = z.infer<typeof SubPhase>
export type ArcSettings = z.infer<typeof ArcSettings>
export type ChangeArc = z.infer<typeof ChangeArc>
export type CreateArc = z.infer<typeof CreateArc>
export type CreatedArc = z.infer<typeof CreatedArc>
export type MessageAction = z.infer<typeof MessageAction>
export type SendMessage = z.infer<typeof SendMessage>
export type PendingQuestion = z.infer<typeof PendingQuestion>
export type Blocked = z.infer<typeof Blocked>
export type ArcMessage = z.infer<typeof ArcMessage>
export type ArcView = z.infer<typeof ArcView>
export type Turn = z.infer<typeof Turn>
export type MindMapView = z.infer<typeof MindMapView>

/** A struggling part of the map that could be planned again; `nodeId` is where the part begins. */
export const ReplanProposal = z.object({
  id: z.uuid(),
  nodeId: z.uuid(),
  label: z.string(),
  reason: z.string(),
  strugglingNodes: z.array(z.object({ id: z.uuid(), label: z.string() })),
  status: z.enum(['open', 'accepted', 'declined', 'withdrawn']),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
})
export type ReplanProposal = z.infer<typeof ReplanProposal>
