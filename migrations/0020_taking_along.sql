-- The private address of a learner's calendar: only a digest of it is kept.
create table calendar_feeds (
  learner_id uuid primary key references learners (id) on delete cascade,
  token_hash text not null unique,
  created_at timestamptz not null default now()
);

-- Whose exports a learner has brought here: the same one again changes nothing.
create table learner_imports (
  learner_id  uuid not null references learners (id) on delete cascade,
  -- The learner's id where the export was made.
  source_id   uuid not null,
  imported_at timestamptz not null default now(),
  primary key (learner_id, source_id)
);
