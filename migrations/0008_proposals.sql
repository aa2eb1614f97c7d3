-- A struggling part of an arc's map becomes a proposal to plan it again, which the learner accepts or declines.
create table replan_proposals (
  id               uuid primary key default gen_random_uuid(),
  arc_id           uuid not null references arcs (id) on delete cascade,
  -- The child of the root at the top of the part.
  node_id          uuid not null references mind_map_nodes (id) on delete cascade,
  struggling_nodes jsonb not null,
  status           text not null default 'open'
                   check (status in ('open', 'accepted', 'declined', 'withdrawn')),
  created_at       timestamptz not null,
  decided_at       timestamptz,
  check ((status = 'open') = (decided_at is null))
);

create unique index replan_proposals_open on replan_proposals (arc_id, node_id) where status = 'open';
create index replan_proposals_by_arc on replan_proposals (arc_id, created_at desc);
