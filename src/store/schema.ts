/** The tables as Kysely sees them; `migrations/` is where they are made. */
import type { ColumnType, Generated } from 'kysely'
import type { ChannelName, Notice } from '../contracts/channel.ts'
import type { TutorCard } from '../contracts/course-tutor.ts'
import type { PracticeProblem } from '../contracts/practice.ts'
import type { ProductName } from '../contracts/spine.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import type { ForeseenMistake } from '../domain/answers/foreseen-mistake.ts'
import type { ExamStatus } from '../domain/course/exams/exam-availability.ts'
import type { ExamLocks } from '../domain/course/exams/locks.ts'
import type { TutorAction } from '../domain/course/policy/tutor-policy.ts'
import type { Evidence } from '../domain/course/snapshot/evidence.ts'
import type { StudentSnapshot } from '../domain/course/snapshot/student-snapshot.ts'
import type { TurnLog } from '../domain/course/state.ts'
import type { MappedUnit } from '../domain/course/units/mapped-units.ts'
import type { InventoryConcept } from '../domain/diagnosis/diagnosis.ts'
import type { MasterySignal, ProblemStatus, SessionStatus } from '../domain/practice/session.ts'
import type { ProblemHelp } from '../domain/practice/state.ts'

type Time = ColumnType<Date, Date | string, Date | string>
type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** Written as a JSON string, read as the parsed value. */
type Json<T> = ColumnType<T, string, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
type GeneratedJson<T> = ColumnType<T, string | undefined, string>
type GeneratedTime = ColumnType<Date, Date | string | undefined, Date | string>

export interface Database {
  learners: {
    id: Generated<string>
    handle: string
    name: string | null
    time_zone: Generated<string>
    study_time: string | null
    quiet_from: Generated<string>
    quiet_to: Generated<string>
    daily_review_cap: Generated<number>
    holiday_until: NullableTime
    snoozed_until: NullableTime
    channels: GeneratedJson<Record<string, unknown>>
    language: Generated<string>
    chosen: Generated<string[]>
    created_at: GeneratedTime
  }
  entities: {
    id: string
    product: ProductName
    workflow_id: string
    learner_id: string | null
    course_id: string | null
    version: Generated<number>
    generation: Generated<number>
    state: NullableJson<unknown>
    wake_at: NullableTime
    thinking_since: NullableTime
    fault: NullableJson<{ since: string; message: string; held: boolean }>
    is_over: Generated<boolean>
    last_event: Generated<number>
    signals: Generated<number>
    signalled_at: NullableTime
    created_at: GeneratedTime
    updated_at: GeneratedTime
  }
  inbox: {
    position: Generated<string>
    entity_id: string
    id: string
    type: string
    payload: GeneratedJson<Record<string, unknown>>
    urgent: Generated<boolean>
    received_at: GeneratedTime
    taken_at: NullableTime
    answered_at: NullableTime
    answer: NullableJson<Record<string, unknown>>
    withdrawn_at: NullableTime
    failure: string | null
  }
  events: {
    stream: string
    seq: string
    type: string
    data: Json<unknown>
    created_at: GeneratedTime
  }
  learner_channels: {
    id: Generated<string>
    learner_id: string
    channel: ChannelName
    place: Generated<string>
    status: 'pending' | 'linked'
    address: GeneratedJson<Record<string, unknown>>
    code: string | null
    code_until: NullableTime
    failure: string | null
    linked_at: NullableTime
    created_at: GeneratedTime
  }
  confirmation_mails: {
    learner_id: string
    address: string
    sent_at: GeneratedTime
  }
  telegram_relays: {
    channel_id: string
    arc_id: string
    /** A bigint, as `pg` gives it. */
    told: ColumnType<string, number | string, number | string>
    taken_at: GeneratedTime
  }
  telegram_messages: {
    channel_id: string
    chat_id: ColumnType<string, number | string, number | string>
    message_id: ColumnType<string, number | string, number | string>
    arc_id: string
    arc_message_id: string | null
    question_id: string | null
    from_learner: Generated<boolean>
    is_open: Generated<boolean>
    created_at: GeneratedTime
  }
  nudges: {
    id: string
    learner_id: string
    date: ColumnType<string, string, string>
    kind: Notice['kind']
    number: Generated<number>
    notice: Json<Notice>
    created_at: Time
    expires_at: NullableTime
    answered_at: NullableTime
    withdrawn_at: NullableTime
  }
  nudge_deliveries: {
    nudge_id: string
    channel_id: string
    channel: ChannelName
    status: Generated<'pending' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'withdrawn'>
    attempts: Generated<number>
    sending_at: NullableTime
    sent_at: NullableTime
    reference: NullableJson<Record<string, unknown>>
    failure: string | null
  }
  calendar_feeds: {
    learner_id: string
    token_hash: string
    created_at: GeneratedTime
  }
  learner_imports: {
    learner_id: string
    source_id: string
    imported_at: GeneratedTime
  }
  installation_keys: {
    name: string
    value: Json<Record<string, unknown>>
    created_at: GeneratedTime
  }
  mind_maps: {
    id: Generated<string>
    title: string
    root_node_id: string | null
    status: Generated<'creation' | 'active' | 'completed' | 'abandoned'>
    learner_id: string | null
    metadata: GeneratedJson<Record<string, unknown>>
    created_at: GeneratedTime
    updated_at: GeneratedTime
  }
  mind_map_nodes: {
    id: Generated<string>
    mind_map_id: string
    label: string
    description: string | null
    depth: Generated<number>
    sequence: number | null
    mastery_score: Generated<number>
    mastery_status: Generated<'unseen' | 'diagnosed' | 'learning' | 'reviewing' | 'mastered'>
    inferred: number | null
    ease_factor: Generated<number>
    repetitions: Generated<number>
    interval_days: Generated<number>
    next_review_at: NullableTime
    last_reviewed_at: NullableTime
    mastered_at: NullableTime
    effort_minutes: number | null
    unit_id: string | null
    metadata: GeneratedJson<Record<string, unknown>>
    created_at: GeneratedTime
    updated_at: GeneratedTime
  }
  mind_map_edges: {
    mind_map_id: string
    parent_node_id: string
    child_node_id: string
    edge_type: Generated<'prerequisite' | 'related'>
  }
  arcs: {
    id: string
    mind_map_id: string
    learner_id: string
    topic: string
    goal: string | null
    course_id: string | null
    goal_unit_ids: GeneratedJson<string[]>
    tutor: string
    settings: Json<Record<string, unknown>>
    phase: Generated<string>
    sub_phase: string | null
    current_node_id: string | null
    pending_question: string | null
    paused: Generated<boolean>
    blocked: NullableJson<{ reason: string; since: string; retryAt: string }>
    session_count: Generated<number>
    next_review_at: NullableTime
    revived_from: string | null
    stale_warned_at: NullableTime
    abandon_reason: string | null
    title: string | null
    archived: Generated<boolean>
    started_at: GeneratedTime
    last_session_at: NullableTime
    updated_at: GeneratedTime
  }
  arc_messages: {
    arc_id: string
    id: string
    position: Generated<string>
    role: 'learner' | 'tutor' | 'system'
    text: string
    action: string | null
    channel: Generated<string>
    card: NullableJson<Record<string, unknown>>
    node_id: string | null
    question_id: string | null
    phase: string
    turn: number | null
    replaces: string | null
    step_key: string | null
    created_at: GeneratedTime
  }
  arc_questions: {
    id: string
    arc_id: string
    node_id: string | null
    concept: string
    kind: 'diagnostic' | 'teach' | 'quiz' | 'review' | 'choice'
    text: string
    format: 'multiple_choice' | 'short_answer' | 'free_text' | 'program'
    options: NullableJson<{ id: string; text: string }[]>
    answer_key: NullableJson<unknown>
    expected: Generated<string>
    criteria: Generated<string>
    difficulty: Generated<string>
    hints: GeneratedJson<string[]>
    solution: string | null
    mistakes: GeneratedJson<ForeseenMistake[]>
    attempt: Generated<number>
    hints_given: Generated<number>
    source: string | null
    opened_at: Time
    closed_at: NullableTime
    quality: number | null
  }
  quiz_responses: {
    id: Generated<string>
    node_id: string
    mind_map_id: string
    question_text: string
    user_answer: string | null
    quality: number
    response_type: Generated<'diagnostic' | 'teach' | 'review'>
    session_id: string | null
    question_id: string | null
    attempt_number: Generated<number>
    time_taken_seconds: number | null
    evaluator_notes: string | null
    position: Generated<string>
    responded_at: GeneratedTime
  }
  plan_refusals: {
    arc_id: string
    step_key: string
    violations: Json<string[]>
    refused_at: Time
  }
  model_steps: {
    step_key: string
    entity_id: string | null
    input: GeneratedJson<unknown>
    kind: string
    model: string
    output: Json<unknown>
    input_tokens: Generated<number>
    output_tokens: Generated<number>
    cache_read_tokens: Generated<number>
    cache_write_tokens: Generated<number>
    created_at: GeneratedTime
  }
  agent_transitions: {
    id: Generated<string>
    session_id: string
    from_agent: string
    to_agent: string
    reason: string | null
    message_excerpt: string | null
    timestamp: GeneratedTime
  }
  learning_cycles: {
    id: Generated<string>
    user_id: string
    session_id: string
    node_id: string | null
    topic: string
    cycle_number: number
    quiz_score: number | null
    mastery_achieved: boolean | null
    started_at: Time
    completed_at: NullableTime
  }
  diagnostic_results: {
    id: Generated<string>
    user_id: string | null
    session_id: string | null
    mind_map_id: string | null
    topic: string
    inventory: GeneratedJson<string[]>
    concepts: NullableJson<InventoryConcept[]>
    probes: GeneratedJson<{ label: string; quality: number; inferred: number }[]>
    prerequisite_gaps: NullableJson<string[]>
    learner_level: string | null
    recommendations: NullableJson<string[]>
    timestamp: GeneratedTime
  }
  learner_facts: {
    id: Generated<string>
    learner_id: string
    arc_id: string | null
    fact: string
    source: Generated<'feedback' | 'mistake' | 'learner'>
    created_at: GeneratedTime
  }
  analytics_snapshots: {
    id: Generated<string>
    mind_map_id: string | null
    snapshot_date: ColumnType<Date, string, string>
    metrics: Json<Record<string, unknown>>
    created_at: GeneratedTime
  }
  fitted_memories: {
    learner_id: string
    weights: number[] | null
    answers: number
    reviews: number
    held_out: number
    log_loss: number | null
    default_log_loss: number | null
    fitted_at: Date
  }
  replan_proposals: {
    id: Generated<string>
    arc_id: string
    node_id: string
    struggling_nodes: Json<string[]>
    status: Generated<'open' | 'accepted' | 'declined' | 'withdrawn'>
    created_at: Time
    decided_at: NullableTime
  }
  idempotency_keys: {
    scope: string
    key: string
    request_hash: string
    status: number
    response: Json<unknown>
    created_at: GeneratedTime
  }
  unit_anchors: {
    course_id: string
    unit_id: string
    title: string
    tags: string[]
    misconceptions: string[]
    aliases: string[]
    anchor_text: string
    search: string
  }
  unit_anchor_terms: { course_id: string; unit_id: string; term: string; weight: number }
  unit_content_chunks: {
    course_id: string
    unit_id: string
    source_id: string
    position: number
    chunk_type: 'lesson' | 'misconception' | 'pdf' | 'transcript'
    section: string
    page: number | null
    text: string
    search: string
  }
  exam_candidates: {
    course_id: string
    question_id: string
    unit_ids: string[]
    difficulty_tier: 'bronze' | 'silver' | 'gold'
    tags: string[]
    position: number
    search: string
  }
  exam_support_chunks: {
    course_id: string
    question_id: string
    source_id: string
    position: number
    chunk_type: 'memo' | 'transcript'
    text: string
    search: string
  }
  retrieval_sources: { course_id: string; source_id: string; digest: string }
  exam_states: {
    student_id: string
    course_id: string
    question_id: string
    passed_at: NullableTime
    locked_until: NullableTime
  }
  exam_calls: { student_id: string; key: string; answer: Json<ExamStatus> }
  course_snapshots: {
    id: string
    learner_id: string
    course_id: string
    snapshot: Json<StudentSnapshot>
    blocker: string | null
    locks: GeneratedJson<ExamLocks>
    started_at: Time
    updated_at: Time
  }
  course_threads: {
    id: Generated<string>
    learner_id: string
    course_id: string
    title: string | null
    created_at: GeneratedTime
    last_message_at: NullableTime
  }
  course_messages: {
    thread_id: string
    id: string
    position: Generated<string>
    role: 'user' | 'assistant' | 'system'
    text: string
    latex: string | null
    action: string | null
    unit_id: string | null
    card: NullableJson<TutorCard>
    turn_id: string | null
    created_at: Time
  }
  course_evidence: {
    learner_id: string
    course_id: string
    position: Generated<string>
    request_id: string
    type: Evidence['type']
    data: Json<Evidence>
    at: Time
  }
  course_drills_graded: { drill_id: string; request_id: string; learner_id: string; at: Time }
  course_turns: {
    turn_id: string
    thread_id: string
    position: Generated<string>
    mind: string
    action: TutorAction
    mapped: Json<MappedUnit[]>
    passed: boolean
    fallback: boolean
    debug: Json<TurnLog>
    at: Time
  }
  integrations: {
    id: Generated<string>
    name: string
    token_hash: string
    secret: string | null
    created_at: GeneratedTime
  }
  question_sets: {
    id: Generated<string>
    integration_id: string | null
    question_set_id: string
    title: string
    problems: Json<PracticeProblem[]>
    created_at: GeneratedTime
  }
  tutoring_sessions: {
    session_id: string
    integration_id: string | null
    external_session_id: string
    student_id: string
    arc_id: string | null
    node_id: string | null
    arc_turn: number | null
    question_set_id: string
    tutor: 'anthropic' | 'offline'
    implicit: Generated<boolean>
    status: Generated<SessionStatus>
    current_problem_index: Generated<number>
    problems_completed: Generated<number>
    problems_total: number
    mastery_count: Generated<number>
    learned_count: Generated<number>
    struggling_count: Generated<number>
    scaffolding_invoked_count: Generated<number>
    total_time_seconds: Generated<number>
    counted_until: GeneratedTime
    delivery: Generated<'none' | 'pending' | 'delivered' | 'given_up'>
    delivery_note: string | null
    created_at: GeneratedTime
    last_active: GeneratedTime
    completed_at: NullableTime
  }
  problem_attempts: {
    id: Generated<string>
    session_id: string
    problem_id: string
    problem_index: number
    node_id: string | null
    problem_text: string
    correct_answer: string
    answer_key: NullableJson<AnswerKey>
    hints: GeneratedJson<string[]>
    tags: GeneratedJson<string[]>
    help: NullableJson<ProblemHelp>
    status: ProblemStatus
    attempt_count: Generated<number>
    first_attempt_category: string | null
    final_category: string | null
    scaffolding_invoked: Generated<boolean>
    scaffolding_depth_reached: Generated<number>
    time_started: NullableTime
    time_completed: NullableTime
    time_spent_seconds: Generated<number>
    mastery_signal: MasterySignal | null
    struggled: Generated<boolean>
    explained: boolean | null
  }
  conversation_turns: {
    id: Generated<string>
    session_id: string
    turn: number
    message_id: string
    problem_id: string
    problem_index: number
    student_message: string
    tutor_response: string
    category: string
    action: string
    is_main_attempt: boolean
    mastery_signal: string | null
    misconception: string | null
    timestamp: Time
  }
  practice_alerts: {
    id: Generated<string>
    session_id: string
    problem_id: string
    problem_index: number
    signal: 'struggling' | 'stuck'
    created_at: Time
    acknowledged_at: NullableTime
    note: string | null
  }
  classes: {
    id: string
    title: string
    created_at: GeneratedTime
  }
  class_students: {
    class_id: string
    student_id: string
  }
}
