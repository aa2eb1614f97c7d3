-- What a problem has ready for a learner who does not get on with it: its unit, solution, foreseen mistakes, smaller
-- questions and method. Without it there are the hints alone.
alter table problem_attempts add column help jsonb;
