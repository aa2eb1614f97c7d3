-- A question may be asked a second time, and hints of it are counted where the learner sees them.
alter table arc_questions
  add column attempt smallint not null default 1 check (attempt in (1, 2)),
  add column hints_given smallint not null default 0 check (hints_given >= 0);

-- What the learner calls a topic, and whether it is out of the way.
alter table arcs
  add column title text,
  add column archived boolean not null default false;
