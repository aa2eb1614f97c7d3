-- Learners, mind maps, learning arcs. Names and columns as in the design documents; timestamps with zone.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table learners (
  id               uuid primary key default gen_random_uuid(),
  handle           text not null unique,
  name             text,
  time_zone        text not null default 'UTC',
  study_time       text,
  quiet_from       text not null default '21:00',
  quiet_to         text not null default '08:00',
  daily_review_cap integer not null default 20 check (daily_review_cap between 1 and 500),
  holiday_until    timestamptz,
  channels         jsonb not null default '{}',
  language         text not null default 'en',
  created_at       timestamptz not null default now()
);

create table mind_maps (
  id           uuid primary key default gen_random_uuid(),
  title        text not null,
  root_node_id uuid,
  status       text not null default 'active'
               check (status in ('creation', 'active', 'completed', 'abandoned')),
  metadata     jsonb not null default '{}',
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now()
);

create table mind_map_nodes (
  id               uuid primary key default gen_random_uuid(),
  mind_map_id      uuid not null references mind_maps (id) on delete cascade,
  label            text not null,
  description      text,
  depth            integer not null default 0,
  sequence         integer,
  mastery_score    double precision not null default 0 check (mastery_score between 0 and 1),
  mastery_status   text not null default 'unseen'
                   check (mastery_status in ('unseen', 'diagnosed', 'learning', 'reviewing', 'mastered')),
  inferred         double precision,
  ease_factor      double precision not null default 2.5,
  repetitions      integer not null default 0,
  interval_days    double precision not null default 0,
  next_review_at   timestamptz,
  last_reviewed_at timestamptz,
  mastered_at      timestamptz,
  effort_minutes   integer check (effort_minutes > 0),
  unit_id          text,
  metadata         jsonb not null default '{}',
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  unique (mind_map_id, id),
  unique (mind_map_id, sequence) deferrable initially deferred,
  constraint only_learned_nodes_are_reviewed
    check (next_review_at is null or mastery_status in ('reviewing', 'mastered')),
  constraint reviewing_nodes_have_a_date
    check (mastery_status <> 'reviewing' or next_review_at is not null)
);

create index mind_map_nodes_by_status on mind_map_nodes (mind_map_id, mastery_status);
create index mind_map_nodes_by_review on mind_map_nodes (next_review_at) where next_review_at is not null;
create unique index mind_map_nodes_by_label on mind_map_nodes (mind_map_id, lower(btrim(label)));

-- "parent is a prerequisite of child"; the map's id keeps an edge from crossing maps.
create table mind_map_edges (
  mind_map_id    uuid not null references mind_maps (id) on delete cascade,
  parent_node_id uuid not null,
  child_node_id  uuid not null,
  edge_type      text not null default 'prerequisite' check (edge_type in ('prerequisite', 'related')),
  primary key (parent_node_id, child_node_id),
  check (parent_node_id <> child_node_id),
  foreign key (mind_map_id, parent_node_id) references mind_map_nodes (mind_map_id, id) on delete cascade,
  foreign key (mind_map_id, child_node_id) references mind_map_nodes (mind_map_id, id) on delete cascade
);

create index mind_map_edges_by_child on mind_map_edges (child_node_id);
create index mind_map_edges_by_map on mind_map_edges (mind_map_id);

-- One arc is one long-lived workflow. `snapshot` and the map's rows are enough to start it again from here;
-- `generation` counts its commits: a write of an older one is refused.
create table arcs (
  id               uuid primary key default gen_random_uuid(),
  mind_map_id      uuid not null unique references mind_maps (id),
  learner_id       uuid not null references learners (id),
  topic            text not null,
  goal             text,
  course_id        text,
  goal_unit_ids    jsonb not null default '[]',
  tutor            text not null,
  settings         jsonb not null,
  phase            text not null default 'PENDING',
  sub_phase        text,
  current_node_id  uuid,
  pending_question uuid,
  paused           boolean not null default false,
  blocked          jsonb,
  session_count    integer not null default 0,
  next_review_at   timestamptz,
  revived_from     uuid references arcs (id),
  snapshot         jsonb,
  generation       integer not null default 0,
  commit_key       text,
  last_event       integer not null default 0,
  started_at       timestamptz not null default now(),
  last_session_at  timestamptz,
  updated_at       timestamptz not null default now()
);

create index arcs_newest on arcs (started_at desc, id desc);
create index arcs_by_learner on arcs (learner_id, started_at desc);
create index arcs_open on arcs (id) where phase not in ('COMPLETED', 'ABANDONED');

-- The transcript. A learner's message is a row before it is a signal: unique by arc and id, the first text wins.
create table arc_messages (
  arc_id      uuid not null references arcs (id) on delete cascade,
  id          text not null,
  position    bigint generated always as identity,
  role        text not null check (role in ('learner', 'tutor', 'system')),
  text        text not null,
  action      text,
  channel     text not null default 'web',
  card        jsonb,
  node_id     uuid,
  question_id uuid,
  phase       text not null,
  turn        integer,
  replaces    text,
  taken_at    timestamptz,
  created_at  timestamptz not null default now(),
  primary key (arc_id, id)
);

create unique index arc_messages_in_order on arc_messages (arc_id, position);
create index arc_messages_by_turn on arc_messages (arc_id, turn);
create index arc_messages_waiting on arc_messages (created_at) where role = 'learner' and turn is null;
create index arc_messages_unanswered on arc_messages (arc_id) where role = 'learner' and taken_at is null;

-- Every asking of a question has a row of its own; the key never leaves the server before it is earned.
create table arc_questions (
  id            uuid primary key,
  arc_id        uuid not null references arcs (id) on delete cascade,
  node_id       uuid,
  concept       text not null,
  kind          text not null check (kind in ('diagnostic', 'teach', 'quiz', 'review', 'choice')),
  text          text not null,
  format        text not null check (format in ('multiple_choice', 'short_answer', 'free_text')),
  options       jsonb,
  answer_key    jsonb,
  expected      text not null default '',
  criteria      text not null default '',
  difficulty    text not null default 'medium',
  hints         jsonb not null default '[]',
  solution      text,
  mistakes      jsonb not null default '[]',
  source        text,
  opened_at     timestamptz not null,
  closed_at     timestamptz,
  quality       integer check (quality between 0 and 5)
);

create index arc_questions_by_node on arc_questions (arc_id, node_id, opened_at);

create table quiz_responses (
  id                 uuid primary key default gen_random_uuid(),
  node_id            uuid not null references mind_map_nodes (id) on delete cascade,
  mind_map_id        uuid not null references mind_maps (id) on delete cascade,
  question_text      text not null,
  user_answer        text,
  quality            integer not null check (quality between 0 and 5),
  response_type      text not null default 'review' check (response_type in ('diagnostic', 'teach', 'review')),
  session_id         uuid,
  question_id        uuid unique,
  attempt_number     integer not null default 1,
  time_taken_seconds double precision,
  evaluator_notes    text,
  position           bigint generated always as identity,
  responded_at       timestamptz not null default now()
);

create index quiz_responses_by_node on quiz_responses (node_id, responded_at desc);
create index quiz_responses_by_map on quiz_responses (mind_map_id, responded_at desc);

-- What a model step returned, kept before it is used: a step that is repeated reads it here and pays nothing.
create table model_steps (
  step_key      text primary key,
  arc_id        uuid references arcs (id) on delete cascade,
  kind          text not null,
  model         text not null,
  output        jsonb not null,
  input_tokens  integer not null default 0,
  output_tokens integer not null default 0,
  created_at    timestamptz not null default now()
);

create index model_steps_by_arc on model_steps (arc_id, created_at);

-- Events of an arc, numbered per arc in the transaction that stores them; server-sent events resume from a number.
create table arc_events (
  arc_id     uuid not null references arcs (id) on delete cascade,
  seq        integer not null,
  type       text not null,
  data       jsonb not null,
  created_at timestamptz not null default now(),
  primary key (arc_id, seq)
);

create table agent_transitions (
  id              bigint generated always as identity primary key,
  session_id      uuid not null,
  from_agent      text not null,
  to_agent        text not null,
  reason          text,
  message_excerpt text,
  "timestamp"     timestamptz not null default now()
);

create index agent_transitions_by_session on agent_transitions (session_id, id);

create table learning_cycles (
  id               bigint generated always as identity primary key,
  user_id          uuid not null references learners (id) on delete cascade,
  session_id       uuid not null,
  node_id          uuid references mind_map_nodes (id) on delete cascade,
  topic            text not null,
  cycle_number     integer not null,
  quiz_score       double precision,
  mastery_achieved boolean,
  started_at       timestamptz not null,
  completed_at     timestamptz,
  unique (session_id, node_id, started_at)
);

create index learning_cycles_by_user on learning_cycles (user_id);
create index learning_cycles_by_topic on learning_cycles (topic);

create table diagnostic_results (
  id                bigint generated always as identity primary key,
  user_id           uuid references learners (id) on delete cascade,
  session_id        uuid unique,
  mind_map_id       uuid references mind_maps (id) on delete cascade,
  topic             text not null,
  inventory         jsonb not null default '[]',
  probes            jsonb not null default '[]',
  prerequisite_gaps jsonb,
  learner_level     text,
  recommendations   jsonb,
  "timestamp"       timestamptz not null default now()
);

create index diagnostic_results_by_user on diagnostic_results (user_id);

create table learner_facts (
  id         uuid primary key default gen_random_uuid(),
  learner_id uuid not null references learners (id) on delete cascade,
  arc_id     uuid references arcs (id) on delete cascade,
  fact       text not null,
  created_at timestamptz not null default now()
);

create index learner_facts_newest on learner_facts (learner_id, created_at desc);

create table analytics_snapshots (
  id            uuid primary key default gen_random_uuid(),
  mind_map_id   uuid references mind_maps (id) on delete cascade,
  snapshot_date date not null,
  metrics       jsonb not null,
  created_at    timestamptz not null default now()
);

create unique index analytics_snapshots_by_day on analytics_snapshots (mind_map_id, snapshot_date);

-- The same key returns the stored answer.
create table idempotency_keys (
  scope        text not null,
  key          text not null,
  request_hash text not null,
  status       integer not null,
  response     jsonb not null,
  created_at   timestamptz not null default now(),
  primary key (scope, key)
);
