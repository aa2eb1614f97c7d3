/** Practice sessions as outside platforms and teachers see them (seed 002); field names are the seed's. */
import { z } from 'zod'
import { line, speech, text } from './text.ts'

const id = line(200)
const isBlank = (written: string) => written.trim() === ''

/** A problem as its owner writes it; the answer is judged by code as a number, a set, a formula, or words. */
export const PracticeProblem = z.object({
  id,
  text: text.max(4_000).refine((asked) => !isBlank(asked), 'a problem needs a text'),
  correct_answer: text.max(500).refine((key) => !isBlank(key), 'a problem needs an answer'),
  hints: z.array(text.min(1).max(1_000)).max(10).default([]),
  tags: z.array(line(60)).max(10).default([]),
})
export type PracticeProblem = z.infer<typeof PracticeProblem>

const unique = (problems: { id: string }[]) =>
  new Set(problems.map((problem) => problem.id)).size === problems.length

export const QuestionSet = z.object({
  question_set_id: id,
  title: line(200).optional(),
  problems: z
    .array(PracticeProblem)
    .min(1)
    .max(100)
    .refine(unique, 'two problems have the same id'),
})
export type QuestionSet = z.infer<typeof QuestionSet>

export const CreateSession = z.object({
  student_id: id,
  question_set_id: id,
  session_id: id.optional(),
  problem_ids: z
    .array(id)
    .min(1)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, 'a problem is named twice')
    .optional(),
})
export type CreateSession = z.infer<typeof CreateSession>

/** A student's message; old callers send their problem along. */
export const TurnRequest = z.object({
  session_id: id,
  student_id: id.optional(),
  message: speech(8_000).refine((said) => !isBlank(said), 'a message needs text'),
  message_id: id.optional(),
  current_problem: PracticeProblem.optional(),
})
export type TurnRequest = z.infer<typeof TurnRequest>

export const SessionStatus = z.enum(['active', 'paused', 'completed'])
const Action = z.enum(['ADVANCE', 'CONTINUE', 'INTERVENE'])
const AskedProblem = z.object({ id: z.string(), text: z.string() })

export const TurnResponse = z.object({
  output: z.string(),
  session_id: z.string(),
  category: z.enum([
    'correct',
    'close',
    'wrong_operation',
    'conceptual_question',
    'stuck',
    'off_topic',
    'scaffold_progress',
    'teach_back_explanation',
    'skip',
    'unjudged',
  ]),
  session_status: z.object({
    status: SessionStatus,
    current_problem_index: z.int(),
    action: Action,
    problems_remaining: z.int(),
    skip_offered: z.boolean(),
    current_problem: AskedProblem.optional(),
  }),
})
export type TurnResponse = z.infer<typeof TurnResponse>

export const PracticeDebug = z.object({
  classification: z.object({
    category: z.string(),
    is_main_problem_attempt: z.boolean(),
    judged_by: z.enum(['code', 'model', 'nobody']),
  }),
  mastery_signal: z.string().nullable(),
  state_transitions: z.record(z.string(), z.array(z.unknown())),
})
export type PracticeDebug = z.infer<typeof PracticeDebug>

export const AnsweredTurn = TurnResponse.extend({ _debug: PracticeDebug.optional() })

export const SessionView = z.object({
  session_id: z.string(),
  status: SessionStatus,
  current_problem_index: z.int(),
  current_problem: AskedProblem.optional(),
  problems_completed: z.int(),
  problems_total: z.int(),
  session_analytics: z.object({
    mastery_count: z.int(),
    learned_count: z.int(),
    struggling_count: z.int(),
    scaffolding_invoked_count: z.int(),
    total_time_seconds: z.int(),
    avg_time_per_problem: z.int(),
    struggle_problem_ids: z.array(z.string()),
  }),
})
export type SessionView = z.infer<typeof SessionView>

/** What was said in a session, oldest first, for the student whose it is. */
export const SessionTurns = z.object({
  items: z.array(
    z.object({
      turn: z.int(),
      message_id: z.string(),
      problem_id: z.string(),
      student_message: z.string(),
      tutor_response: z.string(),
      category: z.string(),
      timestamp: z.string(),
    }),
  ),
  /** The problem that the session began with; each later one ends a reply. */
  first_problem: AskedProblem,
})
export type SessionTurns = z.infer<typeof SessionTurns>

export const CreatedSession = z.object({
  session_id: z.string(),
  current_problem_index: z.int(),
  current_problem: AskedProblem,
  status: SessionStatus,
  problems_total: z.int(),
})

export const CompletedSession = z.object({
  session_id: z.string(),
  status: SessionStatus,
  session_report: z.object({
    problems_completed: z.int(),
    mastery_count: z.int(),
    learned_count: z.int(),
    total_time_seconds: z.int(),
    avg_time_per_problem: z.int(),
    struggle_problems: z.array(z.string()),
  }),
})

export const TeacherSession = z.object({
  id: z.uuid(),
  externalSessionId: z.string(),
  studentId: z.string(),
  status: SessionStatus,
  currentProblem: AskedProblem.nullable(),
  attempts: z.int(),
  elapsedSeconds: z.int(),
  delivery: z.enum(['none', 'pending', 'delivered', 'given_up']),
})
export type TeacherSession = z.infer<typeof TeacherSession>

export const TeacherAlert = z.object({
  id: z.uuid(),
  sessionId: z.uuid(),
  studentId: z.string(),
  problemId: z.string(),
  signal: z.enum(['struggling', 'stuck']),
  createdAt: z.string(),
  acknowledgedAt: z.string().nullable(),
  note: z.string().nullable(),
  /** In lists: what the student is called, and the problem. */
  name: z.string().optional(),
  problemText: z.string().optional(),
})
export type TeacherAlert = z.infer<typeof TeacherAlert>

export const TeacherClass = z.object({
  id: z.string(),
  title: z.string(),
  stuckNow: z.array(z.string()),
  quiet: z.array(z.string()),
  misconceptions: z.array(z.object({ tag: z.string(), count: z.int() })),
})
export type TeacherClass = z.infer<typeof TeacherClass>

export const PutClass = z.object({
  title: line(200),
  studentIds: z.array(id).max(1_000),
})

export const CreateIntegration = z.object({
  name: line(200),
  secret: text.min(8).max(200).optional(),
})
