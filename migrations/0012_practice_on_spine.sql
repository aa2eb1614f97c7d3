-- Practice sessions stand on the spine: an entity's row holds their state, the inbox their messages, the stream 'teachers'
-- what teachers hear.

-- A state of the first version has beside it what was in columns and other tables.
insert into entities
  (id, product, workflow_id, learner_id, version, generation, state, wake_at, is_over, created_at, updated_at)
select session.session_id, 'practice', 'practice-' || session.session_id, arcs.learner_id, 1, session.generation,
  session.snapshot || jsonb_build_object(
    'smaller', (
      select jsonb_build_object('question', scaffold_question, 'expected', scaffold_expected)
      from problem_attempts problem
      where problem.session_id = session.session_id and problem_index = current_problem_index
        and scaffold_question is not null and scaffold_expected is not null),
    'unjudged', coalesce((
      select jsonb_agg(waiting.value || jsonb_build_object('messageId', message.message_id, 'text', message.text)
                       order by waiting.place)
      from jsonb_array_elements(session.snapshot -> 'unjudged') with ordinality as waiting (value, place)
      join practice_messages message on message.id = (waiting.value ->> 'messageId')::uuid), '[]'),
    'delivery', case when delivery <> 'none' then jsonb_build_object('status', delivery,
      'id', coalesce(delivery_id, session_id),
      'since', floor(extract(epoch from coalesce(delivery_since, completed_at, now())) * 1000)) end),
  case when not left_alone then now() end, left_alone, session.created_at, session.last_active
from tutoring_sessions session
left join arcs on arcs.id = session.arc_id
cross join lateral (
  select session.status = 'completed' and session.delivery <> 'pending') as standing (left_alone);

insert into inbox (entity_id, id, type, payload, received_at, taken_at, answered_at, answer)
select session_id, message_id, 'message', jsonb_build_object('text', text, 'problem', problem), received_at,
  answered_at, answered_at,
  case when response is not null then jsonb_build_object('response', response, 'debug', debug) end
from practice_messages
order by received_at;

alter table conversation_turns drop constraint conversation_turns_message_id_fkey;
alter table conversation_turns drop constraint conversation_turns_message_id_key;
alter table conversation_turns alter column message_id type text;
update conversation_turns set message_id = message.message_id
from practice_messages message where message.id::text = conversation_turns.message_id;
alter table conversation_turns add unique (session_id, message_id);

drop table practice_messages;

insert into events (stream, seq, type, data, created_at)
select 'teachers', seq, type, data, created_at from teacher_events;

drop table teacher_events;

-- Up to when the time spent is counted.
alter table tutoring_sessions add column counted_until timestamptz not null default now();
update tutoring_sessions set counted_until = to_timestamp((snapshot ->> 'tickedAt')::float8 / 1000);

drop index tutoring_sessions_open;
drop index tutoring_sessions_not_taken_up;
alter table tutoring_sessions
  drop column snapshot, drop column generation, drop column commit_key,
  drop column delivery_id, drop column delivery_since,
  alter column session_id drop default,
  add foreign key (session_id) references entities (id) on delete cascade;
alter table problem_attempts drop column scaffold_question, drop column scaffold_expected;

-- How a session of an arc went is an input of the arc.
insert into inbox (entity_id, id, type, payload)
select arc.id, 'practice/' || session_id, 'practice-outcome', jsonb_build_object('sessionId', session_id)
from tutoring_sessions session join entities arc on arc.id = session.arc_id and not arc.is_over
where session.status = 'completed' and session.arc_turn is null;

create function delete_entity_of_session() returns trigger language plpgsql as $$
begin
  delete from entities where id = old.session_id;
  return null;
end $$;

create trigger session_entity after delete on tutoring_sessions
  for each row execute function delete_entity_of_session();
