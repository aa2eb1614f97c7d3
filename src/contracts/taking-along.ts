/** What a learner takes along to another installation. */
import { z } from 'zod'
import { ArcPhase, ArcSettings } from './arc.ts'
import { LearnerView } from './learner.ts'
import { openRecord, text } from './text.ts'

/** Told in every export; an import takes its own version. */
export const EXPORT_FORMAT = 'meno-learner'
export const EXPORT_VERSION = 1

/** The file of an import has at most this many bytes; most of a large one is its record of events, which is read over. */
export const MOST_IMPORTED = 1_000_000_000
/** The rows that an import takes have at most this many: they are held in memory. */
export const MOST_BROUGHT = 64_000_000

/** The export as it is described: the rows of each table, as the database has them. */
export const LearnerExport = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION, 'another version of Meno made this export'),
  exportedAt: z.iso.datetime(),
  learner: z.object(LearnerView.shape),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})

/** What an import has brought: topics, maps without a topic, and courses that were not here before. */
export const ImportOutcome = z.object({
  arcs: z.int(),
  maps: z.int(),
  courses: z.int(),
  /** Topics, maps and courses that were here already, and stay as they are. */
  unchanged: z.int(),
})

export type ImportOutcome = z.infer<typeof ImportOutcome>

const id = z.guid()
const time = z.iso.datetime({ offset: true })
const some = <T extends z.ZodType>(schema: T) => schema.nullable()
const quality = z.int().min(0).max(5)
const whole = z.int().min(-2_147_483_648).max(2_147_483_647)
const natural = whole.min(0)
const texts = z.array(text)
const optionsShown = z.array(z.object({ id: text, text })).max(30)

const Arc = z.object({
  ...{ id, mind_map_id: id, topic: text, goal: some(text), course_id: some(text) },
  goal_unit_ids: texts,
  tutor: z.enum(['anthropic', 'offline']),
  // A setting that is new here has its default.
  settings: ArcSettings,
  phase: ArcPhase,
  sub_phase: some(z.enum(['explaining', 'questioning', 'evaluating'])),
  ...{ current_node_id: some(id), pending_question: some(id), paused: z.boolean() },
  blocked: some(z.object({ reason: text, since: time, retryAt: time })),
  ...{ session_count: natural, next_review_at: some(time), revived_from: some(id) },
  ...{ stale_warned_at: some(time), abandon_reason: some(text), title: some(text) },
  ...{ archived: z.boolean(), started_at: time, last_session_at: some(time), updated_at: time },
})

const MindMap = z.object({
  ...{ id, title: text, root_node_id: some(id), metadata: openRecord },
  status: z.enum(['creation', 'active', 'completed', 'abandoned']),
  ...{ learner_id: some(id), created_at: time, updated_at: time },
})

const MindMapNode = z.object({
  ...{ id, mind_map_id: id, label: text.max(200), description: some(text), depth: natural },
  ...{
    sequence: some(natural),
    mastery_score: z.number().min(0).max(1),
    inferred: some(z.number()),
  },
  mastery_status: z.enum(['unseen', 'diagnosed', 'learning', 'reviewing', 'mastered']),
  ...{ ease_factor: z.number().min(1.3).max(10), repetitions: natural },
  ...{ interval_days: z.number().min(0), next_review_at: some(time), last_reviewed_at: some(time) },
  ...{ mastered_at: some(time), effort_minutes: some(natural), unit_id: some(text) },
  ...{ metadata: openRecord, created_at: time, updated_at: time },
})

const MindMapEdge = z.object({
  ...{ mind_map_id: id, parent_node_id: id, child_node_id: id },
  edge_type: z.enum(['prerequisite', 'related']),
})

const ArcMessage = z.object({
  ...{ arc_id: id, id: text.max(300), role: z.enum(['learner', 'tutor', 'system']), text },
  ...{ action: some(text), channel: text, card: some(openRecord), node_id: some(id) },
  ...{ question_id: some(id), phase: text, turn: some(natural), replaces: some(text) },
  ...{ step_key: some(text), created_at: time },
})

const ArcQuestion = z.object({
  ...{ id, arc_id: id, node_id: some(id), concept: text, text },
  kind: z.enum(['diagnostic', 'teach', 'quiz', 'review', 'choice']),
  format: z.enum(['multiple_choice', 'short_answer', 'free_text', 'program']),
  options: some(optionsShown),
  ...{ expected: text, solution: some(text), difficulty: text, source: some(text) },
  attempt: z.union([z.literal(1), z.literal(2)]),
  ...{
    hints_given: natural.max(100),
    opened_at: time,
    closed_at: some(time),
    quality: some(quality),
  },
})

const QuizResponse = z.object({
  ...{ id, node_id: id, mind_map_id: id, question_text: text, user_answer: some(text), quality },
  response_type: z.enum(['diagnostic', 'teach', 'review']),
  ...{ session_id: some(id), question_id: some(id), attempt_number: natural },
  ...{ time_taken_seconds: some(z.number().min(0)), evaluator_notes: some(text) },
  responded_at: time,
})

const TutoringSession = z.object({
  ...{ session_id: id, external_session_id: text, student_id: text, arc_id: some(id) },
  ...{ integration_id: some(id), node_id: some(id), arc_turn: some(whole), question_set_id: text },
  tutor: z.enum(['anthropic', 'offline']),
  status: z.enum(['active', 'paused', 'completed']),
  ...{ implicit: z.boolean(), current_problem_index: natural, problems_completed: natural },
  ...{ problems_total: natural, mastery_count: natural, learned_count: natural },
  ...{ struggling_count: natural, scaffolding_invoked_count: natural, total_time_seconds: natural },
  ...{ counted_until: time, created_at: time, last_active: time, completed_at: some(time) },
})

const ProblemAttempt = z.object({
  ...{ session_id: id, problem_id: text, problem_index: natural, problem_text: text, tags: texts },
  status: z.enum(['pending', 'in_progress', 'completed', 'skipped']),
  ...{ attempt_count: natural, first_attempt_category: some(text), final_category: some(text) },
  ...{ scaffolding_invoked: z.boolean(), scaffolding_depth_reached: natural },
  ...{ time_started: some(time), time_completed: some(time), time_spent_seconds: z.number() },
  mastery_signal: some(z.enum(['mastered', 'learned', 'struggling', 'stuck'])),
  node_id: some(id),
  ...{ struggled: z.boolean(), explained: some(z.boolean()) },
})

const ConversationTurn = z.object({
  ...{ session_id: id, turn: natural, message_id: text, problem_id: text, problem_index: natural },
  ...{ student_message: text, tutor_response: text, category: text, action: text },
  ...{ is_main_attempt: z.boolean(), mastery_signal: some(text), misconception: some(text) },
  timestamp: time,
})

/** `courseId` → how far, as the course tutor counts it. */
const Snapshot = z.object({
  ...{ studentId: id, courseId: text, focusUnitId: text, unitsInProgress: texts },
  unitProgress: z.record(
    z.string(),
    z.object({
      status: z.enum(['not_started', 'in_progress', 'mastered']),
      masteryTier: z.enum(['none', 'bronze', 'silver', 'gold']),
      lastTouchedAt: time,
      drill: z.object({ attempts: natural, correct: natural, streakCorrect: natural }),
      exam: z.object({
        passedByTier: z.object({ bronze: natural, silver: natural, gold: natural }),
      }),
      confusionTags: z.record(z.string(), natural),
    }),
  ),
  examTouched: z.record(z.string(), z.boolean()),
  revisitQueue: z.record(
    z.string(),
    z.object({ unitId: text, tier: z.enum(['bronze', 'silver', 'gold']) }),
  ),
  lastTurnAnalysis: some(openRecord),
  lastTurnAt: time,
})

const Locks = z.record(z.string(), z.object({ lockedUntil: time, calledBack: z.boolean() }))

const Entity = z.object({
  ...{ id, version: natural, generation: natural, state: z.unknown(), created_at: time },
  product: z.enum(['arc', 'practice', 'course', 'curriculum', 'agenda']),
})

const Input = z.object({
  ...{ entity_id: id, id: text.max(300), type: text.max(100), payload: openRecord },
  ...{ urgent: z.boolean(), received_at: time, taken_at: some(time), answered_at: some(time) },
  ...{ answer: some(openRecord), withdrawn_at: some(time), failure: some(text) },
})

const rows = <T extends z.ZodType>(row: T) => z.array(row).default([])

/** What an import takes of an export; the rest of it is for reading. */
export const ImportedTables = z.object({
  entities: rows(Entity),
  inbox: rows(Input),
  mind_maps: rows(MindMap),
  mind_map_nodes: rows(MindMapNode),
  mind_map_edges: rows(MindMapEdge),
  arcs: rows(Arc),
  learner_facts: rows(
    z.object({
      ...{ id, arc_id: some(id), fact: text, created_at: time },
      source: z.enum(['feedback', 'mistake', 'learner']),
    }),
  ),
  arc_messages: rows(ArcMessage),
  arc_questions: rows(ArcQuestion),
  quiz_responses: rows(QuizResponse),
  plan_refusals: rows(
    z.object({ arc_id: id, step_key: text, violations: texts, refused_at: time }),
  ),
  agent_transitions: rows(
    z.object({
      ...{ session_id: id, from_agent: text, to_agent: text, reason: some(text) },
      ...{ message_excerpt: some(text), timestamp: time },
    }),
  ),
  learning_cycles: rows(
    z.object({
      ...{ user_id: id, session_id: id, node_id: some(id), topic: text, cycle_number: natural },
      ...{ quiz_score: some(z.number()), mastery_achieved: some(z.boolean()) },
      ...{ started_at: time, completed_at: some(time) },
    }),
  ),
  diagnostic_results: rows(
    z.object({
      ...{ user_id: some(id), session_id: some(id), mind_map_id: some(id), topic: text },
      ...{ inventory: texts, concepts: some(z.array(openRecord)), probes: z.array(openRecord) },
      ...{ prerequisite_gaps: some(texts), learner_level: some(text) },
      ...{ recommendations: some(texts), timestamp: time },
    }),
  ),
  analytics_snapshots: rows(
    z.object({
      ...{ id, mind_map_id: id, snapshot_date: z.iso.date(), metrics: openRecord },
      created_at: time,
    }),
  ),
  replan_proposals: rows(
    z.object({
      ...{ id, arc_id: id, node_id: id, struggling_nodes: texts },
      status: z.enum(['open', 'accepted', 'declined', 'withdrawn']),
      ...{ created_at: time, decided_at: some(time) },
    }),
  ),
  tutoring_sessions: rows(TutoringSession),
  problem_attempts: rows(ProblemAttempt),
  conversation_turns: rows(ConversationTurn),
  practice_alerts: rows(
    z.object({
      ...{ id, session_id: id, problem_id: text, problem_index: natural },
      signal: z.enum(['struggling', 'stuck']),
      ...{ created_at: time, acknowledged_at: some(time), note: some(text) },
    }),
  ),
  course_snapshots: rows(
    z.object({
      ...{ id, course_id: text.max(200), snapshot: Snapshot, blocker: some(text), locks: Locks },
      ...{ started_at: time, updated_at: time },
    }),
  ),
  course_threads: rows(
    z.object({
      ...{ id, course_id: text, title: some(text), created_at: time, last_message_at: some(time) },
    }),
  ),
  course_messages: rows(
    z.object({
      ...{ thread_id: id, id, role: z.enum(['user', 'assistant', 'system']), text },
      ...{ latex: some(text), action: some(text), unit_id: some(text), card: some(openRecord) },
      ...{ turn_id: some(id), created_at: time },
    }),
  ),
  course_evidence: rows(
    z.object({ course_id: text, request_id: id, type: text, data: openRecord, at: time }),
  ),
  course_drills_graded: rows(z.object({ drill_id: id, request_id: id, at: time })),
  exam_states: rows(
    z.object({
      ...{ course_id: text, question_id: text, passed_at: some(time), locked_until: some(time) },
    }),
  ),
})

export type ImportedTables = z.infer<typeof ImportedTables>
export type ImportedTable = keyof ImportedTables
