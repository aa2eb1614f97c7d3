-- The course tutor: what it can look up, the built-in exam authority, students' snapshots, threads and turns.

-- Retrieval. Four collections; `search` is written with the row, in the language of the course.
create table unit_anchors (
  course_id      text not null,
  unit_id        text not null,
  title          text not null,
  tags           text[] not null default '{}',
  misconceptions text[] not null default '{}',
  aliases        text[] not null default '{}',
  anchor_text    text not null,
  search         tsvector not null,
  embedding      real[],
  primary key (course_id, unit_id)
);

-- The words of an anchor one by one: a word weighs by the part of the anchor it stands in.
create table unit_anchor_terms (
  course_id text not null,
  unit_id   text not null,
  term      text not null,
  weight    real not null,
  primary key (course_id, term, unit_id),
  foreign key (course_id, unit_id) references unit_anchors (course_id, unit_id) on delete cascade
);

create table unit_content_chunks (
  course_id  text not null,
  unit_id    text not null,
  source_id  text not null,
  position   integer not null,
  chunk_type text not null check (chunk_type in ('lesson', 'misconception', 'pdf', 'transcript')),
  section    text not null,
  page       integer,
  text       text not null,
  search     tsvector not null,
  embedding  real[],
  primary key (course_id, unit_id, source_id, position)
);

create table exam_candidates (
  course_id       text not null,
  question_id     text not null,
  unit_ids        text[] not null,
  difficulty_tier text not null check (difficulty_tier in ('bronze', 'silver', 'gold')),
  tags            text[] not null default '{}',
  position        integer not null,
  search          tsvector not null,
  primary key (course_id, question_id)
);

create index exam_candidates_by_unit on exam_candidates using gin (unit_ids);

create table exam_support_chunks (
  course_id   text not null,
  question_id text not null,
  source_id   text not null,
  position    integer not null,
  chunk_type  text not null check (chunk_type in ('memo', 'transcript')),
  text        text not null,
  search      tsvector not null,
  primary key (course_id, question_id, source_id, position)
);

-- What has been taken in, and a digest of it: the same content is not taken in twice.
create table retrieval_sources (
  course_id text not null,
  source_id text not null,
  digest    text not null,
  primary key (course_id, source_id)
);

-- The built-in exam authority: one row per student and question that was touched.
create table exam_states (
  student_id   uuid not null references learners (id) on delete cascade,
  course_id    text not null,
  question_id  text not null,
  passed_at    timestamptz,
  locked_until timestamptz,
  primary key (student_id, course_id, question_id)
);

-- Its calls by their key: the same call again has no effect and gets the same answer.
create table exam_calls (
  student_id uuid not null references learners (id) on delete cascade,
  key        text not null,
  answer     jsonb not null,
  primary key (student_id, key)
);

-- One row per student and course; `generation` counts its commits: a write of an older one is refused.
create table course_snapshots (
  learner_id uuid not null references learners (id) on delete cascade,
  course_id  text not null,
  snapshot   jsonb not null,
  blocker    text,
  locks      jsonb not null default '{}',
  generation integer not null default 0,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (learner_id, course_id)
);

create table course_threads (
  id              uuid primary key default gen_random_uuid(),
  learner_id      uuid not null references learners (id) on delete cascade,
  course_id       text not null,
  title           text,
  created_at      timestamptz not null default now(),
  last_message_at timestamptz
);

create index course_threads_by_learner on course_threads (learner_id, created_at desc);

-- What a student asks for, stored before the workflow is told; `result` is its answer, kept for whoever asks again.
create table course_requests (
  id           uuid primary key,
  thread_id    uuid not null references course_threads (id) on delete cascade,
  learner_id   uuid not null references learners (id) on delete cascade,
  course_id    text not null,
  kind         text not null check (kind in ('turn', 'drill_grade', 'exam_answer', 'support_view')),
  payload      jsonb not null,
  prepared     jsonb,
  answer       jsonb,
  status       integer,
  result       jsonb,
  withdrawn_at timestamptz,
  created_at   timestamptz not null default now(),
  done_at      timestamptz
);

create index course_requests_by_thread on course_requests (thread_id, created_at);

create table course_messages (
  thread_id  uuid not null references course_threads (id) on delete cascade,
  id         uuid not null,
  position   bigint generated always as identity,
  role       text not null check (role in ('user', 'assistant', 'system')),
  text       text not null,
  latex      text,
  action     text,
  unit_id    text,
  card       jsonb,
  turn_id    uuid,
  created_at timestamptz not null,
  primary key (thread_id, id)
);

create unique index course_messages_in_order on course_messages (thread_id, position);
create index course_messages_by_turn on course_messages (turn_id);
create index course_messages_with_exam on course_messages (thread_id, (card ->> 'questionId'))
  where card ->> 'type' = 'EXAM';

-- The log a snapshot can be recomputed from; one entry per request.
create table course_evidence (
  learner_id uuid not null references learners (id) on delete cascade,
  course_id  text not null,
  position   bigint generated always as identity,
  request_id uuid not null unique,
  type       text not null,
  data       jsonb not null,
  at         timestamptz not null
);

create index course_evidence_in_order on course_evidence (learner_id, course_id, position);

-- A drill's token is good for one grading.
create table course_drills_graded (
  drill_id   uuid primary key,
  request_id uuid not null,
  learner_id uuid not null references learners (id) on delete cascade,
  at         timestamptz not null
);

-- The chain of every turn: mapping, focus, policy, exam availability, the answer, and whether it held.
create table course_turns (
  turn_id     uuid primary key,
  thread_id   uuid not null references course_threads (id) on delete cascade,
  position    bigint generated always as identity,
  mind        text not null,
  action      text not null,
  mapped      jsonb not null,
  passed      boolean not null,
  fallback    boolean not null,
  debug       jsonb not null,
  at          timestamptz not null
);

create index course_turns_by_thread on course_turns (thread_id, position desc);

-- Keys the server makes for itself, once.
create table server_keys (
  name text primary key,
  key  text not null
);
