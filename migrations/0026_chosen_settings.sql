-- Which settings somebody has set: what nobody chose may be taken from the browser.
alter table learners add column chosen text[] not null default '{}';
