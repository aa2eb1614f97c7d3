-- Maps that no arc owns are built and studied through tools: whose they are, and the diagnosis made for them.

alter table mind_maps add column learner_id uuid references learners (id) on delete cascade;
create index mind_maps_by_learner on mind_maps (learner_id) where learner_id is not null;

-- The ranked inventory with its prerequisites, from which the next probe is chosen.
alter table diagnostic_results add column concepts jsonb;
create unique index diagnostic_results_of_map on diagnostic_results (mind_map_id) where session_id is null;
