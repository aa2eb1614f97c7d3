-- Practice sessions: the problem tutor that schools plug in. Names and columns as in the design documents.

-- An outside platform. Only a hash of its token is kept; with a secret its requests are signed.
create table integrations (
  id         uuid primary key default gen_random_uuid(),
  name       text not null,
  token_hash text not null unique,
  secret     text,
  created_at timestamptz not null default now()
);

create table question_sets (
  id              uuid primary key default gen_random_uuid(),
  integration_id  uuid references integrations (id) on delete cascade,
  question_set_id text not null,
  title           text not null,
  problems        jsonb not null,
  created_at      timestamptz not null default now(),
  unique nulls not distinct (integration_id, question_set_id)
);

-- One session is one workflow. `snapshot` and `generation` as with arcs: enough to start it again from here.
create table tutoring_sessions (
  session_id               uuid primary key default gen_random_uuid(),
  integration_id           uuid references integrations (id) on delete cascade,
  external_session_id      text not null,
  student_id               text not null,
  arc_id                   uuid references arcs (id) on delete cascade,
  node_id                  uuid references mind_map_nodes (id) on delete cascade,
  question_set_id          text not null,
  tutor                    text not null check (tutor in ('anthropic', 'offline')),
  implicit                 boolean not null default false,
  status                   text not null default 'active' check (status in ('active', 'paused', 'completed')),
  current_problem_index    integer not null default 0,
  problems_completed       integer not null default 0,
  problems_total           integer not null,
  mastery_count            integer not null default 0,
  learned_count            integer not null default 0,
  struggling_count         integer not null default 0,
  scaffolding_invoked_count integer not null default 0,
  total_time_seconds       integer not null default 0,
  snapshot                 jsonb not null,
  generation               integer not null default 0,
  commit_key               text,
  delivery                 text not null default 'none'
                           check (delivery in ('none', 'pending', 'delivered', 'given_up')),
  delivery_id              uuid,
  delivery_since           timestamptz,
  delivery_note            text,
  created_at               timestamptz not null default now(),
  last_active              timestamptz not null default now(),
  completed_at             timestamptz,
  unique nulls not distinct (integration_id, external_session_id)
);

create index tutoring_sessions_by_student on tutoring_sessions (student_id, status);
create index tutoring_sessions_newest on tutoring_sessions (created_at desc);
create index tutoring_sessions_by_arc on tutoring_sessions (arc_id) where arc_id is not null;
create index tutoring_sessions_open on tutoring_sessions (session_id)
  where status <> 'completed' or delivery = 'pending';

-- The problem as it was when the session began, and how far the student has come with it. The key never leaves.
create table problem_attempts (
  id                        bigint generated always as identity primary key,
  session_id                uuid not null references tutoring_sessions (session_id) on delete cascade,
  problem_id                text not null,
  problem_index             integer not null,
  problem_text              text not null,
  correct_answer            text not null,
  hints                     jsonb not null default '[]',
  tags                      jsonb not null default '[]',
  status                    text not null check (status in ('pending', 'in_progress', 'completed', 'skipped')),
  attempt_count             integer not null default 0,
  first_attempt_category    text,
  final_category            text,
  scaffolding_invoked       boolean not null default false,
  scaffolding_depth_reached integer not null default 0,
  scaffold_question         text,
  scaffold_expected         text,
  time_started              timestamptz,
  time_completed            timestamptz,
  time_spent_seconds        double precision not null default 0,
  mastery_signal            text check (mastery_signal in ('mastered', 'learned', 'struggling', 'stuck')),
  struggled                 boolean not null default false,
  explained                 boolean,
  unique (session_id, problem_index),
  unique (session_id, problem_id)
);

-- A student's message is a row before its turn: unique by session and the caller's id, the first text wins.
-- `response` is what the caller was answered, and is answered again.
create table practice_messages (
  id          uuid primary key default gen_random_uuid(),
  session_id  uuid not null references tutoring_sessions (session_id) on delete cascade,
  message_id  text not null,
  text        text not null,
  problem     jsonb,
  received_at timestamptz not null default now(),
  response    jsonb,
  debug       jsonb,
  answered_at timestamptz,
  unique (session_id, message_id)
);

create table conversation_turns (
  id              bigint generated always as identity primary key,
  session_id      uuid not null references tutoring_sessions (session_id) on delete cascade,
  turn            integer not null,
  message_id      uuid not null unique references practice_messages (id) on delete cascade,
  problem_id      text not null,
  problem_index   integer not null,
  student_message text not null,
  tutor_response  text not null,
  category        text not null,
  action          text not null,
  is_main_attempt boolean not null,
  mastery_signal  text,
  misconception   text,
  "timestamp"     timestamptz not null,
  unique (session_id, turn)
);

create index conversation_turns_by_time on conversation_turns (session_id, "timestamp" desc);

create table practice_alerts (
  id              uuid primary key default gen_random_uuid(),
  session_id      uuid not null references tutoring_sessions (session_id) on delete cascade,
  problem_id      text not null,
  problem_index   integer not null,
  signal          text not null check (signal in ('struggling', 'stuck')),
  created_at      timestamptz not null,
  acknowledged_at timestamptz,
  note            text,
  unique (session_id, problem_index, signal)
);

create index practice_alerts_newest on practice_alerts (created_at desc);

-- What the teacher's page hears of, numbered over all sessions in the order of their commits.
create table teacher_events (
  seq        bigint generated always as identity primary key,
  type       text not null check (type in ('session', 'alert', 'report')),
  data       jsonb not null,
  created_at timestamptz not null default now()
);

create table classes (
  id         text primary key,
  title      text not null,
  created_at timestamptz not null default now()
);

create table class_students (
  class_id   text not null references classes (id) on delete cascade,
  student_id text not null,
  primary key (class_id, student_id)
);
