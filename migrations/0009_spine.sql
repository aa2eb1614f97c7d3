-- What every durable thing stands on, the same for all products: one row that says where it stands, one inbox, one list
-- of events. A product's own tables say what its screens show.

-- `state` is what the product's rules left behind, with the version of its shape; null before the first decision.
-- `generation` counts the decisions that were written.
create table entities (
  id             uuid primary key,
  product        text not null check (product in ('arc', 'practice', 'course', 'curriculum')),
  workflow_id    text not null unique,
  learner_id     uuid references learners (id),
  course_id      text,
  version        integer not null default 1,
  generation     integer not null default 0,
  state          jsonb,
  wake_at        timestamptz,
  -- Since when a step (a model's answer, a delivery) has been wanted; null: none is.
  thinking_since timestamptz,
  -- A fault of our own that no rule could take up; it is tried again at `wake_at` and at any input.
  fault          jsonb,
  is_over        boolean not null default false,
  last_event     integer not null default 0,
  -- How often, and when last, the reconciler has signalled it without effect.
  signals        integer not null default 0,
  signalled_at   timestamptz,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now()
);

create index entities_to_wake on entities (wake_at) where wake_at is not null;
create index entities_thinking on entities (thinking_since) where thinking_since is not null;
create index entities_by_learner on entities (learner_id) where learner_id is not null;
create index entities_faulty on entities (id) where fault is not null;

-- Everything an entity is asked to do, before it is told: unique by entity and the sender's id, the first one wins.
-- An input is taken up in the transaction of the decision that it led to, and answered when its turn is done.
create table inbox (
  position     bigint generated always as identity primary key,
  entity_id    uuid not null references entities (id) on delete cascade,
  id           text not null,
  type         text not null,
  payload      jsonb not null default '{}',
  -- Taken up before others, also in the middle of a turn.
  urgent       boolean not null default false,
  received_at  timestamptz not null default now(),
  taken_at     timestamptz,
  answered_at  timestamptz,
  answer       jsonb,
  withdrawn_at timestamptz,
  -- Why it was set aside: a fault of our own, each time it was taken up.
  failure      text,
  unique (entity_id, id)
);

create index inbox_waiting on inbox (entity_id, urgent desc, position)
  where taken_at is null and withdrawn_at is null;
create index inbox_late on inbox (received_at) where taken_at is null and withdrawn_at is null;
create index inbox_unanswered on inbox (entity_id)
  where answered_at is null and withdrawn_at is null;

-- Events for whoever is watching, numbered per stream without a gap in the transaction that stores them. A stream is an
-- entity, or 'teachers' for what concerns all of them.
create table events (
  stream     text not null,
  seq        bigint not null,
  type       text not null,
  data       jsonb not null,
  created_at timestamptz not null default now(),
  primary key (stream, seq)
);

create function delete_events_of_entity() returns trigger language plpgsql as $$
begin
  delete from events where stream = old.id::text;
  return null;
end $$;

create trigger entity_events after delete on entities
  for each row execute function delete_events_of_entity();

-- Answers of steps are kept by entity, with what was asked.
alter table model_steps add column entity_id uuid references entities (id) on delete cascade;
alter table model_steps add column input jsonb not null default '{}';
create index model_steps_by_entity on model_steps (entity_id, created_at);
