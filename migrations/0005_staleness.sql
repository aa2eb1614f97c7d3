-- When the learner of an arc was told that it will be closed for absence.
alter table arcs add column stale_warned_at timestamptz;
