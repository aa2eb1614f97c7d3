-- The root of a map is one of its own nodes. Checked at the end of a transaction: a map is written before its nodes.
update mind_maps map set root_node_id = null
where root_node_id is not null
  and not exists (select 1 from mind_map_nodes node
                  where node.mind_map_id = map.id and node.id = map.root_node_id);
alter table mind_maps add constraint mind_maps_root
  foreign key (id, root_node_id) references mind_map_nodes (mind_map_id, id)
  on delete set null (root_node_id) deferrable initially deferred;

-- Retrieval is lexical.
alter table unit_anchors drop column embedding;
alter table unit_content_chunks drop column embedding;
