-- Arcs stand on the spine. Their state is upgraded when it is read next, which is at once.
insert into entities (id, product, workflow_id, learner_id, course_id, version, generation, state, wake_at, is_over, last_event)
select id, 'arc', 'arc-' || id, learner_id, course_id, 1, generation, snapshot,
       case when phase in ('COMPLETED', 'ABANDONED') then null else now() end,
       phase in ('COMPLETED', 'ABANDONED'), last_event
from arcs;

insert into inbox (entity_id, id, type, payload, received_at)
select arc_id, id, 'message',
       jsonb_build_object('text', text, 'action', action, 'questionId', question_id, 'channel', channel), created_at
from arc_messages where role = 'learner' and taken_at is null order by position;

insert into events (stream, seq, type, data, created_at)
select arc_id::text, seq, type, data, created_at from arc_events;
drop table arc_events;

update model_steps set entity_id = arc_id where arc_id in (select id from arcs);
alter table model_steps drop column arc_id;

alter table arcs add foreign key (id) references entities (id) on delete cascade;
alter table arcs drop column snapshot, drop column generation, drop column commit_key, drop column last_event;
alter table arcs add column abandon_reason text;
-- Whether a learner's message is answered is said by the inbox.
drop index arc_messages_waiting, arc_messages_unanswered;
alter table arc_messages drop column taken_at;

-- Plans that were refused, whole, with what was wrong with them.
create table plan_refusals (
  arc_id     uuid not null references arcs (id) on delete cascade,
  step_key   text primary key,
  violations jsonb not null,
  refused_at timestamptz not null
);

-- The questions to come of a state stand in it, where their steps were named.
create function question_of(source jsonb) returns jsonb language sql as $$
  select case when source is null or source = 'null' then source
    else (select coalesce(output -> 'questions' -> ((source ->> 'index')::int), 'null')
          from model_steps where step_key = source ->> 'step') end
$$;

update entities set state = jsonb_set(state, '{lesson,explained}',
  coalesce(question_of(state -> 'lesson' -> 'explained'), 'null'))
where product = 'arc' and jsonb_typeof(state -> 'lesson') = 'object';

update entities set state = jsonb_set(state, '{lesson,quiz,questions}',
  coalesce((select jsonb_agg(question_of(source) order by place)
            from jsonb_array_elements(state -> 'lesson' -> 'quiz' -> 'questions') with ordinality as each (source, place)
            where question_of(source) <> 'null'), '[]'))
where product = 'arc' and jsonb_typeof(state -> 'lesson' -> 'quiz') = 'object';

drop function question_of;
