-- The conversation in Telegram: how far an arc was told in a chat, and what its messages there belong to.

-- An arc that a learner has taken up in the chat.
create table telegram_relays (
  channel_id uuid not null references learner_channels (id) on delete cascade,
  arc_id     uuid not null references arcs (id) on delete cascade,
  -- The last event of the arc that the chat has been told of, or that was not for it.
  told       bigint not null,
  -- When the learner last spoke to the arc in the chat, or chose it there.
  taken_at   timestamptz not null default now(),
  primary key (channel_id, arc_id)
);

create index telegram_relays_by_arc on telegram_relays (arc_id);

-- Messages of a chat, both ways: a reply belongs to the arc and the question of the message that it replies to.
create table telegram_messages (
  channel_id     uuid not null references learner_channels (id) on delete cascade,
  chat_id        bigint not null,
  message_id     bigint not null,
  arc_id         uuid not null references arcs (id) on delete cascade,
  arc_message_id text,
  question_id    uuid,
  from_learner   boolean not null default false,
  -- A question whose buttons are still to be taken away, and that may still be found right.
  is_open        boolean not null default false,
  created_at     timestamptz not null default now(),
  primary key (channel_id, chat_id, message_id)
);

create index telegram_messages_by_arc on telegram_messages (channel_id, arc_id, created_at);
create index telegram_messages_open on telegram_messages (channel_id, arc_id) where is_open;
