-- All that the nightly snapshots read of a map's responses is in the index: they read no row, however far apart the rows lie.

drop index quiz_responses_by_map;
create index quiz_responses_by_map on quiz_responses (mind_map_id, responded_at desc)
  include (node_id, quality, response_type, position);

-- Weights of FSRS that were fitted to a learner's own reviews, and how they came out against the default ones on the latest
-- of them, which the fit had not seen. Null weights: the default ones did as well.
create table fitted_memories (
  learner_id       uuid primary key references learners (id) on delete cascade,
  weights          double precision[],
  -- Graded answers there were, reviews among them that can be foreseen, and how many of these were held out.
  answers          integer not null,
  reviews          integer not null,
  held_out         integer not null,
  log_loss         double precision,
  default_log_loss double precision,
  fitted_at        timestamptz not null
);
