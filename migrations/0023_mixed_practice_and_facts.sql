-- A session may practise several concepts of an arc: which one a problem is on stands with the problem.
alter table problem_attempts add column node_id uuid;

update problem_attempts as problem set node_id = session.node_id
from tutoring_sessions as session
where session.session_id = problem.session_id and session.node_id is not null;

-- Where something that is remembered of a learner comes from: feedback on a quiz, a mistake met three times, themselves.
alter table learner_facts add column source text not null default 'feedback'
  check (source in ('feedback', 'mistake', 'learner'));
