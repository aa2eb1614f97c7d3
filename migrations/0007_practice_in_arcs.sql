-- Practice on a concept of an arc: a course's question brings its own key, and the arc takes up how a session ended in
-- one of its turns.
alter table problem_attempts add column answer_key jsonb;
alter table tutoring_sessions add column arc_turn integer;

create index tutoring_sessions_not_taken_up on tutoring_sessions (session_id)
  where arc_id is not null and arc_turn is null;
