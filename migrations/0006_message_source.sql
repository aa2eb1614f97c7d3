-- The model step that wrote a message, so that it can be written again.
alter table arc_messages add column step_key text;
