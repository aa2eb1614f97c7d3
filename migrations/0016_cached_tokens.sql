-- Of a step's input tokens, those that the model's server read from its cache, and those that it wrote to it.
alter table model_steps
  add column cache_read_tokens  integer not null default 0,
  add column cache_write_tokens integer not null default 0;
