-- A question may ask for a program.
alter table arc_questions drop constraint arc_questions_format_check;
alter table arc_questions add constraint arc_questions_format_check
  check (format in ('multiple_choice', 'short_answer', 'free_text', 'program'));
