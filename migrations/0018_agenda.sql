-- A learner's agenda over all topics, what Meno sends by itself, and the channels it is sent over.

alter table entities drop constraint entities_product_check;
alter table entities add constraint entities_product_check
  check (product in ('arc', 'practice', 'course', 'curriculum', 'agenda'));

-- The agenda of a learner is an entity under the learner's own id: its stream of events is the learner's.
insert into entities (id, product, workflow_id, learner_id, wake_at)
select id, 'agenda', 'agenda-' || id, id, now() from learners
where exists (select from arcs where arcs.learner_id = learners.id);

-- Where a learner can be reached. Of web push there is one row a browser, of every other channel one a learner.
create table learner_channels (
  id          uuid primary key default gen_random_uuid(),
  learner_id  uuid not null references learners (id) on delete cascade,
  channel     text not null check (channel in ('telegram', 'email', 'push', 'webhook')),
  -- What tells two of a channel apart: the endpoint of a subscription; empty where there can be but one.
  place       text not null default '',
  status      text not null check (status in ('pending', 'linked')),
  -- What is needed to send: {chatId}, {address}, {subscription}, {url, secret}.
  address     jsonb not null default '{}',
  -- Given out once, to be brought back over the channel itself.
  code        text unique,
  code_until  timestamptz,
  -- Why it was taken out of use: the chat was blocked, the subscription has expired.
  failure     text,
  linked_at   timestamptz,
  created_at  timestamptz not null default now(),
  unique (learner_id, channel, place)
);

create unique index learner_channels_by_chat on learner_channels ((address ->> 'chatId'))
  where channel = 'telegram' and status = 'linked';

-- What Meno says by itself: at most one of a kind, a number and a date of the learner's calendar.
create table nudges (
  id           uuid primary key,
  learner_id   uuid not null references learners (id) on delete cascade,
  date         date not null,
  kind         text not null check (kind in ('reviews', 'digest', 'stale', 'locked-exam')),
  number       integer not null default 1,
  -- The notice as it is shown: {title, text, path, items, …}.
  notice       jsonb not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  answered_at  timestamptz,
  withdrawn_at timestamptz,
  unique (learner_id, date, kind, number)
);

create index nudges_newest on nudges (learner_id, created_at desc);
create index nudges_open on nudges (learner_id) where answered_at is null and withdrawn_at is null;

-- The outbox: a nudge on a channel. `sending_at` is written before anything leaves; found without an outcome, the nudge
-- is sent again only over a channel whose receiver tells a repeat, and counted as uncertain elsewhere.
create table nudge_deliveries (
  nudge_id   uuid not null references nudges (id) on delete cascade,
  channel_id uuid not null,
  channel    text not null,
  status     text not null default 'pending'
             check (status in ('pending', 'sending', 'sent', 'failed', 'uncertain', 'withdrawn')),
  attempts   integer not null default 0,
  sending_at timestamptz,
  sent_at    timestamptz,
  -- What the channel calls it, to take it back or to thread replies.
  reference  jsonb,
  failure    text,
  primary key (nudge_id, channel_id)
);

-- Postponed by the learner: nothing is sent before that.
alter table learners add column snoozed_until timestamptz;

-- Keys that are made once and kept: the pair for web push, what links in messages are signed with.
create table installation_keys (
  name       text primary key,
  value      jsonb not null,
  created_at timestamptz not null default now()
);
