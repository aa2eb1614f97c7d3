-- Mails by which an address is to be confirmed, of the last hour: nobody has them sent to others without end.

create table confirmation_mails (
  learner_id uuid not null references learners (id) on delete cascade,
  address    text not null,
  sent_at    timestamptz not null default now()
);

create index confirmation_mails_by_learner on confirmation_mails (learner_id, sent_at);
create index confirmation_mails_by_address on confirmation_mails (address, sent_at);
