-- The key that seals drills goes where all keys that the installation made for itself are kept.

insert into installation_keys (name, value)
select name, jsonb_build_object('secret', key) from server_keys;

drop table server_keys;
